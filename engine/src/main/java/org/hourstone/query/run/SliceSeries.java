package org.hourstone.query.run;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Row;
import org.hourstone.query.QueryContext;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.query.rows.SeriesChunk;
import org.hourstone.series.ColumnStep;
import org.hourstone.series.Downsample;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/** The series of one query in a slice that is being read. For one thread. */
final class SliceSeries {
  /**
   * How much room the series of a small query have for rows to come, which may not come: that for a
   * day of one series with a point every ten seconds.
   */
  private static final long MOST_ROOM_BYTES = 160 << 10;

  /** A series gets room for the buckets of the slice, but for this number at most. */
  private static final int MOST_BUCKETS = 64;

  /** About how much memory a series takes that the query does not take. */
  private static final int REFUSED_BYTES = 120;

  private final QueryPart part;
  private final Plan plan;
  private final RowKey keys;
  private final ScanRange hours;
  private final boolean downsamples;
  private final MemoryLease memory;
  private final MemoryLease ofRefused;
  private final QueryContext.Reading reading;
  private final Map<Bytes, SeriesChunk> chunks = new HashMap<>();
  private final Set<Bytes> refused = new HashSet<>();

  /** That of the current hour's rows; null if they are not taken. */
  private @Nullable SeriesChunk chunk;

  /** How many points it had before. */
  private int before;

  /**
   * @param downsamples whether points are downsampled as they are read
   * @param hours of the slice
   */
  SliceSeries(QueryPart part, boolean downsamples, ScanRange hours) {
    this.part = part;
    this.plan = part.plan();
    this.keys = plan.keys();
    this.hours = hours;
    this.downsamples = downsamples;
    this.memory = part.use().memory().child();
    this.ofRefused = memory.child();
    this.reading = part.use().reading();
  }

  Map<Bytes, SeriesChunk> chunks() {
    return chunks;
  }

  MemoryLease memory() {
    return memory;
  }

  /**
   * What the rows of an hour of a series are to be added to before {@link #end} is called, or null
   * if the query does not take them.
   *
   * @param order the key that identifies the series
   * @param bytes the size of the rows
   */
  @Nullable SeriesChunk begin(Bytes order, List<Row> rows, long bytes) {
    byte[] row = rows.get(0).key();
    chunk = null;
    if (part.takes().test(row)) {
      reading.rows(rows.size(), bytes);
      SeriesChunk known = chunks.get(order);
      if (known != null && plan.isSmall()) {
        known.expect(rowsFrom(keys.baseTime(row)), MOST_ROOM_BYTES / chunks.size());
      }
      chunk = known != null ? known : isWanted(order) ? newChunk(row) : null;
      before = chunk == null ? 0 : chunk.points.size();
    }
    return chunk;
  }

  /** How many rows there are from one on to the end of the slice, or of the query's range. */
  private long rowsFrom(long baseTime) {
    long end = Math.min(hours.stopSeconds(), plan.query().endMillis() / 1000);
    return new ScanRange(baseTime, Math.max(baseTime, end)).rows(plan.source().span());
  }

  private boolean isWanted(Bytes order) {
    if (refused.contains(order)) {
      return false;
    }
    byte[] tsuid = plan.options().seriesBySalt() ? keys.tsuid(order.array()) : order.array();
    if (plan.passes(tsuid)) {
      return true;
    }
    ofRefused.grow(REFUSED_BYTES);
    refused.add(order);
    return false;
  }

  private SeriesChunk newChunk(byte[] row) {
    MemoryLease own = memory.child();
    own.grow(SeriesChunk.BYTES);
    byte[] salt = Arrays.copyOf(row, keys.schema().saltWidth());
    SeriesChunk chunk = new SeriesChunk(plan.query(), newStep(own), salt, own);
    chunk.points.reserve(buckets());
    return chunk;
  }

  private @Nullable ColumnStep newStep(MemoryLease own) {
    Downsample downsample = plan.query().downsample();
    long scanMillis = plan.range().startSeconds() * 1000;
    return downsamples && downsample != null
        ? plan.source().downsampling(plan.query(), downsample, scanMillis, own)
        : null;
  }

  /** How many buckets a series has in the slice, up to some; 0 if they are not made here. */
  private int buckets() {
    Downsample downsample = plan.query().downsample();
    if (!downsamples || downsample == null) {
      return 0;
    }
    long millis = (hours.stopSeconds() - hours.startSeconds()) * 1000;
    return (int) Math.min(MOST_BUCKETS, millis / downsample.intervalMillis());
  }

  /**
   * The points of the rows were added.
   *
   * @param count how many there were
   */
  void end(Bytes order, List<Row> rows, int count) {
    SeriesChunk current = chunk;
    if (current == null) {
      return;
    }
    reading.points(count);
    if (count > 0) {
      chunks.put(order, current);
      addPlaces(keys.baseTime(rows.get(0).key()), current);
      keepNotes(rows, current);
    } else if (!chunks.containsKey(order)) {
      current.close(); // nothing but annotations and the like
    }
  }

  /** A row of many hours has points in some of them. */
  private void addPlaces(long baseTime, SeriesChunk current) {
    if (plan.route().rolled() == null || plan.source().isPoints()) {
      current.places().add(baseTime, plan.own());
      return;
    }
    for (int i = before; i < current.points.size(); i++) {
      current.places().add(current.points.millis(i) / 1000, plan.own());
    }
  }

  private void keepNotes(List<Row> rows, SeriesChunk current) {
    // In rows of rolled-up values, an annotation's qualifier is that of a value.
    if (plan.query().source().annotations() && plan.source().isPoints()) {
      rows.forEach(row -> keepNotes(row, current));
    }
  }

  private static void keepNotes(Row row, SeriesChunk current) {
    // A coded cell is one of points.
    for (int i = 0; row.coded() == null && i < row.size(); i++) {
      if (CellKind.of(row.qualifier(i)) == CellKind.ANNOTATION) {
        current.annotations.add(row.value(i));
      }
    }
  }

  /** The slice is read: reports what was, and completes the points. */
  void finish() {
    reading.report();
    refused.clear();
    ofRefused.close();
    for (SeriesChunk each : chunks.values()) {
      if (each.step != null) {
        each.step.finish(each.points);
      }
    }
  }

  /** The reading has failed. */
  void abandon() {
    reading.count();
    memory.close();
  }
}
