package org.hourstone.api.query;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.QueryFlag;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.query.QueryDraft;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.QueryLimits;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.TagFilter;
import org.hourstone.series.RateOptions;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request to {@code /api/query} from its body. Numbers and booleans may be in quotes, text
 * may be without quotes.
 *
 * <p>The body is read as a stream, not as a tree: an error names the place in the text at which it
 * was found, fields take effect in the order in which they are written, and a body with too many
 * queries is left where the limit is exceeded, whatever its size.
 */
public final class QueryBody {
  private static final String CONTRADICTS = "contradicts the query string";

  /** The members of a request; the last three have no effect. */
  private static final Set<String> REQUEST =
      Stream.concat(
              QueryFlag.fields(),
              Stream.of(
                  "start",
                  "end",
                  "timezone",
                  "queries",
                  "options",
                  "overrideByteLimit",
                  "overrideDataPointLimit"))
          .collect(toUnmodifiableSet());

  /** The members of a query; the last four, which a response repeats, have no effect. */
  private static final Set<String> QUERY =
      Set.of(
          "aggregator",
          "metric",
          "tsuids",
          "downsample",
          "rate",
          "rateOptions",
          "tags",
          "filters",
          "explicitTags",
          "percentiles",
          "showHistogramBuckets",
          "preAggregate",
          "rollupUsage",
          "useFuzzyFilter",
          "useMultiGets",
          "index",
          "filterTagKs",
          "rollupTable",
          "histogramQuery");

  private static final Set<String> RATE =
      Set.of("counter", "counterMax", "resetValue", "dropResets");

  /** The members of a filter. */
  static final Set<String> FILTER = Set.of("type", "tagk", "filter", "groupBy", "group_by");

  private final JsonParser json;
  private final ApiDialect dialect;
  private final QueryLimits limits;

  /** The current place, for errors. */
  private String place = "";

  private QueryBody(JsonParser json, ApiDialect dialect, QueryLimits limits) {
    this.json = json;
    this.dialect = dialect;
    this.limits = limits;
  }

