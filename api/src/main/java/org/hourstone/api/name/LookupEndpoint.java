package org.hourstone.api.name;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.ListResponse;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.endpoint.ResultCeiling;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.RequestException;
import org.hourstone.index.LookupDialect;
import org.hourstone.index.SeriesLookup;
import org.hourstone.index.SeriesPattern;
import org.hourstone.internal.Json;
import org.hourstone.internal.UidText;
import org.hourstone.query.RequestBudget;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.SeriesName;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidKind;

/** {@code /api/search/lookup}: which series have which tags. */
public final class LookupEndpoint implements Endpoint {
  private static final int DEFAULT_LIMIT = 25;
  private static final String TYPE = "LOOKUP";

  /** The members of a request; what a response has beside them has no effect. */
  private static final Set<String> REQUEST =
      Set.of(
          "metric",
          "tags",
          "limit",
          "startIndex",
          "useMeta",
          "type",
          "time",
          "results",
          "totalResults");

  private static final Set<String> TAG = Set.of("key", "value");

  private final Tsdb db;
  private final SeriesNames names;
  private final LookupDialect dialect;
  private final ResultCeiling ceiling;
  private final InstantSource clock;
  private final ApiDialect requests;

  public LookupEndpoint(Tsdb db, ApiOptions options) {
    this.db = db;
    this.names = db.seriesNames();
    this.dialect = options.lookups();
    this.ceiling = options.ceiling();
    this.clock = options.clock();
    this.requests = options.requests();
  }

  /**
   * A request.
   *
   * @param pattern as repeated in the response
   * @param startIndex how many series are left out, the first ones
   * @param limit of the others; 0 for none
   */
  private record Lookup(SeriesPattern pattern, int startIndex, int limit, boolean useMeta) {
    /** Each series but the first ones. */
    Consumer<byte[]> rest(Consumer<byte[]> action) {
      int[] passed = {0};
      return tsuid -> {
        if (passed[0] == startIndex) {
          action.accept(tsuid);
        } else {
          passed[0]++;
        }
      };
    }
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    Lookup lookup =
        switch (call.method()) {
          case "GET" -> ofUri(call);
          case "POST" -> call.body().isEmpty() && call.has("m") ? ofUri(call) : ofBody(call);
          default -> throw ApiException.methodNotAllowed(call);
        };
    requests.checkLimit("limit", lookup.limit());
    requests.checkLimit("startIndex", lookup.startIndex());
    return BudgetedResponse.of(
        db, call, () -> "lookup " + lookup.pattern(), budget -> respond(lookup, budget));
  }

  private ApiResponse respond(Lookup lookup, RequestBudget budget) {
    long started = clock.millis();
    return ListResponse.of(
        budget.memory(),
        () -> head(lookup, clock.millis() - started),
        results -> {
          ResultCeiling.Count found = ceiling.count("limit", lookup.limit());
          results(
              lookup,
              db.lookup(budget),
              result -> {
                budget.check();
                found.next();
                results.accept(result);
              });
        },
        count -> ",\"startIndex\":" + lookup.startIndex() + ",\"totalResults\":" + count + "}");
  }

  /** What precedes the results. */
  private String head(Lookup lookup, long millis) {
    ObjectNode response = Json.object().put("type", TYPE);
    if (!lookup.pattern().metric().isEmpty()) {
      response.put("metric", lookup.pattern().metric());
    }
    ArrayNode tags = response.putArray("tags");
    for (SeriesPattern.Tag tag : lookup.pattern().tags()) {
      tags.addObject().put("key", tag.name()).put("value", tag.value());
    }
    response.put("limit", ceiling.bounded(lookup.limit()));
    response.put("time", (float) millis);
    String text = Json.text(response);
    return text.substring(0, text.length() - 1) + ",\"results\":";
  }

  private Lookup ofUri(ApiCall call) {
    SeriesPattern pattern = pattern(call.required("m"));
    return new Lookup(
        pattern,
        dialect.takesStartIndex() ? number(call, "start_index", 0) : 0,
        number(call, "limit", DEFAULT_LIMIT),
        !dialect.readsUseMetaOfUris() || !call.parameter("use_meta").orElse("").equals("false"));
  }

