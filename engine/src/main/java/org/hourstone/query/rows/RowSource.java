package org.hourstone.query.rows;

import java.util.function.Function;
import java.util.function.Supplier;
import org.hourstone.kv.Family;
import org.hourstone.query.CorruptionPolicy;
import org.hourstone.query.Query;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RowSpan;
import org.hourstone.series.AverageStep;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.Downsample;
import org.hourstone.series.DownsampleStep;
import org.hourstone.series.MemoryLease;

/**
 * A source of rows, and how they are decoded.
 *
 * @param name for messages, such as "points" and "rollup 1h"
 * @param family the table's
 * @param span the length of a row
 * @param decoding creates a decoder for one thread, which reports corruption
 * @param intervalSeconds the interval of rolled-up values; 0 for points
 * @param isPoints whether these are rows of the data table
 * @param averages whether values are pairs of a sum and a count, from which averages are computed
 */
public record RowSource(
    String name,
    Family family,
    RowSpan span,
    Function<CorruptionPolicy, RowValues> decoding,
    long intervalSeconds,
    boolean isPoints,
    boolean averages) {

  /** Rows of the data table. */
  public static RowSource ofDataTable(
      String name, Family family, Function<CorruptionPolicy, RowValues> decoding) {
    return new RowSource(name, family, RowSpan.OF_POINTS, decoding, 0, true, false);
  }

  /** Rows of pre-aggregates that are not rolled up. */
  public static RowSource ofPreAggregates(
      String name, Family family, Function<CorruptionPolicy, RowValues> decoding) {
    return new RowSource(name, family, RowSpan.OF_POINTS, decoding, 0, false, false);
  }

  /**
   * Rows of rolled-up values.
   *
   * @param averages as above
   */
  public static RowSource ofRollups(
      String name,
      Family family,
      RollupInterval interval,
      boolean averages,
      Function<CorruptionPolicy, RowValues> decoding) {
    return new RowSource(
        name, family, interval.rowSpan(), decoding, interval.seconds(), false, averages);
  }

  /**
   * The step that downsamples the values of a series.
   *
   * @param downsample the query's
   * @param scanMillis where reading starts
   * @param memory of the points that the step keeps
   */
  public ColumnStep downsampling(
      Query query, Downsample downsample, long scanMillis, MemoryLease memory) {
    Supplier<ColumnStep> step =
        () ->
            new DownsampleStep(
                downsample, query.startMillis(), query.endMillis(), scanMillis, memory);
    return averages ? new AverageStep(step.get(), step.get(), memory) : step.get();
  }
}
