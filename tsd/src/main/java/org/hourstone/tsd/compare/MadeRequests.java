package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hourstone.tsd.session.NotComparedException;

/** Makes requests for the metrics that exist on either server. */
final class MadeRequests {
  private static final int MOST_NAMES = 100_000;

  /** All series by themselves, and the ways in which dashboards put them together. */
  private static final List<String> QUERIES = List.of("none:", "sum:", "avg:1h-avg:", "sum:rate:");

  private MadeRequests() {}

  /**
   * Adds them to a list.
   *
   * @param start of each range, as in a request
   */
  public static void add(
      ComparedServer a, ComparedServer b, String start, RequestTimes times, RequestList list) {
    Set<String> metrics = new TreeSet<>();
    for (String type : List.of("metrics", "tagk", "tagv")) {
      SafeRequest names =
          SafeRequest.get("/api/suggest?type=" + type + "&max=" + MOST_NAMES, times);
      list.add(() -> names);
      if (type.equals("metrics")) {
        metrics.addAll(names(a, names));
        metrics.addAll(names(b, names));
      }
    }
    for (String metric : metrics) {
      for (String query : QUERIES) {
        String m = URLEncoder.encode(query + metric, StandardCharsets.UTF_8);
        list.add(() -> SafeRequest.get("/api/query?start=" + start + "&m=" + m, times));
      }
    }
  }

  private static Set<String> names(ComparedServer server, SafeRequest request) {
    Answer answer = server.ask(request);
    JsonNode names = answer.json();
    if (!answer.isSuccess() || names == null || !names.isArray()) {
      throw new NotComparedException(server + " does not list its metrics: " + answer.problem());
    }
    Set<String> all = new TreeSet<>();
    names.forEach(name -> all.add(name.asText()));
    return all;
  }
}
