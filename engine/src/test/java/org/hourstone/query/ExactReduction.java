package org.hourstone.query;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.hourstone.series.Aggregator;

/** What aggregators return for integers, by arithmetic without limits. */
final class ExactReduction {
  private static final BigInteger LARGEST_DOUBLE = BigInteger.ONE.shiftLeft(53);

  private ExactReduction() {}

  /** The result, truncated towards zero. */
  static BigInteger of(Aggregator aggregator, List<BigInteger> values) {
    BigInteger count = BigInteger.valueOf(values.size());
    BigInteger last = values.get(values.size() - 1);
    return switch (aggregator) {
      case SUM, ZIMSUM, PFSUM -> sum(values);
      case SQUARE_SUM -> sum(values.stream().map(each -> each.pow(2)).toList());
      case MIN, MIMMIN -> values.stream().reduce(BigInteger::min).orElseThrow();
      case MAX, MIMMAX -> values.stream().reduce(BigInteger::max).orElseThrow();
      case AVG -> sum(values).divide(count);
      case MEDIAN -> values.stream().sorted().toList().get(values.size() / 2);
      case DEV ->
          count
              .multiply(sum(values.stream().map(each -> each.pow(2)).toList()))
              .subtract(sum(values).pow(2))
              .sqrt()
              .divide(count);
      case DIFF -> last.subtract(values.get(0));
      case MULT -> values.stream().reduce(BigInteger.ONE, BigInteger::multiply);
      case COUNT -> count;
      case FIRST, NONE -> values.get(0);
      case LAST -> last;
      default -> percentile(aggregator.requestName(), values.stream().sorted().toList());
    };
  }

  private static BigInteger sum(List<BigInteger> values) {
    return values.stream().reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static BigInteger percentile(String name, List<BigInteger> ascending) {
    int count = ascending.size();
    String digits = name.replaceFirst("e?p(\\d+)(r\\d)?", "$1");
    double share = (digits.equals("999") ? 99.9 : Double.parseDouble(digits)) / 100;
    double place =
        name.endsWith("r3")
            ? Math.rint(count * share)
            : name.endsWith("r7") ? 1 + (count - 1) * share : share * (count + 1);
    int below = (int) Math.max(1, Math.min(place, count));
    BigInteger lower = ascending.get(below - 1);
    BigInteger upper = ascending.get(Math.min(below, count - 1));
    BigDecimal more = new BigDecimal(Math.max(0, place - below));
    return place >= count
        ? ascending.get(count - 1)
        : new BigDecimal(lower)
            .add(more.multiply(new BigDecimal(upper.subtract(lower))))
            .toBigInteger();
  }

  /**
   * How far a result may be from it: the deviation and percentiles of integers that are doubles,
   * too, are computed in doubles.
   */
  static BigInteger tolerance(Aggregator aggregator, List<BigInteger> values) {
    boolean inDoubles =
        aggregator == Aggregator.DEV || aggregator.requestName().matches("e?p\\d+(r\\d)?");
    BigInteger most = values.stream().map(BigInteger::abs).reduce(BigInteger::max).orElseThrow();
    return inDoubles && most.compareTo(LARGEST_DOUBLE) <= 0
        ? BigInteger.ONE.add(most.shiftRight(48))
        : BigInteger.ZERO;
  }
}
