package org.hourstone.api;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
 * Reads a request to {@code /api/query} from its body. As lenient as OpenTSDB: unknown fields are
 * ignored, numbers and booleans may be in quotes, text may be without quotes, and any text after
 * the body's value is ignored.
 *
 * <p>The body is read as a stream, not as a tree: an error names the place in the text at which it
 * was found, fields take effect in the order in which they are written, and a body with too many
 * queries is left where the limit is exceeded, whatever its size.
 */
final class QueryBody {
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
  static QueryRequest read(ApiCall call, ApiDialect dialect, QueryLimits limits) {
    try (JsonParser json = Json.parser(call.body())) {
      JsonToken token = json.nextToken();
      if (token == null) {
        throw new ApiException(
            ApiException.BAD_REQUEST,
            "Missing message content",
            "Supply valid JSON formatted data in the body of your request");
      }
      if (token == JsonToken.VALUE_NULL) {
        throw dialect.bodyOfNull();
      }
      if (token != JsonToken.START_OBJECT) {
        throw RequestBody.unparsable("not an object", json);
      }
      return new QueryBody(json, dialect, limits).request(QueryFlag.ofParameters(call));
    } catch (JsonProcessingException e) {
      throw RequestBody.unparsable(Json.complaint(e));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /**
   * @param byParameters the flags of the query string, of which only those for the form of points
   *     are used
   */
  private QueryRequest request(Set<QueryFlag> byParameters) throws IOException {
    Set<QueryFlag> flags = EnumSet.noneOf(QueryFlag.class);
    if (byParameters.contains(QueryFlag.ARRAYS)) {
      flags.add(QueryFlag.ARRAYS);
    }
    String start = null;
    String end = null;
    String timezone = null;
    Map<QueryDraft, String> queries = Map.of();
    boolean given = false;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      json.nextToken();
      place = field;
      QueryFlag flag = QueryFlag.ofField(field);
      if (flag != null) {
        if (flag()) {
          flags.add(flag);
        } else {
          flags.remove(flag);
        }
        continue;
      }
      switch (field) {
        case "start" -> start = text();
        case "end" -> end = text();
        case "timezone" -> timezone = text();
        case "queries" -> {
          given = json.currentToken() != JsonToken.VALUE_NULL;
          queries = queries();
        }
        default -> json.skipChildren();
      }
    }
    dialect.checkQueries(given);
    return new QueryRequest(start, end, timezone, queries, flags);
  }

  private Map<QueryDraft, String> queries() throws IOException {
    Map<QueryDraft, String> queries = new LinkedHashMap<>();
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return queries;
    }
    require(JsonToken.START_ARRAY, "not an array");
    for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
      place = "queries[" + i + "]";
      String where = place;
      require(JsonToken.START_OBJECT, "not an object");
      queries.putIfAbsent(subQuery(where), "in " + where);
      limits.checkQueries(queries.size()); // the rest is not even read
    }
    return queries;
  }

  private QueryDraft subQuery(String where) throws IOException {
    String aggregator = "";
    String metric = "";
    List<String> tsuids = List.of();
    List<TagFilter> filters = List.of();
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
        case "aggregator" -> aggregator = textOrEmpty();
        case "metric" -> metric = textOrEmpty();
        case "tsuids" -> tsuids = texts();
        case "downsample" -> downsample = text();
        case "rate" -> rate = flag();
        case "rateOptions" -> rateOptions = rateOptions();
        case "tags" -> filters = tags(); // replace filters before them
        case "filters" -> filters = filters();
        case "explicitTags" -> explicitTags = flag();
        case "percentiles" -> percentiles = percentiles();
        case "showHistogramBuckets" -> histogramBuckets = flag();
        case "preAggregate" -> preAggregate = flag();
        case "rollupUsage" -> rollupUsage = rollupUsage();
        case "useFuzzyFilter" -> useFuzzyFilter = flag();
        case "useMultiGets" -> useMultiGets = flag();
        default -> json.skipChildren();
      }
    }
    return new QueryDraft(
        aggregator,
        new QueryDraft.Series(metric, tsuids, filters, explicitTags),
        downsample,
        new QueryDraft.Rate(rate, rateOptions),
        new QueryDraft.Values(percentiles, histogramBuckets, preAggregate, rollupUsage),
        new QueryDraft.Hints(useFuzzyFilter, useMultiGets));
  }

  private List<TagFilter> tags() throws IOException {
    List<TagFilter> filters = new ArrayList<>();
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return filters;
    }
    require(JsonToken.START_OBJECT, "not an object");
    String where = place;
    Map<String, String> tags = new LinkedHashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String tagk = json.currentName();
      json.nextToken();
      place = where + "." + tagk;
      tags.put(tagk, textOrEmpty());
    }
    try {
      for (Map.Entry<String, String> tag : tags.entrySet()) {
        TagFilter filter = TagFilter.parse(tag.getKey(), tag.getValue(), true);
        checkType(filter.type());
        filters.add(filter);
      }
    } catch (RequestException e) {
      throw dialect.malformedFilter(String.valueOf(e.getMessage()), where, json);
    }
    return filters;
  }

  private List<TagFilter> filters() throws IOException {
    List<TagFilter> filters = new ArrayList<>();
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return filters;
    }
    require(JsonToken.START_ARRAY, "not an array");
    String where = place;
    for (int i = 0; json.nextToken() != JsonToken.END_ARRAY; i++) {
      place = where + "[" + i + "]";
      require(JsonToken.START_OBJECT, "not an object");
      JsonNode filter = Json.read(json);
      try {
        TagFilter read = filter(filter);
        checkType(read.type());
        filters.add(read);
      } catch (RequestException e) {
        throw dialect.malformedFilter(String.valueOf(e.getMessage()), place, json);
      }
    }
    return filters;
  }

  /**
   * A filter in JSON.
   *
   * @throws RequestException if it is wrong
   */
  static TagFilter filter(JsonNode filter) {
    String type = Json.string(filter, "type");
    if (type.isEmpty()) {
      throw new RequestException("The filter type cannot be null or empty");
    }
    return new TagFilter(
        TagFilter.Type.parse(type),
        Json.string(filter, "tagk"),
        Json.string(filter, "filter"),
        filter.path("groupBy").asBoolean() || filter.path("group_by").asBoolean());
  }

  private void checkType(TagFilter.Type type) {
    if (!dialect.queries().knows(type)) {
      throw new RequestException(
          "Could not find a tag value filter of the type: " + type.requestName());
    }
  }

  private @Nullable RateOptions rateOptions() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    require(JsonToken.START_OBJECT, "not an object");
    String where = place;
    boolean counter = RateOptions.DEFAULT.counter();
    long counterMax = RateOptions.DEFAULT.counterMax();
    long resetValue = RateOptions.DEFAULT.resetValue();
    boolean dropResets = RateOptions.DEFAULT.dropResets();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String field = json.currentName();
      json.nextToken();
      place = where + "." + field;
      switch (field) {
        case "counter" -> counter = flag();
        case "counterMax" -> counterMax = integer();
        case "resetValue" -> resetValue = integer();
        case "dropResets" -> dropResets = flag();
        default -> json.skipChildren();
      }
    }
    return new RateOptions(counter, counterMax, resetValue, dropResets);
  }

  private @Nullable List<Double> percentiles() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    List<Double> percentiles = new ArrayList<>();
    for (String number : texts()) {
      try {
        percentiles.add(Double.valueOf(number.strip()));
      } catch (NumberFormatException e) {
        throw wrong("not a number: '" + number + "'");
      }
    }
    return percentiles;
  }

  private @Nullable RollupUsage rollupUsage() throws IOException {
    String name = text();
    return name == null ? null : RollupUsage.parse(name);
  }

  private List<String> texts() throws IOException {
    List<String> texts = new ArrayList<>();
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return texts;
    }
    require(JsonToken.START_ARRAY, "not an array");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      texts.add(textOrEmpty());
    }
    return texts;
  }

  private String textOrEmpty() throws IOException {
    String text = text();
    return text == null ? "" : text;
  }

  private @Nullable String text() throws IOException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return null;
    }
    if (!json.currentToken().isScalarValue()) {
      throw wrong("not a text");
    }
    return json.getText();
  }

  private boolean flag() throws IOException {
    return switch (json.currentToken()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE, VALUE_NULL -> false;
      case VALUE_NUMBER_INT -> json.getLongValue() != 0;
      case VALUE_STRING ->
          switch (json.getText().strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false", "", "null" -> false;
            default -> throw wrong("neither true nor false: '" + json.getText() + "'");
          };
      default -> throw wrong("neither true nor false");
    };
  }

  private long integer() throws IOException {
    try {
      return switch (json.currentToken()) {
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getLongValue();
        case VALUE_NULL -> 0;
        case VALUE_STRING -> Long.parseLong(json.getText().strip());
        default -> throw wrong("not a whole number");
      };
    } catch (NumberFormatException e) {
      throw wrong("not a whole number: '" + json.getText() + "'");
    }
  }

  private void require(JsonToken token, String otherwise) {
    if (json.currentToken() != token) {
      throw wrong(otherwise);
    }
  }

  private ApiException wrong(String problem) {
    return RequestBody.unparsable(place + ": " + problem, json);
  }
}
