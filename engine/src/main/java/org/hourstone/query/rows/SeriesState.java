package org.hourstone.query.rows;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.MemoryLease;
import org.hourstone.series.PointColumn;

/**
 * A series found by a scan, and the steps its points pass before they are combined with those of
 * other series. For one thread.
 */
public final class SeriesState {
  /** Approximate memory of a series without its points. */
  private static final int OWN_BYTES = 512;

  private final byte[] order;
  private final byte[] tsuid;
  private final byte[] salt;
  private final List<ColumnStep> steps;
  private final PointColumn[] between;
  private final PointColumn points;
  private final HistogramSums histograms;
  private final SeriesGroup group;
  private final List<byte[]> annotations = new ArrayList<>(0);
  private final RowPlaces places = new RowPlaces();

  /**
   * @param order the key by which series are sorted
   * @param salt the bucket its rows are in
   * @param steps the points pass
   * @param points receives their output
   * @param histograms receives histograms
   * @param group is combined from this and other series
   * @param memory of the series, and of points between steps
   */
  SeriesState(
      byte[] order,
      byte[] tsuid,
      byte[] salt,
      List<ColumnStep> steps,
      PointColumn points,
      HistogramSums histograms,
      SeriesGroup group,
      MemoryLease memory) {
    memory.grow(OWN_BYTES);
    this.order = order;
    this.tsuid = tsuid;
    this.salt = salt;
    this.steps = steps;
    this.points = points;
    this.histograms = histograms;
    this.group = group;
    this.between = new PointColumn[Math.max(0, steps.size() - 1)];
    for (int i = 0; i < between.length; i++) {
      between[i] = new PointColumn(memory);
    }
  }

  byte[] order() {
    return order;
  }

  public byte[] tsuid() {
    return tsuid;
  }

  public byte[] salt() {
    return salt;
  }

  public SeriesGroup group() {
    return group;
  }

  public List<byte[]> annotations() {
    return annotations;
  }

  /** Where the series has rows. */
  RowPlaces places() {
    return places;
  }

  /** Takes the next points of the series out of a chunk. */
  void accept(SeriesChunk chunk) {
    annotations.addAll(chunk.annotations);
    places.addAll(chunk.places());
    histograms.addAll(chunk.histograms);
    if (steps.isEmpty()) {
      points.moveAll(chunk.points);
    } else {
      accept(0, chunk.points);
    }
  }

  private void accept(int step, PointColumn in) {
    PointColumn out = out(step);
    steps.get(step).accept(in, out);
    passOn(step, out);
  }

  private void passOn(int step, PointColumn out) {
    if (step + 1 < steps.size()) {
      accept(step + 1, out);
      out.clear();
    }
  }

  private PointColumn out(int step) {
    return step + 1 < steps.size() ? between[step] : points;
  }

  /**
   * Every point before a timestamp has been added.
   *
   * @return whether more can become final by time alone
   */
  boolean settle(long untilMillis) {
    boolean open = false;
    for (int step = 0; step < steps.size(); step++) {
      PointColumn out = out(step);
      open |= steps.get(step).settle(untilMillis, out);
      passOn(step, out);
    }
    return open;
  }

  /** There are no more points. */
  void finish() {
    for (int step = 0; step < steps.size(); step++) {
      PointColumn out = out(step);
      steps.get(step).finish(out);
      passOn(step, out);
    }
  }
}
