package org.hourstone.api.endpoint;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;

/**
 * The parameters of a request as they are read but in strict mode: one that is given twice, that is
 * neither true nor false, or that has no effect because {@linkplain BodyUse there is a body} is
 * refused, and so are {@linkplain EndpointParameters those of other endpoints}. See {@code
 * docs/api.md#parameters}.
 */
public final class QueryString {
  /** OpenTSDB takes these for true whatever their value is. */
  private static final Set<String> FLAGS =
      Set.of(
          "arrays",
          "ascii",
          "details",
          "explain",
          "global",
          "global_annotations",
          "json",
          "ms",
          "no_annotations",
          "nokey",
          "padding",
          "show_query",
          "show_stats",
          "show_summary",
          "show_tsuids",
          "summary",
          "sync",
          "ylog");

  /** These may also be false. */
  private static final Set<String> BOOLEANS =
      Set.of("create", "resolve", "use_calendar", "useCalendar", "use_meta");

  /** Those of which only one counts. */
  private static final Set<String> SINGLE =
      Set.of(
          "after",
          "back_scan",
          "data_type",
          "description",
          "display_name",
          "end",
          "end_time",
          "escaping",
          "explain_at",
          "format",
          "id",
          "jsonp",
          "limit",
          "m",
          "max",
          "method_override",
          "metric",
          "min",
          "name",
          "notes",
          "precision",
          "q",
          "retention",
          "serializer",
          "start",
          "start_index",
          "start_time",
          "sync_timeout",
          "timestamp",
          "tagk",
          "tagv",
          "timezone",
          "title",
          "tsuid",
          "tsuids",
          "type",
          "tz",
          "uid",
          "units",
          "wxh",
          "ylabel",
          "yrange");

  /** Those that have other names, too. */
  private static final List<Set<String>> ALIASES =
      List.of(Set.of("timezone", "tz"), Set.of("use_calendar", "useCalendar"));

  /** Those that say what a request is about, which is not all or none of it if they are empty. */
  private static final Set<String> NAMING =
      Set.of("end_time", "metric", "tagk", "tagv", "timeseries", "tsuid", "tsuids");

  /** Those of them that are lists of series. */
  private static final Set<String> SERIES = Set.of("timeseries", "tsuid", "tsuids");

  private static final Set<String> QUERIES = Set.of("m", "tsuid");

  /** Those that may be given several times, by endpoint. */
  private static final Map<String, Set<String>> SEVERAL =
      Map.of(
          "/api/export", QUERIES,
          "/api/query", QUERIES,
          "/api/query/gexp", QUERIES,
          "/api/query/last", Set.of("timeseries", "tsuids"),
          "/q", QUERIES);

  /** Those that say how something is changed, by endpoint: with POST and PUT. */
  private static final Map<String, Set<String>> CHANGING =
      Map.of(
          "/api/annotation",
          Set.of("end_time", "description", "notes"),
          "/api/uid/uidmeta",
          Set.of("display_name", "description", "notes"),
          "/api/uid/tsmeta",
          Set.of(
              "create",
              "display_name",
              "description",
              "notes",
              "units",
              "data_type",
              "retention",
              "max",
              "min"));

  /** The forms of points of {@code /q}. */
  private static final List<String> FORMS = List.of("ascii", "json", "png");

  /** Those that choose what the results of queries have, which none of these forms is. */
  private static final List<String> OF_RESULTS =
      List.of("arrays", "explain", "show_query", "show_stats", "show_summary", "show_tsuids");

  /** What queries and expressions have, and names of parameters do not. */
  private static final Pattern CUT = Pattern.compile("[:{}()|,*]");

  private QueryString() {}

  /**
   * The call with its parameters as they are meant: a flag that is false is left out.
   *
   * @throws ApiException if one of them can't be meant
   */
  static ApiCall read(ApiCall call) {
    Map<String, List<String>> meant = new LinkedHashMap<>();
    call.parameters()
        .forEach(
            (name, values) -> {
              checkWord(name);
              checkSingle(call.path(), name, values);
              if (NAMING.contains(name)) {
                values.forEach(value -> checkNotEmpty(name, value));
              }
              if (SERIES.contains(name)) {
                values.forEach(value -> checkElements(name, value));
              }
              if (FLAGS.contains(name)) {
                if (isTrue(name, values)) {
                  meant.put(name, values);
                }
              } else if (BOOLEANS.contains(name)) {
                meant.put(name, List.of(Boolean.toString(isTrue(name, values))));
              } else {
                meant.put(name, values);
              }
            });
    checkAliases(meant);
    checkPairs(call, meant.keySet());
    checkMethod(call);
    BodyUse.check(call);
    EndpointParameters.check(call);
    return call.withParameters(meant);
  }

