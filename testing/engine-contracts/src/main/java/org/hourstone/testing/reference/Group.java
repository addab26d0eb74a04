package org.hourstone.testing.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The series that become one result.
 *
 * @param members in the order of their rows; each with what is left of its points when they meet
 * @param function the aggregator's name
 * @param rates whether the points are rates
 * @param mode how it is decided where the contract has a quirk
 * @param seen is notified of the substitutes for missing points
 */
record Group(
    List<Member> members, String function, boolean rates, Mode mode, Consumer<String> seen) {
  /**
   * A series of a group.
   *
   * @param points after downsampling and rates, by time
   * @param firstRate the value before the first point, if rates are held
   */
  record Member(NavigableMap<Long, Number> points, double firstRate) {}

  static void declare(Features features) {
    List<String> done = new ArrayList<>(List.of("rate-held", "first-rate-held"));
    for (Functions.Missing missing : Functions.Missing.values()) {
      done.add("double-" + missing);
      done.add("long-" + missing);
    }
    features.know("missing", done);
  }

  /** The result's values by time. */
  NavigableMap<Long, Number> aggregate() {
    SortedSet<Long> times = new TreeSet<>();
    members.forEach(member -> times.addAll(member.points.keySet()));
    NavigableMap<Long, Number> result = new TreeMap<>();
    for (long time : times) {
      result.put(time, at(time));
    }
    return result;
  }

  private Number at(long time) {
    boolean doubles = rates || members.stream().anyMatch(member -> isDouble(member, time));
    List<Long> longs = new ArrayList<>();
    List<Double> numbers = new ArrayList<>();
    for (Member member : members) {
      if (!contributes(member, time)) {
        continue;
      }
      if (doubles) {
        numbers.add(doubleAt(member, time));
      } else {
        longs.add(longAt(member.points, time));
      }
    }
    return doubles
        ? (Number) Functions.ofDoubles(function, numbers)
        : mode.ofLongs(function, longs);
  }

  private boolean contributes(Member member, long time) {
    if (member.points.isEmpty() || time > member.points.lastKey()) {
      return false;
    }
    return time >= member.points.firstKey() || holdsFirst(member);
  }

  /** Whether a series gives something before its first rate. */
  private boolean holdsFirst(Member member) {
    return rates && mode.heldFirstRate() && !member.points.isEmpty();
  }

  /** Whether a double of this series makes the result a double. */
  private boolean isDouble(Member member, long time) {
    NavigableMap<Long, Number> points = member.points;
    if (points.isEmpty() || time > points.lastKey()) {
      return false;
    }
    Map.Entry<Long, Number> current = points.floorEntry(time);
    Map.Entry<Long, Number> next = points.higherEntry(time);
    if (mode.earlyDoubles()) {
      return isDouble(current) || isDouble(next);
    }
    if (current == null) {
      return false;
    }
    return current.getKey() == time ? isDouble(current) : isDouble(current) || isDouble(next);
  }

  private static boolean isDouble(Map.Entry<Long, Number> point) {
    return point != null && point.getValue() instanceof Double;
  }

  private double doubleAt(Member member, long time) {
    NavigableMap<Long, Number> points = member.points;
    Map.Entry<Long, Number> before = points.floorEntry(time);
    if (before == null) {
      seen.accept("first-rate-held");
      return member.firstRate;
    }
    double y0 = before.getValue().doubleValue();
    if (before.getKey() == time) {
      return y0;
    }
    if (rates) {
      seen.accept("rate-held");
      return y0;
    }
    seen.accept("double-" + Functions.missing(function));
    Map.Entry<Long, Number> after = points.higherEntry(time);
    return switch (Functions.missing(function)) {
      case ZERO -> 0.0;
      case LARGEST -> Double.MAX_VALUE;
      case SMALLEST -> mode.positiveMimmax() ? Double.MIN_VALUE : -Double.MAX_VALUE;
      case PREVIOUS -> y0;
      case ON_THE_LINE -> {
        double y1 = after.getValue().doubleValue();
        long x0 = before.getKey();
        yield y0 + (time - x0) * (y1 - y0) / (after.getKey() - x0);
      }
    };
  }

  private long longAt(NavigableMap<Long, Number> points, long time) {
    Map.Entry<Long, Number> before = points.floorEntry(time);
    long y0 = before.getValue().longValue();
    if (before.getKey() == time) {
      return y0;
    }
    seen.accept("long-" + Functions.missing(function));
    Map.Entry<Long, Number> after = points.higherEntry(time);
    return switch (Functions.missing(function)) {
      case ZERO -> 0;
      case LARGEST -> Long.MAX_VALUE;
      case SMALLEST -> Long.MIN_VALUE;
      case PREVIOUS -> y0;
      case ON_THE_LINE -> {
        long x0 = before.getKey();
        long y1 = after.getValue().longValue();
        yield mode.wrappedIntegers()
            ? y0 + (time - x0) * (y1 - y0) / (after.getKey() - x0)
            : Exact.between(time, x0, y0, after.getKey(), y1);
      }
    };
  }
}
