package org.hourstone.series;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hourstone.error.RequestException;
import org.hourstone.series.Percentile.Estimation;

/**
 * Combines the values of one timestamp, or of one downsampling bucket. Each aggregator has two
 * forms: one over integers, if all values are integers, and one over doubles. See {@code
 * docs/query.md#aggregators}.
 */
@SuppressWarnings(
    "ImmutableEnumChecker") // the functions are stateless, and each use gets its own accumulator
public enum Aggregator {
  SUM("sum", Interpolation.LINEAR, LongFold::sum, ExactFold::sum, Accumulator.Sum::new),
  /** The sum of the series that have a point. */
  ZIMSUM("zimsum", Interpolation.ZERO, LongFold::sum, ExactFold::sum, Accumulator.Sum::new),
  /** The sum of the series' last points. */
  PFSUM("pfsum", Interpolation.PREVIOUS, LongFold::sum, ExactFold::sum, Accumulator.Sum::new),
  SQUARE_SUM(
      "squareSum",
      Interpolation.ZERO,
      LongFold::sumOfSquares,
      ExactFold::sumOfSquares,
      Accumulator.SumOfSquares::new),
  MIN("min", Interpolation.LINEAR, LongFold::min, Accumulator.Min::new),
  /** The minimum of the series that have a point. */
  MIMMIN("mimmin", Interpolation.MAX, LongFold::min, Accumulator.Min::new),
  MAX("max", Interpolation.LINEAR, LongFold::max, Accumulator.Max::new),
  /** The maximum of the series that have a point. */
  MIMMAX("mimmax", Interpolation.MIN, LongFold::max, Accumulator.Max::new),
  /** Over integers the division truncates. */
  AVG("avg", Interpolation.LINEAR, LongFold::average, ExactFold::average, Accumulator.Average::new),
  /** The middle value; of two middle values, the upper one. */
  MEDIAN("median", LongFold::median, ExactFold.of(LongFold::median), Quantile.MEDIAN),
  DEV(
      "dev",
      Interpolation.LINEAR,
      LongFold::deviation,
      ExactFold::deviation,
      Accumulator.Deviation::new),
  DIFF(
      "diff",
      Interpolation.LINEAR,
      LongFold::difference,
      ExactFold::difference,
      Accumulator.Difference::new),
  MULT(
      "mult",
      Interpolation.LINEAR,
      LongFold::product,
      ExactFold::product,
      Accumulator.Product::new),
  /**
   * The number of series that have a value, including interpolated ones; or the number of points in
   * a bucket.
   */
  COUNT("count", Interpolation.ZERO, LongFold::count, Accumulator.Count::new),
  /** The value of the first series, or of the earliest point. */
  FIRST("first", Interpolation.ZERO, LongFold::first, Accumulator.First::new),
  /** The value of the last series, or of the latest point. */
  LAST("last", Interpolation.ZERO, LongFold::last, Accumulator.Last::new),
  /** Does not combine series. Not for downsampling. */
  NONE("none", Interpolation.ZERO, LongFold::single, Accumulator.Single::new),

  P50("p50", Estimation.LEGACY, 50),
  P75("p75", Estimation.LEGACY, 75),
  P90("p90", Estimation.LEGACY, 90),
  P95("p95", Estimation.LEGACY, 95),
  P99("p99", Estimation.LEGACY, 99),
  P999("p999", Estimation.LEGACY, 99.9),
  EP50R3("ep50r3", Estimation.R3, 50),
  EP75R3("ep75r3", Estimation.R3, 75),
  EP90R3("ep90r3", Estimation.R3, 90),
  EP95R3("ep95r3", Estimation.R3, 95),
  EP99R3("ep99r3", Estimation.R3, 99),
  EP999R3("ep999r3", Estimation.R3, 99.9),
  EP50R7("ep50r7", Estimation.R7, 50),
  EP75R7("ep75r7", Estimation.R7, 75),
  EP90R7("ep90r7", Estimation.R7, 90),
  EP95R7("ep95r7", Estimation.R7, 95),
  EP99R7("ep99r7", Estimation.R7, 99),
  EP999R7("ep999r7", Estimation.R7, 99.9);

  /** A hash map, because its order is the one in which OpenTSDB lists the aggregators. */
  private static final Map<String, Aggregator> BY_NAME = new HashMap<>();

  static {
    Arrays.stream(values()).forEach(aggregator -> BY_NAME.put(aggregator.requestName, aggregator));
  }

  private final String requestName;
  private final Interpolation interpolation;
  private final LongFold overLongs;
  private final ExactFold exact;
  private final Function<MemoryLease, Accumulator> overDoubles;

