package org.hourstone.testing.reference;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Random;

/** Draws a request to {@code /api/query} at random, to fit some points. */
public final class RandomQuery {
  public static final List<String> HOSTS = List.of("web01", "web02", "Web03", "db01");
  public static final List<String> CENTERS = List.of("lga", "sjc", "LGA");

  private static final List<String> UNITS = List.of("ms", "s", "m", "h", "d", "w", "n", "y");
  private static final List<String> FILLS = List.of("absent", "none", "nan", "null", "zero");
  private static final List<String> ZONES =
      List.of(
          "absent",
          "UTC",
          "America/New_York",
          "Europe/Berlin",
          "Asia/Kathmandu",
          "Australia/Lord_Howe",
          "Pacific/Apia",
          "Africa/Cairo",
          "America/Santiago",
          "Asia/Beirut",
          "America/Havana",
          "America/Sao_Paulo",
          "America/Los_Angeles",
          "America/St_Johns",
          "Asia/Kolkata",
          "Asia/Tokyo");
  private static final List<String> FILTERS =
      List.of(
          "literal_or",
          "iliteral_or",
          "not_literal_or",
          "not_iliteral_or",
          "wildcard",
          "iwildcard",
          "regexp");
  private static final List<String> RATES =
      List.of("plain", "counter", "counterMax", "resetValue", "dropResets");
  private static final List<String> RANGES =
      List.of("all", "cut", "within", "from-a-point", "to-a-point", "around");

  /** Those that treat absent points in every way; drawn more often. */
  private static final List<String> OF_ALL_SORTS =
      List.of(
          "sum", "zimsum", "pfsum", "min", "mimmin", "max", "mimmax", "avg", "count", "first",
          "last", "diff", "none");

  private static final int MANY_BUCKETS = 400;
  private static final int MOST_QUERIES = 5;
  private static final int MOST_BUCKETS = 15_000;
  private static final List<Long> COUNTS = List.of(1L, 2L, 3L, 5L, 7L, 10L, 30L, 90L, 500L, 700L);

  /** The hours that are read beyond the range. */
  private static final long TWO_HOURS = 7_200_000;

  private static final long LONGEST = 1L << 40;

  private final Random random;
  private final Features features;
  private final RandomPoints points;

  public RandomQuery(Random random, Features features, RandomPoints points) {
    this.random = random;
    this.features = features;
    this.points = points;
  }

