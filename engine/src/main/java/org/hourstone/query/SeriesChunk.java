package org.hourstone.query;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.PointColumn;
import org.jspecify.annotations.Nullable;

/** What the rows of a slice, or one row, hold of one series. For one thread. */
final class SeriesChunk {
  /** Its points, or what is left of them after downsampling. */
  final PointColumn points;

  /** In place of points, if those are asked for. */
  final HistogramSums histograms;

  /** What the points go through before they are kept, or null. */
  final @Nullable ColumnStep step;

  /** The notes in its rows, as they are stored. */
  final List<byte[]> notes = new ArrayList<>(0);

  /** The salt bucket its rows are in. */
  final byte[] salt;

  /**
   * @param memory is told of the memory the points take
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
