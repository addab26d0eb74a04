package org.hourstone.kv.hbase.beside;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What OpenTSDB writes is read here as it reads it itself, and the other way round, before and
 * after either has compacted it. Each test has a metric of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReadAlikeContract {
  /** 2017-07-14T03:00:00Z, the start of an hour. */
  static final long HOUR = 1_500_001_200;

  static final long NEXT_HOUR = HOUR + 3_600;

  /** Every width a value can have, and texts that need one or another. */
  private static final List<String> VALUES =
      List.of(
          "0",
          "1",
          "-1",
          "127",
          "128",
          "-128",
          "-129",
          "32767",
          "32768",
          "-32769",
          "2147483647",
          "2147483648",
          "-2147483649",
          "9223372036854775807",
          "-9223372036854775808",
          "1.5",
          "-0.25",
          "4.2",
          "0.1",
          "1e3",
          "3.4e38",
          "1e300",
          "-4.9e-324",
          "16777217.0");

  private BothSides sides;

  /** The settings of both. */
  abstract Map<Setting<?>, String> settings();

  /** The settings of Hourstone alone. */
  Map<Setting<?>, String> ourSettings() {
    return Map.of();
  }

  @BeforeAll
  final void open() {
    sides = BothSides.open(settings(), ourSettings());
  }

  @AfterAll
  final void close() {
    sides.close();
  }

  final BothSides sides() {
    return sides;
  }

  @Test
  final void whatItTakesByTelnetIsReadAlike() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < VALUES.size(); i++) {
      lines.add("put telnet " + (HOUR + 7L * i) + " " + VALUES.get(i) + " host=web01");
      lines.add(
          "put telnet " + (NEXT_HOUR + i) + "." + (100 + i) + " " + VALUES.get(i) + " host=a");
    }
    lines.add("put telnet " + ((HOUR + 3_599) * 1000 + 999) + " 7 host=web01 cpu=0");
    sides.telnet(lines);

    assertReadAlike("telnet", lines.size());
  }

  @Test
  final void whatItTakesByHttpIsReadAlike() {
    List<String> points = new ArrayList<>();
    for (int i = 0; i < VALUES.size(); i++) {
      points.add(point("http", HOUR + i, VALUES.get(i), "a"));
      points.add(point("http", (NEXT_HOUR + i) * 1000 + 500 + i, VALUES.get(i), "b"));
    }
    assertThat(put(points)).isEqualTo(points.size());

    assertReadAlike("http", points.size());
  }

  @Test
  final void whatWeTakeIsReadAlike() {
    Tsdb tsdb = sides.tsdb();
    for (int i = 0; i < VALUES.size(); i++) {
      tsdb.putLine("put ours.line " + (HOUR + 7L * i) + " " + VALUES.get(i) + " host=web01");
      tsdb.putLine("put ours.line " + (NEXT_HOUR + i) + "." + (100 + i) + " 1.5 host=a");
      tsdb.put("ours.java", Instant.ofEpochSecond(HOUR + i), 100_000_000_000L * i, host("a"));
      tsdb.put("ours.java", Instant.ofEpochMilli(HOUR * 1000 + 500 + i), i / 7.0, host("b"));
      tsdb.put("ours.java", Instant.ofEpochSecond(NEXT_HOUR + i), i / 7.0f, host("b"));
    }
    tsdb.flush();

    assertReadAlike("ours.line", 2 * VALUES.size());
    assertReadAlike("ours.java", 3 * VALUES.size());
  }

  @Test
  final void pointsOfOneCellAreReadAlike() {
    try (Tsdb packing = sides.oursWith(Settings.WRITE_PACKS, "true")) {
      for (int i = 0; i < 500; i++) {
        packing.put("packs", Instant.ofEpochMilli(HOUR * 1000 + 500L * i), i, host("a"));
      }
    }
    assertThat(cells("packs")).isLessThan(500);

    assertReadAlike("packs", 500);
  }

  @Test
  final void whatWeCompactIsReadAlike() {
    for (int i = 0; i < 300; i++) {
      sides.tsdb().put("compacted", Instant.ofEpochSecond(HOUR + i), i, host("a"));
      sides.tsdb().put("compacted", Instant.ofEpochMilli(NEXT_HOUR * 1000 + i), i * 0.5, host("a"));
    }
    sides.tsdb().flush();
    compact(sides.tsdb(), "compacted");
    if (!appends()) {
      assertThat(cells("compacted")).isEqualTo(2);
    }

    assertReadAlike("compacted", 600);
  }

  /** Another writer may put them together to one, and we take them apart again. */
  @Test
  final void cellsThatWeBoundAreReadAlike() {
    try (Tsdb bounding = sides.oursWith(Settings.MAX_CELL_BYTES, "256")) {
      for (int i = 0; i < 300; i++) {
        bounding.put("bounded", Instant.ofEpochSecond(HOUR + i), i, host("a"));
      }
      bounding.flush();
      compact(bounding, "bounded");
      if (!appends()) {
        assertThat(cells("bounded")).isBetween(3, 10);
      }

      assertReadAlike("bounded", 300);
      compact(bounding, "bounded");
      assertReadAlike("bounded", 300);
    }
  }

  @Test
  final void pointsOfBothInOneRowAreReadAlike() {
    List<String> theirs = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      theirs.add(point("both", HOUR + 2L * i, Integer.toString(i), "a"));
      sides.tsdb().put("both", Instant.ofEpochSecond(HOUR + 2L * i + 1), i, host("a"));
    }
    assertThat(put(theirs)).isEqualTo(100);
    sides.tsdb().flush();

    assertReadAlike("both", 200);
  }

  @Test
  final void aRowWithSingleAndAppendedPointsIsReadAlike() {
    String other = appends() ? "false" : "true";
    List<String> theirs = new ArrayList<>();
    try (Tsdb otherwise = sides.oursWith(Settings.ENABLE_APPENDS, other)) {
      for (int i = 0; i < 50; i++) {
        theirs.add(point("mixed", HOUR + 2L * i, Integer.toString(i), "a"));
        otherwise.put("mixed", Instant.ofEpochSecond(HOUR + 2L * i + 1), i, host("a"));
      }
      assertThat(put(theirs)).isEqualTo(50);
    }

    assertReadAlike("mixed", 100);
  }

  /** Values of one instant that need columns of their own. */
  @Test
  final void theNewestOfTwoValuesOfATimestampIsReadByBoth() {
    putTheirs("newest", HOUR, "1");
    putTheirs("newest", HOUR + 1, "1");
    putOurs("newest", HOUR, 2.5);
    assertPoints("newest", Map.of(HOUR, 2.5, HOUR + 1, 1.0));

    putOurs("newest", HOUR + 1, 3.5);
    putTheirs("newest", HOUR, "300");
    assertPoints("newest", Map.of(HOUR, 300.0, HOUR + 1, 3.5));
  }

  /** What either has compacted is older than what comes after. */
  @Test
  final void aCorrectionOfAPointThatTheOtherHasCompactedIsReadByBoth() {
    for (int i = 0; i < 3; i++) {
      sides.tsdb().put("corrected", Instant.ofEpochSecond(HOUR + i), 100.5 + i, host("a")).join();
    }
    compact(sides.tsdb(), "corrected");
    putTheirs("corrected", HOUR, "1");
    putTheirs("corrected", HOUR + 1, "1.5");
    assertPoints("corrected", Map.of(HOUR, 1.0, HOUR + 1, 1.5, HOUR + 2, 102.5));

    putOurs("corrected", HOUR, 2.5);
    assertPoints("corrected", Map.of(HOUR, 2.5, HOUR + 1, 1.5, HOUR + 2, 102.5));
    putOurs("corrected", HOUR, 7.5);
    compact(sides.tsdb(), "corrected");
    assertPoints("corrected", Map.of(HOUR, 7.5, HOUR + 1, 1.5, HOUR + 2, 102.5));
  }

  @Test
  final void aggregatedSeriesAreAnsweredAlike() {
    List<String> points = new ArrayList<>();
    for (int host = 0; host < 5; host++) {
      for (int i = 0; i < 40; i++) {
        points.add(point("many", HOUR + 100L * i + host, Integer.toString(i * host), "h" + host));
      }
    }
    assertThat(put(points)).isEqualTo(200);

    for (String expression :
        List.of(
            "sum:many",
            "avg:10m-max:many",
            "max:many{host=*}",
            "min:1m-avg:many{host=h1|h3}",
            "count:1h-sum:many{host=literal_or(h0|h4)}",
            "sum:many{host=wildcard(h*)}{}")) {
      Answer ours = sides.ours("GET", BothSides.query(expression, HOUR, HOUR + 7_200), "");
      assertThat(ours.points()).as(expression).isNotEmpty();
      assertThat(ours)
          .as(expression)
          .isEqualTo(sides.theirs("GET", BothSides.query(expression, HOUR, HOUR + 7_200), ""));
    }
  }

  @Test
  final void annotationsOfEitherAreReadAlike() {
    put(List.of(point("noted", HOUR, "1.5", "a")));
    String tsuid = tsuid("noted");
    List<String> notes = new ArrayList<>();
    for (String of : List.of("\"tsuid\":\"" + tsuid + "\",", "")) {
      for (long time : new long[] {HOUR + 60, (HOUR + 61) * 1000 + 5}) {
        notes.add(
            "{%s\"startTime\":%d,\"description\":\"one\",\"custom\":{\"a\":\"é\"}}"
                .formatted(of, time));
        notes.add("{%s\"startTime\":%d,\"endTime\":%d}".formatted(of, time + 1, time + 90));
      }
    }
    for (int i = 0; i < notes.size(); i++) {
      String note = notes.get(i);
      assertThat(
              i % 2 == 0
                  ? sides.theirs("POST", "/api/annotation", note).status()
                  : sides.ours("POST", "/api/annotation", note).status())
          .isEqualTo(200);
    }

    for (String note : notes) {
      Answer ours = sides.ours("GET", "/api/annotation", note);
      assertThat(ours.status()).isEqualTo(200);
      assertThat(ours).isEqualTo(sides.theirs("GET", "/api/annotation", note));
    }
    assertAnsweredAlike("/api/annotations?start_time=" + HOUR + "&end_time=" + NEXT_HOUR);
    assertThat(sides.theirs("GET", everything("noted"), "").body().at("/0/annotations"))
        .hasSize(notes.size() / 2);
  }

  @Test
  final void anAnnotationThatEitherChangesAndTheOtherDeletesIsGone() {
    String note = "{\"startTime\":%d,\"description\":\"%s\"}";
    String first = note.formatted(NEXT_HOUR + 1, "first");
    String second = note.formatted(NEXT_HOUR + 2, "second");
    sides.theirs("POST", "/api/annotation", first);
    sides.ours("POST", "/api/annotation", second);
    Answer changed = sides.ours("POST", "/api/annotation", first.replace("first", "changed"));
    assertThat(changed.body().path("description").asText()).isEqualTo("changed");
    assertThat(sides.theirs("GET", "/api/annotation", first)).isEqualTo(changed);
    assertThat(sides.theirs("POST", "/api/annotation", second.replace("second", "new")).body())
        .isEqualTo(sides.ours("GET", "/api/annotation", second).body());

    assertThat(sides.theirs("DELETE", "/api/annotation", second).status()).isEqualTo(204);
    assertThat(sides.ours("DELETE", "/api/annotation", first).status()).isEqualTo(204);
    assertThat(sides.theirs("GET", "/api/annotation", first).status()).isEqualTo(404);
    await("gone", () -> sides.ours("GET", "/api/annotation", second).status() == 404);
  }

  @Test
  final void namesAreSuggestedAlike() {
    put(List.of(point("suggested.theirs", HOUR, "1", "suggested1")));
    sides.tsdb().put("suggested.ours", Instant.ofEpochSecond(HOUR), 1, host("suggested2")).join();
    for (String type : List.of("metrics", "tagk", "tagv")) {
      String suggest = "/api/suggest?type=" + type + "&q=" + (type.equals("tagk") ? "" : "sugg");
      Answer ours = sides.ours("GET", suggest, "");
      assertThat(ours.body()).isNotEmpty();
      assertThat(ours).isEqualTo(sides.theirs("GET", suggest, ""));
    }
  }

  final boolean appends() {
    return Boolean.parseBoolean(settings().get(Settings.ENABLE_APPENDS));
  }

  /** Has OpenTSDB store points, and says how many it has acknowledged. */
  final int put(List<String> points) {
    Answer answer =
        sides.theirs("POST", "/api/put?sync&details", "[" + String.join(",", points) + "]");
    assertThat(answer.body().path("errors")).isEmpty();
    return answer.body().path("success").asInt();
  }

  static String point(String metric, long timestamp, String value, String host) {
    return "{\"metric\":\"%s\",\"timestamp\":%d,\"value\":%s,\"tags\":{\"host\":\"%s\"}}"
        .formatted(metric, timestamp, value, host);
  }

  /** Has OpenTSDB store a point of a row, and compact it. */
  private void putTheirs(String metric, long seconds, String value) {
    assertThat(put(List.of(point(metric, seconds, value, "a")))).isEqualTo(1);
    settle(metric);
  }

  /** As {@link #putTheirs}, but the point is stored by us. */
  private void putOurs(String metric, long seconds, double value) {
    sides.tsdb().put(metric, Instant.ofEpochSecond(seconds), value, host("a")).join();
    settle(metric);
  }

  /**
   * Lets OpenTSDB compact the one row of a metric, and waits for that: it dates the compacted cell
   * by the time of its write, so a point put during the compaction would seem older.
   */
  private void settle(String metric) {
    sides.theirs("GET", everything(metric), "");
    await(metric + " is compacted", () -> appends() || cells(metric) == 1);
  }

  final String tsuid(String metric) {
    return sides.ours("GET", everything(metric), "").body().at("/0/tsuids/0").asText();
  }

  static Tags host(String name) {
    return Tags.of("host", name);
  }

  static String everything(String metric) {
    return BothSides.query("none:" + metric, HOUR, HOUR + 7_200);
  }

  /** As soon as we see all points, and after each has compacted what it may. */
  final void assertReadAlike(String metric, int points) {
    String query = everything(metric);
    await(metric + " has " + points, () -> size(sides.ours("GET", query, "")) >= points);
    Answer first = sides.ours("GET", query, "");
    assertThat(size(first)).isEqualTo(points);
    assertThat(sides.theirs("GET", query, "")).isEqualTo(first);
    compact(sides.tsdb(), metric);
    assertThat(sides.ours("GET", query, "")).isEqualTo(first);
    assertThat(sides.theirs("GET", query, "")).isEqualTo(first);
  }

  private static int size(Answer answer) {
    int points = 0;
    for (var series : answer.body()) {
      points += series.path("dps").size();
    }
    return points;
  }

  private void assertPoints(String metric, Map<Long, Double> bySeconds) {
    Map<Long, Double> expected = new TreeMap<>();
    bySeconds.forEach((seconds, value) -> expected.put(seconds * 1000, value));
    assertThat(sides.ours("GET", everything(metric), "").points()).isEqualTo(expected);
    assertThat(sides.theirs("GET", everything(metric), "").points()).isEqualTo(expected);
  }

  final void assertAnsweredAlike(String uri) {
    Answer ours = sides.ours("GET", uri, "");
    assertThat(ours.status()).as(uri).isEqualTo(200);
    assertThat(ours).as(uri).isEqualTo(sides.theirs("GET", uri, ""));
  }

  static CompactionReport compact(Tsdb tsdb, String metric) {
    return tsdb.compactor()
        .run(CompactionScope.everything().ofMetric(metric), CompactionListener.NONE);
  }

  /** How many cells the rows of a metric have. */
  final int cells(String metric) {
    int cells = 0;
    Query all =
        Query.parse("none:" + metric)
            .between(Instant.ofEpochSecond(HOUR), Instant.ofEpochSecond(HOUR + 7_200));
    for (Scan scan : sides.tsdb().engine().queries().select(all).scans()) {
      try (RowCursor rows =
          sides.tsdb().engine().store().scan(sides.tsdb().engine().tables().points(), scan)) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          cells += row.size();
        }
      }
    }
    return cells;
  }

  /** Waits for what another process does in its own time. */
  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not after 30 seconds: " + what);
      }
      Thread.onSpinWait();
    }
  }
}