  /** Declares the kinds that may be drawn. */
  public static void declare(Features features) {
    features.know("aggregator", Functions.NAMES);
    features.know("aggregator", List.of("none"));
    features.know("downsample", List.of("absent", "fixed", "calendar", "all"));
    features.know("bucket-of", Functions.NAMES);
    features.know("fixed", UNITS);
    features.know("calendar", UNITS);
    features.know(
        "calendar", List.of("one", "part-of-larger", "not-part-of-larger", "useCalendar"));
    features.know("fill", FILLS);
    features.know("rate", RATES);
    features.know("rate", List.of("absent", "of-buckets"));
    features.know("filter", FILTERS);
    features.know("filter", List.of("absent", "groupBy", "two", "explicitTags"));
    features.know("timezone", ZONES);
    features.know("range", RANGES);
    features.know("resolution", List.of("milliseconds", "seconds"));
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String one(String kind, List<String> of) {
    String drawn = one(of);
    features.count(kind, drawn);
    return drawn;
  }

  /** Draws a request with one query. */
  public ObjectNode draw(String metric) {
    return draw(metric, 1);
  }

  /** Draws a request with some queries of the same metric; most have one. */
  ObjectNode drawSome(String metric) {
    int count = 1 + (random.nextInt(3) == 0 ? random.nextInt(MOST_QUERIES) : 0);
    features.count("queries", count > 1 ? "several" : "one");
    return draw(metric, count);
  }

  private ObjectNode draw(String metric, int count) {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    long[] range = range();
    boolean milliseconds = random.nextBoolean() || range[0] % 1000 != 0 || range[1] % 1000 != 0;
    request.put("start", milliseconds ? range[0] : range[0] / 1000);
    request.put("end", milliseconds ? range[1] : range[1] / 1000);
    String zone = random.nextBoolean() ? points.zone() : one(ZONES);
    features.count("timezone", zone);
    if (!zone.equals("absent")) {
      request.put("timezone", zone);
    }
    boolean fine = random.nextInt(3) > 0;
    features.count("resolution", fine ? "milliseconds" : "seconds");
    request.put("msResolution", fine);
    ArrayNode queries = request.putArray("queries");
    for (int i = 0; i < count; i++) {
      query(request, queries.addObject().put("metric", metric), range[1] - range[0]);
    }
    return request;
  }

  private void query(ObjectNode request, ObjectNode query, long length) {
    boolean any = random.nextBoolean();
    query.put("aggregator", one("aggregator", any ? Functions.NAMES : OF_ALL_SORTS));
    downsample(request, query, length);
    rate(query);
    filters(query);
  }

  private long[] range() {
    List<Long> times = points.times();
    long first = times.get(0);
    long last = times.get(times.size() - 1);
    long some = first + (long) (random.nextDouble() * (last - first));
    long other = first + (long) (random.nextDouble() * (last - first));
    long from;
    long to;
    switch (one("range", RANGES)) {
      case "all" -> {
        from = first - first % 3_600_000;
        to = last - last % 3_600_000 + 3_600_000;
      }
      case "cut" -> {
        from = some;
        to = last + random.nextInt(7_200_000);
      }
      case "within" -> {
        from = Math.min(some, other);
        to = Math.max(some, other);
      }
      case "from-a-point" -> {
        from = one(times);
        to = Math.max(some, from + 1000);
      }
      case "to-a-point" -> {
        to = one(times);
        from = Math.min(some, to - 1000);
      }
      default -> {
        from = first - random.nextInt(7_200_000);
        to = last + random.nextInt(7_200_000);
      }
    }
    if (random.nextBoolean()) {
      from -= from % 1000;
      to -= to % 1000;
    }
    return new long[] {from, to > from ? to : from - from % 1000 + 1000};
  }

  private void downsample(ObjectNode request, ObjectNode query, long length) {
    int form = random.nextInt(10);
    if (form < 3) {
      features.count("downsample", "absent");
      return;
    }
    String function = one("bucket-of", Functions.NAMES);
    String fill = one("fill", FILLS);
    String tail = "-" + function + (fill.equals("absent") ? "" : "-" + fill);
    if (form == 3) {
      features.count("downsample", "all");
      query.put("downsample", "0all" + tail);
      return;
    }
    Interval interval = interval(length);
    boolean calendar = form > 6;
    features.count("downsample", calendar ? "calendar" : "fixed");
    features.count(calendar ? "calendar" : "fixed", interval.unit());
    String suffix = "";
    if (calendar) {
      features.count("calendar", part(interval));
      if (random.nextInt(3) == 0) {
        features.count("calendar", "useCalendar");
        request.put("useCalendar", true);
      } else {
        suffix = "c";
      }
    }
    query.put("downsample", interval.count() + interval.unit() + suffix + tail);
  }

  private static String part(Interval interval) {
    long larger =
        switch (interval.unit()) {
          case "ms" -> 1000;
          case "s", "m" -> 60;
          case "h" -> 24;
          default -> 0;
        };
    if (interval.count() == 1) {
      return "one";
    }
    return larger % interval.count() == 0 ? "part-of-larger" : "not-part-of-larger";
  }

  /** An interval that does not make too many buckets. */
  private Interval interval(long length) {
    int most = random.nextInt(5) == 0 ? MOST_BUCKETS : MANY_BUCKETS;
    for (; ; ) {
      String unit = one(UNITS);
      List<Interval> fitting =
          COUNTS.stream()
              .map(count -> new Interval(count, unit))
              .filter(interval -> (length + TWO_HOURS) / interval.millis() <= most)
              .filter(interval -> interval.millis() < LONGEST)
              .toList();
      if (!fitting.isEmpty()) {
        return one(fitting);
      }
    }
  }

  private void rate(ObjectNode query) {
    if (random.nextInt(3) > 0) {
      features.count("rate", "absent");
      return;
    }
    query.put("rate", true);
    features.countIf(query.has("downsample"), "rate", "of-buckets");
    String form = one("rate", RATES);
    if (form.equals("plain")) {
      return;
    }
    ObjectNode options = query.putObject("rateOptions").put("counter", true);
    if (form.equals("dropResets")) {
      options.put("dropResets", true);
    }
    if (form.equals("counterMax") || random.nextInt(3) == 0) {
      options.put("counterMax", one(List.of(1000L, 65_535L, 4_294_967_295L)));
    }
    if (form.equals("resetValue")) {
      options.put("resetValue", one(List.of(1, 100, 100_000)));
    }
  }

  private void filters(ObjectNode query) {
    if (random.nextInt(5) < 2) {
      features.count("filter", "absent");
      return;
    }
    ArrayNode filters = query.putArray("filters");
    filter(filters, "host", HOSTS);
    if (random.nextInt(3) == 0) {
      features.count("filter", "two");
      filter(filters, "dc", CENTERS);
    }
    if (random.nextInt(5) == 0) {
      features.count("filter", "explicitTags");
      query.put("explicitTags", true);
    }
  }

  private void filter(ArrayNode filters, String tagk, List<String> values) {
    String type = one("filter", FILTERS);
    boolean groupBy = random.nextBoolean();
    features.countIf(groupBy, "filter", "groupBy");
    String text =
        switch (type) {
          case "wildcard", "iwildcard" ->
              one(List.of("*", "*1", "w*", "*b0*", "l*", "w*|db*", "*1|web02", "w*2|*3"));
          case "regexp" -> one(List.of(".*", "0[12]$", "^w", "[a-z]+"));
          default -> one(values) + "|" + one(values);
        };
    filters
        .addObject()
        .put("type", type)
        .put("tagk", tagk)
        .put("filter", text)
        .put("groupBy", groupBy);
  }
}