  Aggregator(
      String requestName,
      Interpolation interpolation,
      LongFold overLongs,
      Supplier<Accumulator> overDoubles) {
    this(requestName, interpolation, overLongs, ExactFold.of(overLongs), overDoubles);
  }

  Aggregator(
      String requestName,
      Interpolation interpolation,
      LongFold overLongs,
      ExactFold exact,
      Supplier<Accumulator> overDoubles) {
    this.requestName = requestName;
    this.interpolation = interpolation;
    this.overLongs = overLongs;
    this.exact = exact;
    this.overDoubles = memory -> overDoubles.get();
  }

  Aggregator(String requestName, LongFold overLongs, ExactFold exact, Quantile overDoubles) {
    this.requestName = requestName;
    this.interpolation = Interpolation.LINEAR;
    this.overLongs = overLongs;
    this.exact = exact;
    this.overDoubles = memory -> new SortedValues(overDoubles, memory);
  }

  /** The estimation applies to integers only: for doubles it is always the same, as in OpenTSDB. */
  Aggregator(String requestName, Estimation estimation, double percent) {
    this(
        requestName,
        LongFold.percentile(new Percentile(estimation, percent)),
        ExactFold.percentile(new Percentile(estimation, percent)),
        new Percentile(Estimation.LEGACY, percent));
  }

  /** The name used in requests, such as {@code sum}. */
  public String requestName() {
    return requestName;
  }

  /** The name that OpenTSDB prints; two aggregators have another name there than in requests. */
  @Override
  public String toString() {
    return switch (this) {
      case MULT -> "multiply";
      case NONE -> "raw";
      default -> requestName;
    };
  }

  public Interpolation interpolation() {
    return interpolation;
  }

  /**
   * Adds the result for integers, at least one, as a point: an integer if it fits in 64 bits, else
   * a double.
   */
  public void combine(long[] values, long millis, PointColumn out) {
    exact.add(values.clone(), values.length, millis, out);
  }

  /** The result for doubles in their order, at least one. */
  public double combined(double[] values) {
    Accumulator accumulator = overDoubles(MemoryLease.untracked());
    accumulator.add(values, 0, values.length);
    return accumulator.take();
  }

  /**
   * Whether the result at a timestamp depends on series that have points before and after it, but
   * not at it. Of the others an absent point changes no result.
   */
  public boolean usesNeighbours() {
    return switch (this) {
      case ZIMSUM, SQUARE_SUM, MIMMIN, MIMMAX, NONE -> false;
      default -> true;
    };
  }

  /** The reduction of integers whose results wrap around. */
  LongFold overLongs() {
    return overLongs;
  }

  /** Their reduction to an integer or, if it does not fit, to a double. */
  ExactFold exact() {
    return exact;
  }

  /**
   * A new accumulator of doubles.
   *
   * @param memory for the values that it buffers, if any
   */
  Accumulator overDoubles(MemoryLease memory) {
    return overDoubles.apply(memory);
  }

  /**
   * Whether the result for a single integer is that integer, and for a single double {@link
   * #ofSingle}.
   */
  boolean passesOnSingleValues() {
    return switch (this) {
      case SUM, ZIMSUM, PFSUM, MIN, MIMMIN, MAX, MIMMAX, AVG, MULT, FIRST, LAST, NONE -> true;
      default -> false;
    };
  }

  /**
   * The result for a single double, if {@link #passesOnSingleValues}; equal to the accumulator's
   * result.
   */
  double ofSingle(double value) {
    return switch (this) {
      case SUM, ZIMSUM, PFSUM, AVG -> value + 0.0; // not -0.0
      case MIN, MIMMIN -> value < Double.POSITIVE_INFINITY ? value : Double.NaN;
      case MAX, MIMMAX -> value > Double.NEGATIVE_INFINITY ? value : Double.NaN;
      default -> value;
    };
  }

  /** Whether NaN values are skipped, so that they change no result. */
  boolean skipsNaN() {
    return switch (this) {
      case DIFF, MULT, FIRST, LAST, NONE -> false;
      default -> true;
    };
  }

  /**
   * The aggregator with this name.
   *
   * @throws RequestException if the name is unknown
   */
  public static Aggregator parse(String name) {
    Aggregator aggregator = BY_NAME.get(name);
    if (aggregator == null) {
      throw new RequestException("No such aggregation function: " + name);
    }
    return aggregator;
  }

  /** The request names of all aggregators, in OpenTSDB's order. */
  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }
}
