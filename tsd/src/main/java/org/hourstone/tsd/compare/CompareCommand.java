package org.hourstone.tsd.compare;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.internal.Json;
import org.hourstone.tsd.compare.Difference.Kind;
import org.hourstone.tsd.session.NotComparedException;
import org.hourstone.tsd.session.ServerUrl;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compare}. */
@Command(
    name = "compare",
    description = {
      "Asks two servers the same, such as an OpenTSDB and the daemon that shall replace it, and"
          + " shows how their answers differ, and how long they took.",
      "",
      "The requests are those of files, or else some for each metric that either server has. Only"
          + " requests that read are sent. Relative times are replaced, so that both servers are"
          + " asked for the same range.",
      "",
      "A difference is one of value, of time (a point is missing), of tag (a series or a name is"
          + " missing), of order, or an error (one server refuses what the other answers). UIDs are"
          + " not compared.",
      "",
      "A request that neither server has answered is not compared, and shown with the reason: the"
          + " time was over, the answer is larger than 64 MB, or the status says that the server"
          + " can't answer now (408, 429, 502, 503, 504).",
      "",
      "The exit status is 0 if there is no difference, 1 if there is one, and 2 if there is none"
          + " but not all was compared, or the servers could not be asked. No store is opened."
    },
    footer = {
      "  hourstone compare http://opentsdb:4242 http://db1:4242",
      "  hourstone compare --log opentsdb.log http://opentsdb:4242 http://db1:4242",
      "  hourstone compare --dashboard cpu.json http://old:4242 http://db1:4242"
    })
public final class CompareCommand extends SessionCommand {
  private static final int MEDIAN = 50;
  private static final int NEARLY_ALL = 95;
  private static final double NANOS_PER_MILLI = 1e6;

  @Parameters(
      index = "0",
      paramLabel = "A",
      description = "A server, such as http://USER:PASSWORD@HOST:PORT.")
  String first = "";

  @Parameters(index = "1", paramLabel = "B", description = "The other server.")
  String second = "";

