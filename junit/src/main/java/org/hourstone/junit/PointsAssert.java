package org.hourstone.junit;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.hourstone.query.ResultSeries;
import org.opentest4j.AssertionFailedError;

/**
 * Compares the points of a series. All methods that compare throw {@link AssertionError} on a
 * difference; its message shows expected and actual points side by side.
 */
public final class PointsAssert {
  private final String title;
  private final ResultAssert result;
  private final ResultSeries series;
  private final BigDecimal tolerance;

  PointsAssert(String title, ResultAssert result, ResultSeries series) {
    this(title, result, series, BigDecimal.ZERO);
  }

  private PointsAssert(
      String title, ResultAssert result, ResultSeries series, BigDecimal tolerance) {
    this.title = title;
    this.result = result;
    this.series = series;
    this.tolerance = tolerance;
  }

  /** From here on, values are equal if they differ by at most this. */
  public PointsAssert within(double difference) {
    return new PointsAssert(title, result, series, BigDecimal.valueOf(difference));
  }

  /** The series has these points and no others. */
  @CanIgnoreReturnValue
  public PointsAssert withPoints(ExpectedPoint... points) {
    SortedMap<Instant, Number> all = new TreeMap<>();
    for (ExpectedPoint point : points) {
      if (all.put(point.time(), point.value()) != null) {
        throw new IllegalArgumentException("two points are expected at " + point.time());
      }
    }
    return withPoints(all);
  }

  /** The series has these points and no others. */
  @CanIgnoreReturnValue
  public PointsAssert withPoints(Map<Instant, ? extends Number> points) {
    SortedMap<Instant, ComparedValue> expected = new TreeMap<>();
    points.forEach((time, value) -> expected.put(time, ComparedValue.of(value)));
    compare(expected);
    return this;
  }

  /** The series has these values, in the order of time, and no others; at any times. */
  @CanIgnoreReturnValue
  public PointsAssert withValues(Number... values) {
    List<ComparedValue> expected = Stream.of(values).map(ComparedValue::of).toList();
    SideBySide table = new SideBySide();
    for (int i = 0; i < Math.max(expected.size(), series.size()); i++) {
      table.add(
          i < series.size() ? time(i).toString() : "",
          i < expected.size() ? expected.get(i) : null,
          i < series.size() ? ComparedValue.of(series, i) : null,
          tolerance);
    }
    refuse(table);
    return this;
  }

  /** The series has this number of points. */
  @CanIgnoreReturnValue
  public PointsAssert withPointCount(int number) {
    if (series.size() != number) {
      throw new AssertionFailedError(
          title + ": expected " + number + " points, and there are " + series.size(),
          number,
          series.size());
    }
    return this;
  }

  /** The other series of the result. */
  public ResultAssert and() {
    return result;
  }

  private void compare(SortedMap<Instant, ComparedValue> expected) {
    SortedMap<Instant, ComparedValue> actual = new TreeMap<>();
    for (int i = 0; i < series.size(); i++) {
      actual.put(time(i), ComparedValue.of(series, i));
    }
    List<Instant> times = new ArrayList<>(expected.keySet());
    times.addAll(actual.keySet());
    SideBySide table = new SideBySide();
    times.stream()
        .sorted()
        .distinct()
        .forEach(
            time -> table.add(time.toString(), expected.get(time), actual.get(time), tolerance));
    refuse(table);
  }

  private Instant time(int i) {
    return Instant.ofEpochMilli(series.millis(i));
  }

  private void refuse(SideBySide table) {
    if (table.differences() > 0) {
      throw new AssertionFailedError(
          title
              + ": "
              + table.differences()
              + (table.differences() == 1 ? " point differs" : " points differ")
              + (tolerance.signum() == 0 ? "" : " by more than " + tolerance.doubleValue())
              + table.text(),
          table.expected(),
          table.actual());
    }
  }
}
