package org.hourstone.query;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the rows of a slice, or one row, hold of one series. For one thread. */
final class SeriesChunk {
  /** Its points, or what is left of them after downsampling. */
  final PointColumn points = new PointColumn();

  /** In place of points, if those are asked for. */
  final HistogramSums histograms = new HistogramSums();

  /** What the points go through before they are kept, or null. */
  final @Nullable ColumnStep step;

  /** The notes in its rows, as they are stored. */
  final List<byte[]> notes = new ArrayList<>(0);

  /** The salt bucket its rows are in. */
  final byte[] salt;

  SeriesChunk(@Nullable ColumnStep step, byte[] salt) {
    this.step = step;
    this.salt = salt;
  }

  long bytes() {
    return points.bytes() + histograms.bytes() + (step == null ? 0 : step.bytes());
  }
}
