package org.hourstone.query.plan;

import org.hourstone.codec.Timestamps;
import org.hourstone.query.rows.MetricRows;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.rollup.RowSpan;

/**
 * Chooses by estimated cost between reading the rows of known series by their keys and scanning the
 * rows of all series of their metric. The unit of cost is a row that a scan skips. Thread-safe.
 */
final class PathChoice {
  /** Approximately how many rows a scan skips in the time that one is read by its key. */
  private static final int ROWS_PER_PICK = 8;

  /** Up to this number, rows are read by their keys without counting what a scan would read. */
  private static final long FEW_PICKS = 10_000;

  /** In how many places of a range rows are counted: some may have none. */
  private static final int SAMPLES = 3;

  /** The number of a metric's series is not known. */
  static final long UNKNOWN = -1;

  private PathChoice() {}

  /**
   * Whether rows are to be read by their keys.
   *
   * @param picks the number of keys that the rows of an hour may have
   * @param ofMetric the number of series of the metric, or {@link #UNKNOWN}
   */
  static boolean picks(MetricRows rows, RowSpan span, ScanRange range, long picks, long ofMetric) {
    long cost = picks * ROWS_PER_PICK;
    if (ofMetric != UNKNOWN && cost > ofMetric) {
      return false;
    }
    long spans = (range.stopSeconds() - range.startSeconds()) / span.maxSeconds();
    if (picks * spans <= FEW_PICKS || (ofMetric != UNKNOWN && spans <= 2 * SAMPLES)) {
      return true;
    }
    // Of all series a metric ever had, few may have rows at the same time.
    long first = rows.firstHour(range);
    long stop = stop(rows, new ScanRange(first, range.stopSeconds()));
    for (int sample = 0; sample < SAMPLES && first < range.stopSeconds(); sample++) {
      long from = span.baseTime(first + (stop - first) / SAMPLES * sample);
      long hour = rows.firstHour(new ScanRange(from, range.stopSeconds()));
      if (rows.count(new ScanRange(hour, span.next(hour)), cost) >= cost) {
        return true;
      }
    }
    return false;
  }

  /** About where the rows of a range end: the half before it has some. */
  private static long stop(MetricRows rows, ScanRange range) {
    long stop = range.stopSeconds();
    while (stop - range.startSeconds() > Timestamps.ROW_SECONDS) {
      long middle = (range.startSeconds() + stop) / 2;
      if (rows.firstHour(new ScanRange(middle, stop)) < stop) {
        break;
      }
      stop = middle;
    }
    return stop;
  }
}