  /** A value that is cut by a separator in it goes on as the name of another parameter. */
  private static void checkWord(String name) {
    if (CUT.matcher(name).find()) {
      throw wrong(name, "is not a parameter; & and ; in a value are written %26 and %3B");
    }
  }

  private static void checkSingle(String path, String name, List<String> values) {
    boolean several = SEVERAL.getOrDefault(path, Set.of()).contains(name);
    if (SINGLE.contains(name) && !several && new HashSet<>(values).size() > 1) {
      throw wrong(name, "is given " + values.size() + " times");
    }
  }

  /**
   * @throws ApiException if the value of a parameter that says what a request is about is empty
   */
  public static void checkNotEmpty(String name, String value) {
    if (value.isBlank()) {
      throw wrong(name, "is empty");
    }
  }

  private static void checkElements(String name, String list) {
    for (String each : list.split(",", -1)) {
      if (each.isBlank()) {
        throw wrong(name, "has an empty element");
      }
    }
  }

  private static boolean isTrue(String name, List<String> values) {
    Set<Boolean> read = new HashSet<>();
    for (String value : values) {
      read.add(
          switch (value.strip().toLowerCase(Locale.ROOT)) {
            case "", "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default -> throw wrong(name, "is neither true nor false: '" + value + "'");
          });
    }
    if (read.size() > 1) {
      throw wrong(name, "is given " + values.size() + " times");
    }
    return read.contains(true);
  }

  private static void checkAliases(Map<String, List<String>> meant) {
    for (Set<String> names : ALIASES) {
      Set<String> values = new HashSet<>();
      names.forEach(name -> values.addAll(meant.getOrDefault(name, List.of())));
      if (values.size() > 1) {
        throw wrong(
            String.join(" and ", names.stream().sorted().toList()), "contradict each other");
      }
    }
  }

  /** Those that have an effect only with another one, or without it. */
  private static void checkPairs(ApiCall call, Set<String> meant) {
    if (call.has("explain_at") && !meant.contains("explain")) {
      throw wrong("explain_at", "has no effect without explain");
    }
    if (call.has("sync_timeout") && !meant.contains("sync")) {
      throw wrong("sync_timeout", "has no effect without sync");
    }
    if (call.path().equals("/api/cardinality")) {
      boolean ofMetric = call.has("metric");
      if (!ofMetric && call.has("tagk")) {
        throw wrong("tagk", "needs the name of a metric");
      }
      if (ofMetric && call.has("q")) {
        throw wrong("q", "has no effect with a metric");
      }
      if (ofMetric && call.has("max") && !call.has("tagk")) {
        throw wrong("max", "has no effect with a metric without a tagk");
      }
    }
    if (call.path().equals("/api/uid/tsmeta") && call.has("tsuid") && call.has("m")) {
      throw wrong("m", "has no effect with a tsuid");
    }
    if (call.path().equals("/api/uid/tsmeta") && call.has("create") && !call.has("m")) {
      throw wrong("create", "has no effect without m");
    }
    if (!call.parameter("serializer").orElse("json").equalsIgnoreCase("json")) {
      throw wrong("serializer", "is only json");
    }
    checkForms(call.path(), meant);
  }

  private static void checkForms(String path, Set<String> meant) {
    List<String> forms = FORMS.stream().filter(meant::contains).toList();
    if (path.equals("/q")) {
      if (forms.size() > 1) {
        throw wrong(String.join(" and ", forms), "contradict each other");
      }
      for (String name : OF_RESULTS) {
        if (meant.contains(name)) {
          throw wrong(name, "has no effect on /q, but on /api/query");
        }
      }
    } else if (path.startsWith("/api/query") && !forms.isEmpty()) {
      throw wrong(forms.get(0), "has no effect on " + path + ", but on /q");
    }
  }

  private static void checkMethod(ApiCall call) {
    String method = call.method();
    String override = call.parameter("method_override").orElse(method);
    if (!override.toUpperCase(Locale.ROOT).equals(method)) {
      throw wrong("method_override", "has no effect with the method " + method + ", but with GET");
    }
    if (method.equals("GET") || method.equals("DELETE")) {
      for (String name : CHANGING.getOrDefault(call.path(), Set.of())) {
        if (call.has(name)) {
          throw wrong(name, "has no effect with the method " + method);
        }
      }
    }
    if (call.path().equals("/api/query/running") && method.equals("GET") && call.has("id")) {
      throw wrong("id", "has no effect with the method GET");
    }
  }

  public static ApiException wrong(String name, String problem) {
    return new ApiException(
        ApiException.BAD_REQUEST, "The query string can't be read", name + ": " + problem);
  }
}
