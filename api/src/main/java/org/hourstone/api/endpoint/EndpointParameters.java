package org.hourstone.api.endpoint;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.hourstone.api.name.TreeFields;
import org.hourstone.api.request.ApiCall;

/**
 * The parameters of endpoints, but in strict mode. One that would choose or change what is read,
 * written or deleted, at another endpoint or in another spelling, such as {@code tags} or {@code
 * showTSUIDs}, is refused where it has no effect. Others are ignored: clients send their own.
 */
final class EndpointParameters {
  private static final String POINTS =
      "start end timezone tz use_calendar useCalendar ms arrays show_tsuids show_query show_stats"
          + " show_summary no_annotations padding ";
  private static final String QUERY =
      POINTS + "m tsuid global_annotations explain explain_at ascii json png ";
  private static final String PUT = "details summary sync sync_timeout";
  private static final String INFLUX =
      "bucket consistency db epoch org orgID p precision pretty rp u";
  private static final String META = "display_name description notes ";

  /** Those of trees are in {@link TreeFields}. */
  private static final Map<String, Set<String>> KNOWN =
      Map.ofEntries(
          Map.entry("/api/admin/backup", Set.of()),
          Map.entry("/api/admin/jobs", words("id from")),
          Map.entry("/api/annotation", words("start_time end_time tsuid description notes")),
          Map.entry("/api/annotation/bulk", words("start_time end_time tsuids global")),
          Map.entry("/api/annotations", words("start_time end_time")),
          Map.entry("/api/cardinality", words("metric tagk q max")),
          Map.entry("/api/export", words("start end timezone tz m tsuid format after")),
          Map.entry("/api/histogram", words(PUT)),
          Map.entry("/api/import/prometheus", words("timestamp")),
          Map.entry("/api/put", words(PUT)),
          Map.entry("/api/query", words(QUERY)),
          Map.entry("/api/query/exp", Set.of()),
          Map.entry("/api/query/gexp", words(POINTS + "exp")),
          Map.entry("/api/query/last", words("timeseries tsuids resolve back_scan")),
          Map.entry("/api/read", words("escaping")),
          Map.entry("/api/rollup", words(PUT)),
          Map.entry("/api/search/lookup", words("m limit start_index use_meta")),
          Map.entry("/api/suggest", words("type q max")),
          Map.entry("/api/uid/assign", words("metric tagk tagv")),
          Map.entry("/api/uid/rename", words("metric tagk tagv name")),
          Map.entry(
              "/api/uid/tsmeta", words(META + "tsuid m create units data_type retention max min")),
          Map.entry("/api/uid/uidmeta", words(META + "uid type")),
          Map.entry("/api/write", Set.of()),
          Map.entry("/api/v2/write", words(INFLUX)),
          Map.entry("/q", words(QUERY)),
          Map.entry("/query", words(INFLUX + " q")),
          Map.entry("/suggest", words("type q max")),
          Map.entry("/v1/metrics", Set.of()),
          Map.entry("/write", words(INFLUX)));

  /** What members of bodies are called, that are parameters nowhere. */
  private static final Set<String> MEMBERS =
      words(
          "aggregator back_scan delete downsample explicit_tags filter filters group_by metrics"
              + " ms_resolution percentiles queries rate rate_options resolve_names tag tags");

  /** Names that mean nothing in particular. */
  private static final Set<String> GENERAL =
      words(
          PUT
              + " "
              + INFLUX
              + " after ascii description format from id json timestamp min name notes padding png"
              + " q retention type units");

  private static final Set<String> TELLING =
      Stream.concat(
              MEMBERS.stream(),
              KNOWN.values().stream().flatMap(Set::stream).filter(name -> !GENERAL.contains(name)))
          .map(EndpointParameters::letters)
          .collect(toUnmodifiableSet());

  private EndpointParameters() {}

  private static Set<String> words(String names) {
    return Arrays.stream(names.split(" ")).collect(toUnmodifiableSet());
  }

  /** A name whatever its spelling. */
  private static String letters(String name) {
    return name.replaceAll("[_-]", "").toLowerCase(Locale.ROOT);
  }

  /**
   * @throws org.hourstone.api.request.ApiException if a parameter says something that the endpoint
   *     doesn't know
   */
  static void check(ApiCall call) {
    Set<String> known = KNOWN.get(call.path());
    if (known == null) {
      return;
    }
    for (String name : call.parameters().keySet()) {
      if (!known.contains(name)
          && (TELLING.contains(letters(name)) || !meant(name, known).isEmpty())) {
        throw QueryString.wrong(name, "is not a parameter of " + call.path() + meant(name, known));
      }
    }
  }

  private static String meant(String name, Set<String> known) {
    return known.stream()
        .filter(each -> letters(each).equals(letters(name)))
        .findFirst()
        .map(each -> "; its name is " + each)
        .orElse("");
  }
}
