package org.hourstone.query;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.PointColumn;
import org.jspecify.annotations.Nullable;

/** The data of one series in the rows of a slice, or in one row. For one thread. */
final class SeriesChunk {
  /** Its points, downsampled if a step is set. */
  final PointColumn points;

  /** In place of points, if histograms are requested. */
  final HistogramSums histograms;

  /** The step applied to points before they are kept, or null. */
  final @Nullable ColumnStep step;

  /** The annotations in its rows, in their stored form. */
  final List<byte[]> notes = new ArrayList<>(0);

  /** The salt bucket its rows are in. */
  final byte[] salt;

  /**
   * @param memory accounts for the memory the points take
   */
  SeriesChunk(@Nullable ColumnStep step, byte[] salt, LongConsumer memory) {
    this.points = new PointColumn(memory);
    this.histograms = new HistogramSums(memory);
    this.step = step;
    this.salt = salt;
  }

  long bytes() {
    return points.bytes() + histograms.bytes() + (step == null ? 0 : step.bytes());
  }
}
