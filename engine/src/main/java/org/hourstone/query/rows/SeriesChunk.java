package org.hourstone.query.rows;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.RowPoints;
import org.hourstone.query.Query;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.MemoryLease;
import org.hourstone.series.PointColumn;
import org.jspecify.annotations.Nullable;

/** The data of one series in the rows of a slice, or in one row. For one thread. */
public final class SeriesChunk implements AutoCloseable {
  /** Approximately how much memory it takes beside its points, with its key in a map. */
  public static final int BYTES = 500;

  /** Its points, downsampled if a step is set. */
  public final PointColumn points;

  /** In place of points, if histograms are requested. */
  final HistogramSums histograms;

  /** The step applied to points before they are kept, or null. */
  public final @Nullable ColumnStep step;

  /** The annotations in its rows, in their stored form. */
  public final List<byte[]> annotations = new ArrayList<>(0);

  /** The salt bucket its rows are in. */
  public final byte[] salt;

  /** Where it has rows with points. */
  private final RowPlaces places = new RowPlaces();

  private final boolean raw;
  private final long startMillis;
  private final long stopMillis;
  private int rows;
  private final MemoryLease memory;

  /**
   * @param memory of its points, and of the step; closed with the chunk
   */
  public SeriesChunk(Query query, @Nullable ColumnStep step, byte[] salt, MemoryLease memory) {
    this.raw = query.downsample() == null && query.rate() == null;
    this.startMillis = query.startMillis();
    this.stopMillis = Math.max(query.endMillis(), query.endMillis() + 1);
    this.memory = memory;
    this.points = new PointColumn(memory);
    this.histograms = new HistogramSums(memory);
    this.step = step;
    this.salt = salt;
  }

  /**
   * Called before each row but the first: makes room for it and, if that has to be made, for those
   * after it.
   *
   * @param rowsLeft how many there may be, which are taken to be as those before
   * @param mostBytes of room for all that follow
   */
  public void expect(long rowsLeft, long mostBytes) {
    rows++;
    if (step == null) {
      long expected = rowsLeft * points.size() / rows;
      points.reserve((int) Math.min(expected, mostBytes / PointColumn.BYTES_PER_POINT));
    }
  }

  /**
   * Adds the points of a row. Of those outside of the range of a query for raw points, only the
   * last one before it and the first one after it contribute to results, by interpolation.
   */
  void addRow(long baseMillis, RowPoints row) {
    if (step != null) {
      step.acceptRow(baseMillis, row, points);
    } else if (raw) {
      int first = Math.max(0, countBefore(startMillis - baseMillis, row) - 1);
      int end = Math.min(row.size(), countBefore(stopMillis - baseMillis, row) + 1);
      points.addRow(baseMillis, row, first, end);
    } else {
      points.addRow(baseMillis, row, 0, row.size());
    }
  }

  public RowPlaces places() {
    return places;
  }

  private static int countBefore(long offset, RowPoints row) {
    return row.indexOf((int) Math.max(0, Math.min(offset, Integer.MAX_VALUE)));
  }

  /** Adds points. */
  void addAll(PointColumn more) {
    if (step == null) {
      points.addAll(more);
    } else {
      step.accept(more, points);
    }
  }

  @Override
  public void close() {
    memory.close();
  }
}