  private static int number(ApiCall call, String name, int otherwise) {
    try {
      return call.parameter(name).map(Integer::parseInt).orElse(otherwise);
    } catch (NumberFormatException e) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Unable to convert '" + name + "' to a valid number");
    }
  }

  private static SeriesPattern pattern(String text) {
    try {
      return SeriesPattern.parse(text);
    } catch (RequestException e) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Unable to parse query", String.valueOf(e.getMessage()));
    }
  }

  private Lookup ofBody(ApiCall call) {
    BodyValue json = body(call).object(REQUEST);
    checkType(json.member("type"));
    List<SeriesPattern.Tag> tags = new ArrayList<>();
    for (BodyValue tag : json.member("tags").objects(TAG)) {
      tags.add(new SeriesPattern.Tag(part(tag, "key"), part(tag, "value")));
    }
    String metric = json.member("metric").text();
    if (metric.isEmpty() && tags.isEmpty()) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Missing metric and tags. Please supply one.");
    }
    return new Lookup(
        new SeriesPattern(metric, tags),
        dialect.takesStartIndex() ? json.member("startIndex").number(0) : 0,
        json.member("limit").number(DEFAULT_LIMIT),
        json.member("useMeta").flag(true));
  }

  /** OpenTSDB replaces it. */
  private void checkType(BodyValue type) {
    if (!requests.bodies().takesUnknownMembers()
        && !type.text().isEmpty()
        && !type.text().equalsIgnoreCase(TYPE)) {
      throw type.wrong("not " + TYPE + ": '" + type.text() + "'");
    }
  }

  /** The name or value of a tag; without both it would match any series. */
  private static String part(BodyValue tag, String name) {
    if (!tag.has("key") && !tag.has("value")) {
      throw tag.wrong("neither a key nor a value");
    }
    return tag.member(name).text();
  }

  private BodyValue body(ApiCall call) {
    try {
      return RequestBody.anyObject(call, requests.bodies());
    } catch (ApiException e) {
      throw dialect.explainsMalformedBodies() ? e : ApiException.internal(e.details());
    }
  }

  /** Without values of any tag if there are tags with names; they must be known nevertheless. */
  private SeriesPattern withoutIgnored(SeriesPattern pattern) {
    List<SeriesPattern.Tag> named = new ArrayList<>();
    for (SeriesPattern.Tag tag : pattern.tags()) {
      if (!tag.anyName()) {
        named.add(tag);
      } else if (!tag.anyValue() && db.uids().find(UidKind.TAGV, tag.value()) == null) {
        throw new NoSuchNameException(UidKind.TAGV, tag.value());
      }
    }
    return named.isEmpty() ? pattern : new SeriesPattern(pattern.metric(), named);
  }

  private void results(Lookup lookup, SeriesLookup series, Consumer<Object> results) {
    int bounded = ceiling.bounded(lookup.limit());
    long limit = bounded < 1 ? Long.MAX_VALUE : (long) lookup.startIndex() + bounded;
    try {
      dialect.checkValues(lookup.pattern());
      SeriesPattern pattern =
          dialect.readsValuesOfAnyTag() ? lookup.pattern() : withoutIgnored(lookup.pattern());
      if (lookup.useMeta()) {
        series.findKept(pattern, limit, lookup.rest(tsuid -> add(results, tsuid)));
      } else {
        dialect.findInData(series, pattern, limit, lookup.rest(tsuid -> add(results, tsuid)));
      }
    } catch (NoSuchNameException e) {
      throw new ApiException(
          ApiException.NOT_FOUND, "Unable to resolve one or more UIDs", e.getMessage());
    } catch (NoSuchUidException e) {
      throw new ApiException(
          ApiException.NOT_FOUND, "Unable to resolve one or more TSUIDs", e.getMessage());
    }
  }

  private void add(Consumer<Object> results, byte[] tsuid) {
    try {
      SeriesName name = names.of(tsuid);
      ObjectNode result = Json.object().put("tsuid", UidText.format(tsuid));
      result.put("metric", name.metric()).set("tags", Json.object(name.tags()));
      results.accept(result);
    } catch (NoSuchUidException e) {
      if (!dialect.skipsDeletedNames()) {
        throw e;
      }
      // Deleted series have no names to be reported by; the others have.
    }
  }
}
