package org.hourstone.testing.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The results of aggregators for the values of one timestamp or bucket. Each has a long branch and
 * a double branch; the rules for values that are not a number are those of the double branch.
 */
final class Functions {
  /** The value for a point that a series lacks between two that it has. */
  enum Missing {
    ON_THE_LINE,
    ZERO,
    LARGEST,
    SMALLEST,
    PREVIOUS
  }

  static final List<String> NAMES =
      List.of(
          "sum",
          "zimsum",
          "pfsum",
          "squareSum",
          "min",
          "mimmin",
          "max",
          "mimmax",
          "avg",
          "median",
          "dev",
          "diff",
          "mult",
          "count",
          "first",
          "last",
          "p50",
          "p75",
          "p90",
          "p95",
          "p99",
          "p999",
          "ep50r3",
          "ep75r3",
          "ep90r3",
          "ep95r3",
          "ep99r3",
          "ep999r3",
          "ep50r7",
          "ep75r7",
          "ep90r7",
          "ep95r7",
          "ep99r7",
          "ep999r7");

  private static final Pattern PERCENTILE = Pattern.compile("e?p(\\d\\d)(\\d?)(r[37])?");

  private static final double NONE_SMALLER = Double.POSITIVE_INFINITY;
  private static final double NONE_LARGER = Double.NEGATIVE_INFINITY;

  private Functions() {}

  static Missing missing(String name) {
    return switch (name) {
      case "zimsum", "squareSum", "count", "first", "last" -> Missing.ZERO;
      case "pfsum" -> Missing.PREVIOUS;
      case "mimmin" -> Missing.LARGEST;
      case "mimmax" -> Missing.SMALLEST;
      default -> Missing.ON_THE_LINE;
    };
  }

  /** Of integers, at least one; they wrap around. */
  static long ofLongs(String name, List<Long> values) {
    long first = values.get(0);
    long last = values.get(values.size() - 1);
    return switch (name) {
      case "sum", "zimsum", "pfsum" -> folded(values, 0, Long::sum);
      case "squareSum" -> folded(values, 0, (sum, value) -> sum + value * value);
      case "min", "mimmin" -> folded(values, first, Math::min);
      case "max", "mimmax" -> folded(values, first, Math::max);
      case "avg" -> folded(values, 0, Long::sum) / values.size();
      case "median" -> values.stream().sorted().toList().get(values.size() / 2);
      case "dev" -> (long) deviation(doubles(values));
      case "diff" -> values.size() == 1 ? 0 : last - first;
      case "mult" -> folded(values, 1, (product, value) -> product * value);
      case "count" -> values.size();
      case "first" -> first;
      case "last", "none" -> last;
      default -> (long) percentile(name, doubles(values), true);
    };
  }

  private static long folded(List<Long> values, long start, LongBinaryOperator step) {
    long result = start;
    for (long value : values) {
      result = step.applyAsLong(result, value);
    }
    return result;
  }

  private static List<Double> doubles(List<Long> values) {
    List<Double> doubles = new ArrayList<>();
    for (long value : values) {
      doubles.add((double) value);
    }
    return doubles;
  }

  /** Of doubles, at least one. */
  static double ofDoubles(String name, List<Double> values) {
    double last = values.get(values.size() - 1);
    List<Double> numbers = values.stream().filter(value -> !value.isNaN()).toList();
    return switch (name) {
      case "mult" -> folded(values, 1.0, (product, value) -> product * value);
      case "count" -> numbers.size();
      case "first" -> values.get(0);
      case "last", "none" -> last;
      default -> numbers.isEmpty() ? Double.NaN : ofNumbers(name, numbers, last);
    };
  }

  /** For the aggregators that skip values that are not a number. */
  private static double ofNumbers(String name, List<Double> numbers, double last) {
    return switch (name) {
      case "sum", "zimsum", "pfsum" -> folded(numbers, 0.0, Double::sum);
      case "avg" -> folded(numbers, 0.0, Double::sum) / numbers.size();
      case "squareSum" -> folded(numbers, 0.0, (sum, number) -> sum + number * number);
      case "min", "mimmin" ->
          orNone(folded(numbers, NONE_SMALLER, (min, x) -> x < min ? x : min), NONE_SMALLER);
      case "max", "mimmax" ->
          orNone(folded(numbers, NONE_LARGER, (max, x) -> x > max ? x : max), NONE_LARGER);
      case "median" -> numbers.stream().sorted().toList().get(numbers.size() / 2);
      case "dev" -> deviation(numbers);
      case "diff" ->
          Double.isNaN(last) ? Double.NaN : numbers.size() == 1 ? 0.0 : last - numbers.get(0);
      default -> percentile(name, numbers, false);
    };
  }

  private static double folded(List<Double> numbers, double start, DoubleBinaryOperator step) {
    double result = start;
    for (double number : numbers) {
      result = step.applyAsDouble(result, number);
    }
    return result;
  }

  /** A result that is where the search began is taken for none. */
  private static double orNone(double found, double start) {
    return found == start ? Double.NaN : found;
  }

  /** Of the population, by Welford's method. */
  private static double deviation(List<Double> numbers) {
    double mean = 0.0;
    double squares = 0.0;
    int n = 0;
    for (double number : numbers) {
      n++;
      double delta = number - mean;
      mean = n == 1 ? number : mean + delta / n;
      squares += n == 1 ? 0.0 : delta * (number - mean);
    }
    return n == 1 ? 0.0 : Math.sqrt(squares / n);
  }

  /** The place of a percentile among sorted values, counted from 1. */
  static double position(String name, int n, boolean estimated) {
    Matcher parts = PERCENTILE.matcher(name);
    if (!parts.matches()) {
      throw new IllegalArgumentException("no such aggregator: " + name);
    }
    double p = Double.parseDouble(parts.group(1) + "." + (parts.group(2) + "0"));
    String type = estimated && parts.group(3) != null ? parts.group(3) : "";
    return switch (type.toLowerCase(Locale.ROOT)) {
      case "r3" -> p / 100 <= 0.5 / n ? 0 : Math.rint(n * (p / 100));
      case "r7" -> 1 + (n - 1) * (p / 100);
      default -> (n + 1) * (p / 100);
    };
  }

  private static double percentile(String name, List<Double> numbers, boolean estimated) {
    List<Double> sorted = numbers.stream().sorted().toList();
    int n = sorted.size();
    double position = position(name, n, estimated);
    if (n == 1 || position < 1) {
      return sorted.get(0);
    }
    if (position >= n) {
      return sorted.get(n - 1);
    }
    double lower = sorted.get((int) position - 1);
    double upper = sorted.get((int) position);
    return lower + (position - (int) position) * (upper - lower);
  }
}
