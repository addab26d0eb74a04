package org.hourstone.api.name;

import java.util.Set;
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
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/** {@code /api/suggest}: names that begin with something. */
public final class SuggestEndpoint implements Endpoint {
  private static final Set<String> REQUEST = Set.of("type", "q", "max");

  private final Tsdb db;
  private final ResultCeiling ceiling;
  private final ApiDialect dialect;

  public SuggestEndpoint(Tsdb db, ApiOptions options) {
    this.db = db;
    this.ceiling = options.ceiling();
    this.dialect = options.requests();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    return switch (call.method()) {
      case "GET" -> {
        String type = call.parameter("type").orElse("");
        if (type.isEmpty()) {
          throw bad("Missing parameter <code>type</code>");
        }
        yield suggest(call, type, call.parameter("q").orElse(""), call.parameter("max").orElse(""));
      }
      case "POST" -> {
        BodyValue request = RequestBody.object(call, dialect.bodies(), REQUEST);
        String type = request.member("type").text();
        if (type.isEmpty()) {
          throw bad("Missing 'type' parameter");
        }
        yield suggest(call, type, request.member("q").text(), request.member("max").text());
      }
      default -> throw ApiException.methodNotAllowed(call);
    };
  }

  private ApiResponse suggest(ApiCall call, String type, String prefix, String max) {
    int limit = limit(max);
    UidKind kind = kind(type);
    return BudgetedResponse.of(
        db,
        call,
        () -> "suggest " + type + " " + prefix,
        budget ->
            ListResponse.of(
                budget.memory(),
                names -> {
                  ResultCeiling.Count count = ceiling.count("max", limit);
                  db.uids()
                      .suggest(
                          kind,
                          prefix,
                          limit,
                          name -> {
                            budget.check();
                            count.next();
                            names.accept(name);
                          });
                }));
  }

  private static UidKind kind(String type) {
    return switch (type) {
      case "metrics" -> UidKind.METRIC;
      case "tagk" -> UidKind.TAGK;
      case "tagv" -> UidKind.TAGV;
      default -> throw bad("Invalid 'type' parameter:" + type);
    };
  }

  private int limit(String max) {
    if (max.isEmpty()) {
      return UidTable.DEFAULT_SUGGESTIONS;
    }
    try {
      int limit = Integer.parseInt(max);
      dialect.checkLimit("max", limit);
      return limit < 1 ? UidTable.DEFAULT_SUGGESTIONS : limit;
    } catch (NumberFormatException e) {
      throw bad("Unable to parse 'max' as a number");
    }
  }

  private static ApiException bad(String message) {
    return new ApiException(ApiException.BAD_REQUEST, message);
  }
}
