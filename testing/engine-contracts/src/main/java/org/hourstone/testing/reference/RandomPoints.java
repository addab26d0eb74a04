package org.hourstone.testing.reference;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A few series of a metric, drawn at random.
 *
 * @param lines that put the points, in no order of time; no timestamp of a series twice
 * @param times of all points in milliseconds, sorted
 * @param zone in which time does something where they are
 */
public record RandomPoints(List<String> lines, List<Long> times, String zone) {
  private static final int MOST_SERIES = 6;
  private static final int MOST_POINTS = 40;

  /** More than are combined at once. */
  private static final int MANY_POINTS = 700;

  /**
   * Where time does something.
   *
   * @param zone where it does
   * @param seconds since the epoch
   */
  private record Place(String zone, long seconds) {}

  private static final List<Place> PLACES =
      List.of(
          new Place("UTC", 1_520_640_000L), // 2018-03-10, a plain hour
          new Place("UTC", 1_456_704_000L), // 2016-02-29
          new Place("UTC", 1_514_764_800L), // 2018-01-01
          // Clocks are changed.
          new Place("America/New_York", 1_520_751_600L), // 2018-03-11
          new Place("Europe/Berlin", 1_521_939_600L), // 2018-03-25
          new Place("Australia/Lord_Howe", 1_522_504_800L), // 2018-03-31
          // A day is left out.
          new Place("Pacific/Apia", 1_325_239_200L), // 2011-12-30
          // A day begins at 1:00: some hours later.
          new Place("Africa/Cairo", 1_714_107_600L), // 2024-04-26
          new Place("America/Santiago", 1_567_944_000L), // 2019-09-08
          new Place("Asia/Beirut", 1_521_957_600L), // 2018-03-25
          new Place("America/Havana", 1_520_769_600L), // 2018-03-11
          new Place("America/Sao_Paulo", 1_508_061_600L), // 2017-10-15
          new Place("America/Los_Angeles", 1_604_218_800L), // 2020-11-01
          new Place("Asia/Kolkata", 1_704_047_400L), // 2023-12-31
          // A day goes on after its first minute.
          new Place("America/St_Johns", 1_162_094_400L), // 2006-10-29
          // A day begins twice.
          new Place("America/Havana", 1_541_307_600L)); // 2018-11-04

  /** How far apart points are, in milliseconds. */
  private static final List<Integer> STEPS =
      List.of(1, 97, 1000, 10_000, 60_000, 600_000, 3_600_000, 21_600_000, 604_800_000);

  static final List<String> KINDS =
      List.of(
          "integers",
          "doubles",
          "floats",
          "mixed",
          "counter",
          "double-counter",
          "big-integers",
          "big-doubles",
          "zeros");

  static final List<String> SHAPES =
      List.of(
          "milliseconds", "seconds", "late", "early-end", "gap", "one-point", "many", "aligned");

  /** Declares the kinds that may be drawn. */
  public static void declare(Features features) {
    features.know("values", KINDS);
    features.know("points", SHAPES);
  }

  /** Draws some. */
  public static RandomPoints draw(String metric, Random random, Features features) {
    Place place = PLACES.get(random.nextInt(PLACES.size()));
    int step = STEPS.get(random.nextInt(STEPS.size()));
    int most = step < 604_800_000 && random.nextInt(8) == 0 ? MANY_POINTS : MOST_POINTS;
    boolean aligned = random.nextInt(4) == 0;
    features.countIf(most > MOST_POINTS, "points", "many");
    features.countIf(aligned, "points", "aligned");
    long begin =
        place.seconds() * 1000 - (long) random.nextInt(20) * step - random.nextInt(4_000_000);
    if (step >= 1000) {
      begin -= begin % 1000;
    }
    List<String> kinds = new ArrayList<>(KINDS);
    kinds.addAll(List.of("integers", "integers", "counter", "mixed"));
    Collections.shuffle(kinds, random);
    int kindsHere = 1 + random.nextInt(2);
    List<String> lines = new ArrayList<>();
    Set<Long> times = new TreeSet<>();
    Set<String> known = new HashSet<>();
    int series = 1 + random.nextInt(MOST_SERIES);
    for (int i = 0; i < series; i++) {
      String tags = tags(random);
      if (known.add(tags)) {
        String kind = kinds.get(random.nextInt(kindsHere));
        features.count("values", kind);
        Set<Long> own = times(begin, step, most, aligned, random, features);
        times.addAll(own);
        Values values = new Values(kind, random);
        for (long time : own) {
          lines.add(put(metric, time, values.next(), tags, random));
        }
      }
    }
    Collections.shuffle(lines, random);
    return new RandomPoints(lines, List.copyOf(times), place.zone());
  }

