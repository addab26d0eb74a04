package org.hourstone.testing.beside;

import static org.hourstone.testing.beside.Request.flag;
import static org.hourstone.testing.beside.Request.parameter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.hourstone.testing.golden.RequestPort;
import org.hourstone.testing.reference.RandomPoints;

/**
 * Writes random points, each by one of the two sides, by telnet or HTTP, and waits until the tables
 * have all of them: OpenTSDB acknowledges points that it is yet to write.
 *
 * @param derived whether there are also rolled-up values and histograms
 */
record Tables(RequestPort ours, RequestPort theirs, boolean derived) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int BATCH = 50;
  private static final int RECENT_POINTS = 3;
  private static final int RECENT_SECONDS = 7_000;

  /** The points of a number, which are others for each. */
  Written write(int number, Draw draw) {
    String metric = "beside." + number;
    RandomPoints points = RandomPoints.draw(metric, draw.random(), draw.features());
    List<String> others = others(points.lines(), metric + ".other", draw);
    List<String> recent = recent(points.lines(), metric + ".recent", draw);
    List<String> all = new ArrayList<>(points.lines());
    all.addAll(others);
    all.addAll(recent);
    List<String> byUs = new ArrayList<>();
    List<String> byThem = new ArrayList<>();
    all.forEach(line -> (draw.once(2) ? byUs : byThem).add(line));
    put(ours, byUs, draw);
    put(theirs, byThem, draw);
    awaitPoints("none:" + metric, points.lines());
    awaitPoints("none:" + metric + ".other", others);
    awaitPoints("none:" + metric + ".recent", recent);
    List<String> tsuids = tsuids(metric);
    for (String of : List.of(metric, metric + ".other", metric + ".recent")) {
      Request lookup =
          Request.get("", "/api/search/lookup", parameter("m", of), parameter("limit", 1000));
      await(
          lookup,
          () -> json(lookup.answer(ours)).path("totalResults").asInt() == tsuids(of).size());
    }
    long note = 1_300_000_000L + number * 10_000L;
    Written written =
        new Written(metric, metric + ".other", metric + ".recent", points, tsuids, note);
    if (derived) {
      new DerivedValues(this, written, draw).write();
    }
    return written;
  }

  private static List<String> others(List<String> lines, String metric, Draw draw) {
    boolean all = draw.once(2);
    List<String> others = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ", 5);
      if (all || others.isEmpty() || !draw.once(5)) {
        others.add("put " + metric + " " + words[2] + " " + draw.below(1000) + " " + words[4]);
      }
    }
    return others;
  }

  private static List<String> recent(List<String> lines, String metric, Draw draw) {
    Set<String> series =
        lines.stream()
            .map(line -> line.split(" ", 5)[4])
            .collect(Collectors.toCollection(TreeSet::new));
    long now = Instant.now().getEpochSecond();
    List<String> recent = new ArrayList<>();
    for (String tags : series) {
      for (int i = 0; i < RECENT_POINTS; i++) {
        long time = now - 10 - (long) i * (RECENT_SECONDS / RECENT_POINTS) - draw.below(1000);
        recent.add("put " + metric + " " + time + " " + draw.below(100) + ".5 " + tags);
      }
    }
    return recent;
  }

  private static void put(RequestPort side, List<String> lines, Draw draw) {
    for (int from = 0; from < lines.size(); from += BATCH) {
      List<String> batch = lines.subList(from, Math.min(from + BATCH, lines.size()));
      if (draw.once(2)) {
        String reply = side.telnet(String.join("\n", batch) + "\nexit\n");
        if (reply.contains("put:")) {
          throw new AssertionError(reply);
        }
      } else {
        ArrayNode body = JSON.createArrayNode();
        batch.forEach(line -> body.add(point(line)));
        Request put = Request.of("", "POST", "/api/put", List.of(flag("details")), body.toString());
        RequestPort.Response response = put.answer(side);
        if (response.status() != 200) {
          throw new AssertionError(response);
        }
      }
    }
  }

  private static ObjectNode point(String line) {
    String[] words = line.split(" ", 5);
    ObjectNode point =
        JSON.createObjectNode()
            .put("metric", words[1])
            .put("timestamp", Long.parseLong(words[2]))
            .put("value", words[3]);
    ObjectNode tags = point.putObject("tags");
    Written.tags(words[4]).forEach(tags::put);
    return point;
  }

  private static Request all(String query) {
    return Request.get(
        "",
        "/api/query",
        parameter("start", "1"),
        parameter("end", "4000000000"),
        parameter("m", query),
        flag("ms"),
        flag("show_tsuids"));
  }

  /** Waits until a query has as many points as were written. */
  void awaitPoints(String query, Collection<?> written) {
    int count = written.size();
    Request all = all(query);
    await(
        all,
        () -> {
          int points = 0;
          for (JsonNode series : json(all.answer(ours))) {
            points += series.path("dps").size();
          }
          return points == count;
        });
  }

  private List<String> tsuids(String metric) {
    List<String> tsuids = new ArrayList<>();
    for (JsonNode series : json(all("none:" + metric).answer(ours))) {
      tsuids.add(series.at("/tsuids/0").asText());
    }
    return tsuids;
  }

  private static JsonNode json(RequestPort.Response response) {
    try {
      return JSON.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw new AssertionError(response.toString(), e);
    }
  }

  /** Waits until both sides no longer find something. */
  void awaitGone(Request request) {
    await(
        request,
        () -> request.answer(ours).status() == 404 && request.answer(theirs).status() == 404);
  }

  private static void await(Request what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not as expected after " + PATIENCE + ": " + what);
      }
      Thread.onSpinWait();
    }
  }
}
