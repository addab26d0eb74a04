package org.hourstone.bench;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.Tsdb;

/** Requests that take much more than they look like, and the data for them. */
final class Attacks {
  private static final long START = 1_500_001_200;
  private static final long HOURS = 40;

  /** The path and the range of all queries. */
  static final String RANGE = "/api/query?start=1500001200&end=1500145199";

  /**
   * A request.
   *
   * @param name of its kind
   */
  record Attack(String name, String method, String uri, String body) {}

  private final List<Attack> attacks;

  private Attacks(List<Attack> attacks) {
    this.attacks = attacks;
  }

  Attack at(int turn) {
    return attacks.get(Math.floorMod(turn, attacks.size()));
  }

  /** Writes the data. */
  static Attacks prepare(Tsdb db, int series) {
    for (int host = 0; host < 50; host++) {
      for (int i = 0; i < 400; i++) {
        put(db, "wide", START + i * 360L, i, "host=h" + host);
      }
    }
    for (long i = 0; i < HOURS * 3600; i++) {
      put(db, "long", START + i, i % 1000, "host=a");
    }
    for (int i = 0; i < 300; i++) {
      put(db, "few", START + i * 400L + i % 7, i, "host=h" + i % 10);
    }
    put(db, "small", START, 1, "host=a");
    for (int i = 0; i < series; i++) {
      put(db, "many", START, 1, "host=aaaaaaaaaaaaaaaaaaaaaaaa" + i);
    }
    db.flush();
    return new Attacks(all());
  }

  private static void put(Tsdb db, String metric, long seconds, long value, String tag) {
    db.putLine("put " + metric + " " + seconds + " " + value + " " + tag);
  }

  private static List<Attack> all() {
    String tsuids =
        IntStream.range(1, 1000)
            .mapToObj(i -> String.format(Locale.ROOT, "000001000001%06X", i))
            .collect(Collectors.joining(","));
    return List.of(
        new Attack("1000 queries", "POST", "/api/query", queries(1000)),
        new Attack("5000 queries", "POST", "/api/query", queries(5000)),
        get("all points", RANGE + "&m=none:many&m=none:long&m=none:wide"),
        get("endless buckets", RANGE + "&m=none:1ms-avg-zero:long"),
        new Attack("formulas", "POST", "/api/query/exp", formulas(64)),
        get("movingAverage", gexp("movingAverage(sum:long,999999999)")),
        get("30 expressions", gexp("scale(sum:long,2)" + "&exp=scale(sum:long,2)".repeat(29))),
        get("lookup", "/api/search/lookup?m=many&limit=0"),
        get("lookup in data", "/api/search/lookup?m=many&limit=0&use_meta=false"),
        get("lookup of nothing", "/api/search/lookup?m=%7Bhost=h1%7D&use_meta=false&limit=0"),
        get("suggest", "/api/suggest?type=tagv&max=1000000"),
        get("last", "/api/query/last?back_scan=400000&tsuids=000001000001000001"),
        get("last of many", "/api/query/last?back_scan=900&tsuids=" + tsuids),
        get("regular expression", RANGE + "&m=sum:many%7Bhost=regexp((.*a)%7B12%7Db)%7D"),
        get("explanation", RANGE + "&m=sum:many&explain&explain_at=" + START));
  }

  private static Attack get(String name, String uri) {
    return new Attack(name, "GET", uri, "");
  }

  private static String gexp(String expression) {
    return RANGE.replace("/query", "/query/gexp") + "&exp=" + expression;
  }

  private static String queries(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                "{\"metric\":\"wide\",\"aggregator\":\"none\",\"rate\":true,"
                    + "\"rateOptions\":{\"counter\":true,\"counterMax\":"
                    + (1_000_000 + i)
                    + "}}")
        .collect(
            Collectors.joining(
                ",", "{\"start\":1500001200,\"end\":1500145199,\"queries\":[", "]}"));
  }

  /** A chain: each formula needs all before it. */
  private static String formulas(int count) {
    String chain =
        IntStream.range(1, count)
            .mapToObj(
                i ->
                    "{\"id\":\"f" + i + "\",\"expr\":\"" + (i == 1 ? "a" : "f" + (i - 1)) + "+a\"}")
            .collect(Collectors.joining(","));
    return "{\"time\":{\"start\":\"1500001200\",\"end\":\"1500145199\",\"aggregator\":\"none\"},"
        + "\"filters\":[{\"id\":\"x\",\"tags\":[{\"type\":\"wildcard\",\"tagk\":\"host\","
        + "\"filter\":\"*\",\"groupBy\":true}]}],"
        + "\"metrics\":[{\"id\":\"a\",\"metric\":\"few\",\"filter\":\"x\","
        + "\"fillPolicy\":{\"policy\":\"zero\"}}],\"expressions\":["
        + chain
        + "]}";
  }
}
