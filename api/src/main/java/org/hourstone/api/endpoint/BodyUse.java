package org.hourstone.api.endpoint;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;

/**
 * The effect of bodies, but in strict mode: one that the endpoint doesn't read with the request's
 * method is refused, and so is a parameter that a body replaces. See {@code docs/api.md#bodies}.
 */
final class BodyUse {
  private static final List<String> ALL = List.of("GET", "POST", "PUT", "DELETE");

  /** The methods with which a body is read, by endpoint; others read none. */
  private static final Map<String, List<String>> READ =
      Stream.of(
              "/api/admin/backup POST",
              "/api/admin/jobs POST",
              "/api/annotation " + String.join(" ", ALL),
              "/api/annotation/bulk POST PUT DELETE",
              "/api/annotations GET",
              "/api/histogram POST",
              "/api/import/prometheus POST",
              "/api/put POST",
              "/api/query POST",
              "/api/query/exp POST",
              "/api/query/last POST",
              "/api/read POST",
              "/api/rollup POST",
              "/api/search/lookup POST",
              "/api/suggest POST",
              "/api/tree " + String.join(" ", ALL),
              "/api/tree/branch GET",
              "/api/tree/collisions GET POST PUT",
              "/api/tree/notmatched GET POST PUT",
              "/api/tree/rule " + String.join(" ", ALL),
              "/api/tree/rules POST PUT DELETE",
              "/api/tree/test GET POST PUT",
              "/api/uid/assign POST",
              "/api/uid/rename POST",
              "/api/uid/tsmeta POST PUT DELETE",
              "/api/uid/uidmeta POST PUT DELETE",
              "/api/write POST",
              "/api/v2/write POST",
              "/query POST",
              "/suggest POST",
              "/v1/metrics POST",
              "/write POST")
          .map(line -> Arrays.asList(line.split(" ")))
          .collect(toUnmodifiableMap(line -> line.get(0), line -> line.subList(1, line.size())));

  /** Bodies that say nothing; clients send them with each request of a method. */
  private static final Set<String> NOTHING = Set.of("", "{}", "[]", "null");

  private static final Set<String> SUGGESTED = Set.of("type", "q", "max");
  private static final Set<String> NOTE =
      Set.of("start_time", "end_time", "tsuid", "description", "notes");

  /** Those in place of which a body is read, by endpoint. */
  private static final Map<String, Set<String>> IN_BODY =
      Map.ofEntries(
          Map.entry("/api/query", Set.of("start", "end", "m", "tsuid")),
          Map.entry(
              "/api/query/exp",
              Set.of("start", "end", "m", "tsuid", "timezone", "tz", "use_calendar", "ms")),
          Map.entry("/api/query/last", Set.of("timeseries", "tsuids", "resolve", "back_scan")),
          Map.entry("/api/suggest", SUGGESTED),
          Map.entry("/suggest", SUGGESTED),
          Map.entry("/api/search/lookup", Set.of("m", "limit", "start_index", "use_meta")),
          Map.entry("/api/annotation", NOTE),
          Map.entry("/api/annotations", NOTE),
          Map.entry("/api/annotation/bulk", Set.of("tsuids", "global", "start_time", "end_time")),
          Map.entry(
              "/api/uid/uidmeta", Set.of("uid", "type", "display_name", "description", "notes")),
          Map.entry(
              "/api/uid/tsmeta",
              Set.of(
                  "tsuid",
                  "display_name",
                  "description",
                  "notes",
                  "units",
                  "data_type",
                  "retention",
                  "max",
                  "min")),
          Map.entry("/api/uid/rename", Set.of("metric", "tagk", "tagv", "name")),
          Map.entry("/api/uid/assign", Set.of("metric", "tagk", "tagv")));

  private BodyUse() {}

  /**
   * @throws ApiException if the body has no effect, or a parameter has none because of it
   */
  static void check(ApiCall call) {
    if (call.body().isEmpty()) {
      return;
    }
    if (call.method().equals("DELETE") && call.path().equals("/api/query")) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "a body needs the method POST, with \"delete\":true");
    }
    List<String> methods = READ.getOrDefault(call.path(), List.of());
    if (!methods.contains(call.method())) {
      if (NOTHING.contains(call.body().strip())) {
        return;
      }
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "The body has no effect",
          call.path()
              + " reads "
              + (methods.isEmpty()
                  ? "none"
                  : "one with the method " + String.join(" or ", methods) + " only"));
    }
    for (String name : IN_BODY.getOrDefault(call.path(), Set.of())) {
      if (call.has(name)) {
        throw QueryString.wrong(name, "has no effect, since there is a body");
      }
    }
  }
}
