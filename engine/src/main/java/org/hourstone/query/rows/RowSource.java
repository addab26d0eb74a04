package org.hourstone.query.rows;

import java.util.function.Function;
import org.hourstone.kv.Family;
import org.hourstone.query.CorruptionPolicy;
import org.hourstone.query.Query;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RowSpan;
import org.hourstone.series.Aggregator;
import org.hourstone.series.AverageStep;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.Downsample;
import org.hourstone.series.DownsampleStep;
import org.hourstone.series.MemoryLease;
import org.hourstone.series.PairStep;

/**
 * A source of rows, and how they are decoded.
 *
 * @param name for messages, such as "points" and "rollup 1h"
 * @param family the table's
 * @param span the length of a row
 * @param decoding creates a decoder for one thread, which reports corruption
 * @param intervalSeconds the interval of rolled-up values; 0 for points
 * @param isPoints whether these are rows of the data table
 * @param pairs what values are
 */
public record RowSource(
    String name,
    Family family,
    RowSpan span,
    Function<CorruptionPolicy, RowValues> decoding,
    long intervalSeconds,
    boolean isPoints,
    Pairs pairs) {

  /** Whether values are single, or pairs of a sum and a count. */
  public enum Pairs {
    NONE,
    /** They are pairs, from which averages are computed. */
    READ,
    /** They are single, and pairs are computed from them. */
    MADE
  }

  /** Rows of the data table. */
  public static RowSource ofDataTable(
      String name, Family family, Function<CorruptionPolicy, RowValues> decoding) {
    return new RowSource(name, family, RowSpan.OF_POINTS, decoding, 0, true, Pairs.NONE);
  }

  /** Rows of pre-aggregates that are not rolled up. */
  public static RowSource ofPreAggregates(
      String name, Family family, Function<CorruptionPolicy, RowValues> decoding) {
    return new RowSource(name, family, RowSpan.OF_POINTS, decoding, 0, false, Pairs.NONE);
  }

  /**
   * Rows of rolled-up values.
   *
   * @param averages whether values are pairs, from which averages are computed
   */
  public static RowSource ofRollups(
      String name,
      Family family,
      RollupInterval interval,
      boolean averages,
      Function<CorruptionPolicy, RowValues> decoding) {
    return new RowSource(
        name,
        family,
        interval.rowSpan(),
        decoding,
        interval.seconds(),
        false,
        averages ? Pairs.READ : Pairs.NONE);
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
    Function<Downsample, ColumnStep> step =
        by -> new DownsampleStep(by, query.startMillis(), query.endMillis(), scanMillis, memory);
    return switch (pairs) {
      case NONE -> step.apply(downsample);
      case READ -> new AverageStep(step.apply(downsample), step.apply(downsample), memory);
      case MADE ->
          new PairStep(
              step.apply(downsample.withAggregator(Aggregator.SUM)),
              step.apply(downsample.withAggregator(Aggregator.COUNT)),
              memory);
    };
  }

  /** The same rows, whose values are downsampled to pairs. */
  public RowSource makingPairs() {
    return new RowSource(name, family, span, decoding, intervalSeconds, isPoints, Pairs.MADE);
  }
}
