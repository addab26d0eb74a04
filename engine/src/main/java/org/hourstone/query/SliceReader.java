package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.series.MemoryLease;

/**
 * Reads the rows of one slice and keeps the points of each series. Rows of a metric are sorted by
 * hour, with all series of the hour adjacent, so each series' rows are read in time order. Salt
 * buckets are merged into that order. So a series whose rows are in several buckets, as after a
 * change of their number, is one series; in strict mode it is one series per bucket, as in
 * OpenTSDB. Stops between two hours if there is more than one slice should hold. Used once, by one
 * thread.
 */
final class SliceReader {
  /** How many bytes the points of a slice take at most, but for those of its last hour. */
  private static final long MOST_BYTES = 8 << 20;

  /**
   * How much room the series of a small query have for rows to come, which may not come: that for a
   * day of one series with a point every ten seconds.
   */
  private static final long MOST_ROOM_BYTES = 160 << 10;

  /** A series gets room for the buckets of the slice, but for so many at most. */
  private static final int MOST_BUCKETS = 64;

  private final Plan plan;
  private final QueryContext use;
  private final RowKey keys;
  private final Slice slice;
  private final SliceCutting cutting;
  private final BooleanSupplier abandoned;
  private final CorruptionPolicy damage;
  private final RowValues values;
  private final MemoryLease memory;
  private final QueryContext.Reading reading;
  private final Map<Bytes, SeriesChunk> chunks = new HashMap<>();
  private final Set<Bytes> refused = new HashSet<>();

  /** The rows of the current hour: one, or one from each of some buckets. */
  private final List<Row> hour = new ArrayList<>(1);

  private long rows;

  /**
   * @param abandoned whether the slice is no longer needed
   */
  SliceReader(SliceCutting cutting, Slice slice, QueryContext use, BooleanSupplier abandoned) {
    this.plan = cutting.plan();
    this.use = use;
    this.abandoned = abandoned;
    this.memory = use.memory().child();
    this.reading = use.reading();
    this.keys = plan.keys();
    this.slice = slice;
    this.cutting = cutting;
    this.damage = new CorruptionPolicy(plan.source().family(), plan.options().skipDamage());
    this.values = plan.source().decoding().apply(damage);
  }

  /** Reads the slice. */
  Slice.Content read() {
    try (values) {
      use.check();
      long begun = System.nanoTime();
      long stop =
          abandoned.getAsBoolean()
              ? slice.hours().startSeconds()
              : read(plan.rows(slice, this::isAbandoned));
      reading.report();
      for (SeriesChunk chunk : chunks.values()) {
        if (chunk.step != null) {
          chunk.step.finish(chunk.points);
        }
      }
      long millis = (System.nanoTime() - begun) / 1_000_000;
      return new Slice.Content(chunks, stop, rows, millis, damage.all(), memory);
    } catch (RuntimeException | Error e) {
      reading.count();
      memory.close();
      throw e;
    }
  }

  /** Reads rows to the end or a place to stop at; returns up to which hour. */
  private long read(RowCursor cursor) {
    try (cursor) {
      for (Row row = cursor.next(); row != null && !abandoned.getAsBoolean(); row = cursor.next()) {
        reading.row(row);
        rows++;
        if (isSound(row.key())) {
          if (!hour.isEmpty() && !isOfHourInHand(row.key())) {
            long last = readHour();
            long stop = isFull() ? cutting.between(last, keys.baseTime(row.key())) : last;
            if (stop > last) {
              return stop;
            }
          }
          hour.add(row);
        }
      }
      if (!hour.isEmpty()) {
        readHour();
      }
      return slice.hours().stopSeconds();
    }
  }

  private boolean isAbandoned() {
    use.check();
    return abandoned.getAsBoolean();
  }

  private boolean isFull() {
    return rows >= plan.options().sliceRows() || memory.bytes() >= MOST_BYTES;
  }

  private boolean isSound(byte[] row) {
    if (!keys.isSeriesRow(row)) {
      damage.row(row, " is not a series' row: odd length");
      return false;
    }
    if (!keys.isOfMetric(row, plan.series().metric())) {
      damage.row(row, " is not of the metric that was asked for");
      return false;
    }
    return true;
  }

  private boolean isOfHourInHand(byte[] row) {
    int from = plan.options().seriesBySalt() ? 0 : keys.schema().saltWidth();
    return MergedRows.compare(hour.get(0).key(), row, from) == 0;
  }

  /** Reads the current hour; returns its base time. */
  private long readHour() {
    byte[] row = hour.get(0).key();
    long baseTime = keys.baseTime(row);
    Bytes order = new Bytes(order(row));
    SeriesChunk known = chunks.get(order);
    if (known != null || isWanted(order)) {
      SeriesChunk chunk = known == null ? newChunk(row) : known;
      if (known != null && plan.isSmall()) {
        chunk.expect(rowsFrom(baseTime), MOST_ROOM_BYTES / chunks.size());
      }
      int count = values.decode(hour, baseTime * 1000, chunk);
      reading.points(count);
      if (count > 0) {
        chunks.put(order, chunk);
        keepNotes(chunk);
      } else if (known == null) {
        chunk.close(); // nothing but annotations and the like
      }
    }
    hour.clear();
    return baseTime;
  }

  /** How many rows there are from one on to the end of the slice, or of the query's range. */
  private long rowsFrom(long baseTime) {
    long end = Math.min(slice.hours().stopSeconds(), plan.query().endMillis() / 1000);
    return new ScanRange(baseTime, Math.max(baseTime, end)).rows(plan.source().span());
  }

  private SeriesChunk newChunk(byte[] row) {
    MemoryLease own = memory.child();
    own.grow(SeriesChunk.BYTES);
    byte[] salt = Arrays.copyOf(row, keys.schema().saltWidth());
    SeriesChunk chunk = new SeriesChunk(cutting.newStep(own), salt, own);
    chunk.points.reserve(cutting.buckets(slice.hours(), MOST_BUCKETS));
    return chunk;
  }

  private void keepNotes(SeriesChunk chunk) {
    // In rows of rolled-up values, an annotation's qualifier is that of a value.
    if (plan.query().source().annotations() && plan.source().isPoints()) {
      hour.forEach(row -> keepNotes(row, chunk));
    }
  }

  private static void keepNotes(Row row, SeriesChunk chunk) {
    // A coded cell is one of points.
    for (int i = 0; row.coded() == null && i < row.size(); i++) {
      if (CellKind.of(row.qualifier(i)) == CellKind.ANNOTATION) {
        chunk.notes.add(row.value(i));
      }
    }
  }

  /**
   * The key that identifies the series: the TSUID, or in strict mode a row key without its hour.
   */
  private byte[] order(byte[] row) {
    if (!plan.options().seriesBySalt()) {
      return keys.tsuid(row);
    }
    byte[] order = row.clone();
    keys.setBaseTime(order, 0);
    return order;
  }

  private boolean isWanted(Bytes order) {
    if (refused.contains(order)) {
      return false;
    }
    byte[] tsuid = plan.options().seriesBySalt() ? keys.tsuid(order.array()) : order.array();
    if (plan.passes(tsuid)) {
      return true;
    }
    refused.add(order);
    return false;
  }
}