  /** A whole second may be written in milliseconds, too. */
  private static String put(String metric, long time, String value, String tags, Random random) {
    boolean seconds = time % 1000 == 0 && random.nextInt(8) > 0;
    return "put " + metric + " " + (seconds ? time / 1000 : time) + " " + value + tags;
  }

  private static String tags(Random random) {
    StringBuilder tags = new StringBuilder(" host=" + RandomQuery.HOSTS.get(random.nextInt(4)));
    if (random.nextInt(3) > 0) {
      tags.append(" dc=").append(RandomQuery.CENTERS.get(random.nextInt(3)));
    }
    if (random.nextInt(4) == 0) {
      tags.append(" type=").append(random.nextInt(2));
    }
    return tags.toString();
  }

  /**
   * @param aligned whether points are a step apart, so that those of all series share their times
   */
  private static Set<Long> times(
      long begin, int step, int most, boolean aligned, Random random, Features features) {
    int count = 1 + random.nextInt(most);
    Set<Long> times = new TreeSet<>();
    boolean late = random.nextInt(4) == 0;
    boolean ends = random.nextInt(4) == 0;
    long time = late ? begin + (long) step * (10 + random.nextInt(20)) : begin;
    for (int i = 0; i < (ends ? count / 2 + 1 : count); i++) {
      times.add(time);
      boolean gap = random.nextInt(aligned ? 100 : 10) == 0;
      time += (long) step * (aligned ? 1 : 1 + random.nextInt(3)) + (gap ? (long) step * 15 : 0);
      features.countIf(gap, "points", "gap");
    }
    features.count("points", step < 1000 ? "milliseconds" : "seconds");
    features.countIf(late, "points", "late");
    features.countIf(ends, "points", "early-end");
    features.countIf(times.size() == 1, "points", "one-point");
    return times;
  }

  /** The values of a series, one after the other. */
  private static final class Values {
    private final String kind;
    private final Random random;
    private long counter;

    Values(String kind, Random random) {
      this.kind = kind;
      this.random = random;
      this.counter = random.nextInt(70_000);
    }

    String next() {
      return switch (kind) {
        case "integers" -> Integer.toString(random.nextInt(2001) - 1000);
        case "doubles" -> Double.toString(random.nextGaussian() * 1000);
        case "floats" -> Float.toString((random.nextInt(4001) - 2000) / 8f);
        case "mixed" ->
            random.nextInt(5) > 0
                ? Integer.toString(random.nextInt(100))
                : Double.toString(random.nextInt(100) / 10.0);
        case "counter" -> Long.toString(count(1000));
        case "double-counter" -> Double.toString(count(10) + 0.25);
        case "big-integers" -> Long.toString(random.nextLong());
        case "big-doubles" -> Double.toString((random.nextDouble() - 0.3) * Double.MAX_VALUE);
        default -> List.of("0", "0.0", "-0.0", "1").get(random.nextInt(4));
      };
    }

    private long count(int most) {
      counter = random.nextInt(8) == 0 ? random.nextInt(most) : counter + random.nextInt(most);
      return counter;
    }
  }
}