  /**
   * @throws ApiException if it can't be read, with the reason and the place
   * @throws QueryLimitException if it has too many queries
   */
  public static QueryRequest read(ApiCall call, ApiDialect dialect, QueryLimits limits) {
    try (JsonParser json = dialect.bodies().parser(call.body())) {
      JsonToken token = json.nextToken();
      if (token == null) {
        throw new ApiException(
            ApiException.BAD_REQUEST,
            "Missing message content",
            "Supply valid JSON formatted data in the body of your request");
      }
      if (token == JsonToken.VALUE_NULL) {
        throw dialect.faults().bodyOfNull();
      }
      if (token != JsonToken.START_OBJECT) {
        throw RequestBody.unparsable("not an object", json);
      }
      QueryRequest request =
          new QueryBody(json, dialect, limits)
              .request(dialect.besideBody(call), dialect.times().timezone(call));
      RequestBody.checkEnd(json, dialect.bodies());
      return request;
    } catch (JsonProcessingException e) {
      throw RequestBody.unparsable(Json.complaint(e));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /**
   * @param byParameters the flags of the query string
   * @param zone that of the query string; null or empty for none
   */
  private QueryRequest request(Set<QueryFlag> byParameters, @Nullable String zone)
      throws IOException {
    Set<QueryFlag> flags = EnumSet.noneOf(QueryFlag.class);
    flags.addAll(byParameters);
    String start = null;
    String end = null;
    String timezone = zone == null || zone.isEmpty() ? null : zone;
    Map<QueryDraft, String> queries = Map.of();
    boolean given = false;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      json.nextToken();
      place = field;
      QueryFlag flag = QueryFlag.ofField(field);
      if (flag != null) {
        BodyValue said = value();
        if (said.flag(false)) {
          flags.add(flag);
        } else if (byParameters.contains(flag) && !said.isAbsent()) {
          throw said.wrong(CONTRADICTS);
        } else if (!byParameters.contains(flag)) {
          flags.remove(flag);
        }
        continue;
      }
      switch (field) {
        case "start" -> start = value().textOrNull();
        case "end" -> end = value().textOrNull();
        case "timezone" -> timezone = zone(value(), timezone, zone);
        case "queries" -> {
          given = json.currentToken() != JsonToken.VALUE_NULL;
          queries = queries();
        }
        default -> other(field, REQUEST);
      }
    }
    dialect.faults().checkQueries(given);
    return new QueryRequest(start, end, timezone, queries, flags);
  }

  /** The zone of a body, which must be that of the query string if that has one. */
  private static @Nullable String zone(
      BodyValue given, @Nullable String before, @Nullable String ofQueryString) {
    String zone = given.textOrNull();
    if (ofQueryString == null || ofQueryString.isEmpty()) {
      return zone;
    }
    if (zone != null && !zone.isEmpty() && !zone.equals(ofQueryString)) {
      throw given.wrong(CONTRADICTS);
    }
    return before;
  }

  private Map<QueryDraft, String> queries() throws IOException {
    Map<QueryDraft, String> queries = new LinkedHashMap<>();
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return queries;
    }
    if (json.currentToken() != JsonToken.START_ARRAY) {
      if (value().isAbsent()) {
        return queries;
      }
      throw value().wrong("not an array");
    }
    for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
      String where = "queries[" + i + "]";
      place = where;
      if (json.currentToken() != JsonToken.START_OBJECT) {
        throw value().wrong("not an object");
      }
      queries.putIfAbsent(subQuery(where), "in " + where);
      limits.checkQueries(queries.size()); // the rest is not even read
    }
    return queries;
  }

  private QueryDraft subQuery(String where) throws IOException {
    String aggregator = "";
    String metric = "";
    List<String> tsuids = List.of();
    Filters filters = new Filters();
    boolean explicitTags = false;
    String downsample = null;
    boolean rate = false;
    RateOptions rateOptions = null;
    List<Double> percentiles = null;
    boolean histogramBuckets = false;
    boolean preAggregate = false;
    RollupUsage rollupUsage = null;
    boolean useFuzzyFilter = true;
    boolean useMultiGets = true;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      json.nextToken();
      place = where + "." + field;
      switch (field) {
        case "aggregator" -> aggregator = value().text();
        case "metric" -> metric = value().text();
        case "tsuids" -> tsuids = value().texts();
        case "downsample" -> downsample = value().textOrNull();
        case "rate" -> rate = value().flag(false);
        case "rateOptions" -> rateOptions = rateOptions(value());
        case "tags" -> filters.setTags(tags(value()));
        case "filters" -> filters.setList(filters(where));
        case "explicitTags" -> explicitTags = value().flag(false);
        case "percentiles" -> percentiles = value().decimals();
        case "showHistogramBuckets" -> histogramBuckets = value().flag(false);
        case "preAggregate" -> preAggregate = value().flag(false);
        case "rollupUsage" -> rollupUsage = rollupUsage(value());
        case "useFuzzyFilter" -> useFuzzyFilter = value().flag(false);
        case "useMultiGets" -> useMultiGets = value().flag(false);
        default -> other(field, QUERY);
      }
    }
    return new QueryDraft(
        aggregator,
        new QueryDraft.Series(metric, tsuids, filters.all(), explicitTags),
        downsample,
        new QueryDraft.Rate(rate, rateOptions),
        new QueryDraft.Values(percentiles, histogramBuckets, preAggregate, rollupUsage),
        new QueryDraft.Hints(useFuzzyFilter, useMultiGets));
  }

  /** A member without effect, which must be known. */
  private void other(String field, Set<String> known) throws IOException {
    if (known.contains(field) || dialect.bodies().takesUnknownMembers()) {
      json.skipChildren();
    } else {
      value().unknown(known);
    }
  }

  /** The filters of a query: both of its members, or the later one. */
  private final class Filters {
    private List<TagFilter> ofTags = List.of();
    private List<TagFilter> listed = List.of();

    void setTags(List<TagFilter> read) {
      ofTags = read;
      listed = dialect.bodies().replacesFilters() ? List.of() : listed;
    }

    void setList(List<TagFilter> read) {
      listed = read;
      ofTags = dialect.bodies().replacesFilters() ? List.of() : ofTags;
    }

    List<TagFilter> all() {
      return Stream.concat(ofTags.stream(), listed.stream()).toList();
    }
  }

  private List<TagFilter> tags(BodyValue given) {
    try {
      List<TagFilter> filters = new ArrayList<>();
      for (Map.Entry<String, String> tag : given.textMembers().entrySet()) {
        TagFilter filter = TagFilter.parse(tag.getKey(), tag.getValue(), true);
        checkType(filter.type());
        filters.add(filter);
      }
      return filters;
    } catch (RequestException e) {
      throw dialect.faults().malformedFilter(String.valueOf(e.getMessage()), given.place(), json);
    }
  }

  private List<TagFilter> filters(String query) throws IOException {
    List<TagFilter> filters = new ArrayList<>();
    if (json.currentToken() != JsonToken.START_ARRAY) {
      value().elements(); // there are none, or it is refused
      return filters;
    }
    for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
      place = query + ".filters[" + i + "]";
      BodyValue each = value().element(FILTER);
      try {
        TagFilter read = filter(each);
        checkType(read.type());
        filters.add(read);
      } catch (RequestException e) {
        throw dialect.faults().malformedFilter(String.valueOf(e.getMessage()), each.place(), json);
      }
    }
    return filters;
  }

  /**
   * A filter in JSON.
   *
   * @throws ApiException if a member has the wrong type
   * @throws RequestException if it is wrong otherwise
   */
  static TagFilter filter(BodyValue filter) {
    String type = filter.member("type").text();
    if (type.isEmpty()) {
      throw new RequestException("The filter type cannot be null or empty");
    }
    return new TagFilter(
        TagFilter.Type.parse(type),
        filter.member("tagk").text(),
        filter.member("filter").text(),
        filter.flagOfNames("groupBy", "group_by"));
  }

  private void checkType(TagFilter.Type type) {
    if (!dialect.queries().knows(type)) {
      throw new RequestException(
          "Could not find a tag value filter of the type: " + type.requestName());
    }
  }

  /** The options of a rate; null if they are absent. */
  static @Nullable RateOptions rateOptions(BodyValue given) {
    return given.object(RATE).isAbsent()
        ? null
        : new RateOptions(
            given.member("counter").flag(RateOptions.DEFAULT.counter()),
            given.member("counterMax").integer(RateOptions.DEFAULT.counterMax()),
            given.member("resetValue").integer(RateOptions.DEFAULT.resetValue()),
            given.member("dropResets").flag(RateOptions.DEFAULT.dropResets()));
  }

  private @Nullable RollupUsage rollupUsage(BodyValue given) {
    String name = given.textOrNull();
    if (name == null) {
      return null;
    }
    RollupUsage usage = RollupUsage.parse(name);
    if (!usage.requestName().equalsIgnoreCase(name) && !dialect.bodies().takesUnknownMembers()) {
      throw given.wrong("no such usage of rollups: '" + name + "'");
    }
    return usage;
  }

  /** The value that begins at the current token. */
  private BodyValue value() throws IOException {
    String position = RequestBody.position(json);
    return BodyValue.of(Json.read(json), place, position, dialect.bodies());
  }
}