  @Option(
      names = "--requests",
      paramLabel = "FILE",
      description =
          "Sends the requests of a file: each line is [GET] /api/query?…, POST PATH JSON, or the"
              + " JSON of one to /api/query. May be repeated, as the next two.")
  List<Path> requests = new ArrayList<>();

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description =
          "Sends the requests in a log of OpenTSDB; a POST request is only in its log of queries.")
  List<Path> logs = new ArrayList<>();

  @Option(
      names = "--dashboard",
      paramLabel = "FILE",
      description = "Sends the queries to OpenTSDB of a dashboard that was exported from Grafana.")
  List<Path> dashboards = new ArrayList<>();

  @Option(
      names = "--start",
      paramLabel = "TIME",
      description = "The start of requests that no file has; 1d-ago by default.")
  @Nullable String start;

  @Option(
      names = "--now",
      paramLabel = "TIME",
      description =
          "What relative times refer to, and the end of ranges without one; the current time by"
              + " default. An earlier one leaves points out that have not yet reached both"
              + " servers.")
  @Nullable String now;

  @Option(
      names = "--tolerance",
      paramLabel = "SHARE",
      defaultValue = "0",
      description =
          "By how much values may differ, in relation to the larger one, such as 1e-12; 0 by"
              + " default.")
  BigDecimal tolerance = BigDecimal.ZERO;

  @Option(
      names = "--limit",
      paramLabel = "NUMBER",
      defaultValue = "1000",
      description = "How many different requests are sent at most; 1000 by default.")
  int limit = 1000;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long to wait for each answer; 60 by default.")
  int timeout = 60;

  @Option(
      names = "--json",
      description =
          "Writes a JSON object for each request with differences or not compared, and one of"
              + " all.")
  boolean json;

  @Override
  protected boolean run() {
    if (limit < 1 || timeout < 1 || tolerance.signum() < 0) {
      throw new UsageException("--limit and --timeout must be at least 1, --tolerance at least 0");
    }
    Duration patience = Duration.ofSeconds(timeout);
    ComparedServer a = new ComparedServer(ServerUrl.of("A", first), patience);
    ComparedServer b = new ComparedServer(ServerUrl.of("B", second), patience);
    RequestList list = list(a, b);
    if (list.requests().isEmpty()) {
      throw new NotComparedException("there is nothing to ask" + skipped(list));
    }
    Comparison comparison = new Comparison(a, b, tolerance);
    session().status().show(() -> comparison.asked() + " of " + list.requests().size() + " asked");
    for (SafeRequest request : list.requests()) {
      show(request, comparison.ask(request));
    }
    summarize(comparison, list, a, b);
    if (comparison.different() == 0) {
      check(comparison);
    }
    return comparison.different() == 0;
  }

  /** That there are no differences says something only if answers were compared. */
  private static void check(Comparison comparison) {
    if (comparison.unanswered() > 0) {
      throw new NotComparedException(
          "neither server answered "
              + Plurals.number(comparison.unanswered())
              + " of "
              + Plurals.count(comparison.asked(), "request"));
    }
    if (comparison.refused() == comparison.asked()) {
      throw new NotComparedException("both servers refused every request");
    }
  }

  private RequestList list(ComparedServer a, ComparedServer b) {
    long millis = session().settings().time("--now", now, session().clock().millis());
    RequestTimes times = new RequestTimes(Instant.ofEpochMilli(millis));
    RequestList list = new RequestList(limit);
    RequestFiles files = new RequestFiles(times, list);
    requests.forEach(files::lines);
    logs.forEach(files::log);
    dashboards.forEach(files::dashboard);
    if (requests.isEmpty() && logs.isEmpty() && dashboards.isEmpty()) {
      MadeRequests.add(a, b, start(times), times, list);
    } else if (start != null) {
      throw new UsageException("--start has no effect: the requests of files have their own");
    }
    return list;
  }

  private String start(RequestTimes times) {
    String given = start == null ? "1d-ago" : start;
    long millis = session().settings().time("--start", times.fixed(given), 0);
    if (millis >= times.nowMillis()) {
      throw new UsageException("--start: " + given + " is not before the end of the ranges");
    }
    return given;
  }

  private void show(SafeRequest request, Compared compared) {
    String unanswered = compared.unanswered();
    List<Difference> differences = compared.differences();
    if (unanswered == null && differences.isEmpty()) {
      return;
    }
    if (json) {
      ObjectNode object = Json.object().put("request", request.toString());
      if (unanswered != null) {
        object.put("notCompared", unanswered);
      } else {
        ArrayNode all = object.putArray("differences");
        differences.forEach(
            each -> all.addObject().put("kind", each.kind().word()).put("text", each.text()));
      }
      out().line(Json.text(object));
    } else {
      out().line(request.toString());
      if (unanswered != null) {
        out().line("  not compared: " + unanswered);
      }
      differences.forEach(
          each ->
              out()
                  .line(String.format(Locale.ROOT, "  %-5s  %s", each.kind().word(), each.text())));
    }
  }

  private void summarize(
      Comparison comparison, RequestList list, ComparedServer a, ComparedServer b) {
    if (json) {
      ObjectNode object =
          Json.object()
              .put("requests", comparison.asked())
              .put("different", comparison.different())
              .put("refusedByBoth", comparison.refused())
              .put("notCompared", comparison.unanswered());
      Stream.of(Kind.values()).forEach(kind -> object.put(kind.word(), comparison.of(kind)));
      object.set("a", times(a));
      object.set("b", times(b));
      out().line(Json.text(object));
    } else {
      String kinds =
          Stream.of(Kind.values())
              .map(kind -> kind.word() + " " + comparison.of(kind))
              .collect(Collectors.joining(", "));
      out()
          .line(
              Plurals.count(comparison.asked(), "request")
                  + ": "
                  + Plurals.number(comparison.different())
                  + " with differences ("
                  + kinds
                  + "), "
                  + Plurals.number(comparison.refused())
                  + " refused by both, "
                  + Plurals.number(comparison.unanswered())
                  + " not compared");
      out().line(times("A", a));
      out().line(times("B", b));
    }
    out().flush();
    if (list.isCut()) {
      session().report("only the first " + limit + " requests were sent (--limit)");
    }
    String skipped = skipped(list);
    if (!skipped.isEmpty()) {
      session().report("not sent" + skipped);
    }
  }

  private static String skipped(RequestList list) {
    return list.skipped().isEmpty()
        ? ""
        : list.skipped().entrySet().stream()
            .map(each -> each.getValue() + " (" + each.getKey() + ")")
            .collect(Collectors.joining(", ", ": ", ""));
  }

  private static double millis(ComparedServer server, int percent) {
    return server.percentileNanos(percent) / NANOS_PER_MILLI;
  }

  private static ObjectNode times(ComparedServer server) {
    return Json.object()
        .put("url", server.toString())
        .put("medianMillis", millis(server, MEDIAN))
        .put("p95Millis", millis(server, NEARLY_ALL));
  }

  private static String times(String name, ComparedServer server) {
    return String.format(
        Locale.ROOT,
        "%s  median %.1f ms, p95 %.1f ms  %s",
        name,
        millis(server, MEDIAN),
        millis(server, NEARLY_ALL),
        server);
  }
}
