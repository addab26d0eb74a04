package org.hourstone.testing.reference;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Arithmetic on integers without limits; what does not fit in a long becomes the next double. */
final class Exact {
  private static final long MOST_EXACT = 1L << 53;

  private Exact() {}

  /** Of integers, at least one. */
  static Number ofLongs(String name, List<Long> values) {
    List<BigInteger> all = values.stream().map(BigInteger::valueOf).toList();
    return switch (name) {
      case "sum", "zimsum", "pfsum" -> number(sum(all));
      case "squareSum" -> number(squares(all));
      case "avg" -> number(sum(all).divide(BigInteger.valueOf(all.size())));
      case "diff" -> number(all.get(all.size() - 1).subtract(all.get(0)));
      case "mult" -> number(all.stream().reduce(BigInteger.ONE, BigInteger::multiply));
      case "min", "mimmin", "max", "mimmax", "median", "count", "first", "last", "none" ->
          Functions.ofLongs(name, values);
      default -> areDoubles(values) ? Functions.ofLongs(name, values) : ofLarge(name, all);
    };
  }

  private static BigInteger sum(List<BigInteger> all) {
    return all.stream().reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static BigInteger squares(List<BigInteger> all) {
    return sum(all.stream().map(each -> each.multiply(each)).toList());
  }

  private static boolean areDoubles(List<Long> values) {
    return values.stream().allMatch(value -> value >= -MOST_EXACT && value <= MOST_EXACT);
  }

  /** The deviation, or a percentile. */
  private static Number ofLarge(String name, List<BigInteger> all) {
    int count = all.size();
    if (name.equals("dev")) {
      BigInteger n = BigInteger.valueOf(count);
      return number(n.multiply(squares(all)).subtract(sum(all).pow(2)).sqrt().divide(n));
    }
    List<BigInteger> sorted = all.stream().sorted().toList();
    double position = Functions.position(name, count, true);
    if (position < 1 || position >= count) {
      return number(sorted.get(position < 1 ? 0 : count - 1));
    }
    BigDecimal lower = new BigDecimal(sorted.get((int) position - 1));
    BigDecimal upper = new BigDecimal(sorted.get((int) position));
    BigDecimal share = new BigDecimal(position - (int) position);
    return number(lower.add(share.multiply(upper.subtract(lower))).toBigInteger());
  }

  /** On the line between two points. */
  static long between(long x, long x0, long y0, long x1, long y1) {
    return BigInteger.valueOf(x - x0)
        .multiply(BigInteger.valueOf(y1).subtract(BigInteger.valueOf(y0)))
        .divide(BigInteger.valueOf(x1 - x0))
        .add(BigInteger.valueOf(y0))
        .longValueExact();
  }

  /** The change from an integer to another one, plus what a counter has at most if it began. */
  static double change(long from, long to, long more) {
    return BigInteger.valueOf(to)
        .subtract(BigInteger.valueOf(from))
        .add(BigInteger.valueOf(more))
        .doubleValue();
  }

  private static Number number(BigInteger exact) {
    return exact.bitLength() < Long.SIZE
        ? (Number) exact.longValue()
        : (Number) exact.doubleValue();
  }
}
