package org.hourstone.query.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.query.CorruptionPolicy;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.rows.MergedRows;
import org.hourstone.query.rows.RowValues;
import org.hourstone.query.rows.SeriesChunk;
import org.hourstone.query.rows.Slice;

/**
 * Reads the rows of one slice and keeps the points of each series, for each query that takes them.
 * Rows of a metric are sorted by hour, with all series of the hour adjacent, so each series' rows
 * are read in time order. Salt buckets are merged into that order. So a series whose rows are in
 * several buckets, as after a change of their number, is one series; in strict mode it is one
 * series per bucket, as in OpenTSDB. Stops between two hours if there is more than one slice should
 * hold. Used once, by one thread.
 */
final class SliceReader {
  /** How many bytes the points of a slice take at most, but for those of its last hour. */
  private static final long MOST_BYTES = 8 << 20;

  private static final int ROWS_PER_CHECK = 1000;

  private final RowReading reading;
  private final Plan plan;
  private final RowKey keys;
  private final Slice slice;
  private final BooleanSupplier abandoned;
  private final CorruptionPolicy corruption;
  private final RowValues values;
  private final List<SliceSeries> queries;

  /** The rows of the current hour: one, or one from each of some buckets. */
  private final List<Row> hour = new ArrayList<>(1);

  /** What the rows of the current hour are added to. */
  private final List<SeriesChunk> chunks;

  private long rows;
  private long bytes;
  private long points;

  /**
   * @param abandoned whether the slice is no longer needed
   */
  SliceReader(RowReading reading, Slice slice, BooleanSupplier abandoned) {
    this.reading = reading;
    this.plan = reading.rows();
    this.keys = plan.keys();
    this.slice = slice;
    this.abandoned = abandoned;
    this.corruption = new CorruptionPolicy(plan.source().family(), reading.skipsCorruption());
    this.values = plan.source().decoding().apply(corruption);
    this.queries = new ArrayList<>(reading.parts().size());
    for (QueryPart part : reading.parts()) {
      boolean downsamples = reading.cutting().downsamples(part.plan());
      queries.add(new SliceSeries(part, downsamples, slice.hours()));
    }
    this.chunks = new ArrayList<>(queries.size());
  }

  /** Reads the slice. */
  Slice.Content read() {
    try (values) {
      reading.check();
      long begun = System.nanoTime();
      long stop =
          abandoned.getAsBoolean()
              ? slice.hours().startSeconds()
              : read(plan.rows(slice, this::isAbandoned));
      queries.forEach(SliceSeries::finish);
      long millis = (System.nanoTime() - begun) / 1_000_000;
      return new Slice.Content(
          queries.stream().map(SliceSeries::chunks).toList(),
          stop,
          rows,
          millis,
          corruption.all(),
          queries.stream().map(SliceSeries::memory).toList());
    } catch (RuntimeException | Error e) {
      queries.forEach(SliceSeries::abandon);
      throw e;
    } finally {
      reading.budget().read(rows, bytes, points);
    }
  }

  /** Reads rows to the end or a place to stop at; returns up to which hour. */
  private long read(RowCursor cursor) {
    try (cursor) {
      for (Row row = cursor.next(); row != null && !abandoned.getAsBoolean(); row = cursor.next()) {
        rows++;
        if (rows % ROWS_PER_CHECK == 0) {
          reading.check(); // also if no query takes these rows
        }
        if (isSound(row.key())) {
          if (!hour.isEmpty() && !isOfCurrentHour(row.key())) {
            long last = readHour();
            long stop = isFull() ? reading.cutting().between(last, keys.baseTime(row.key())) : last;
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
    reading.check();
    return abandoned.getAsBoolean();
  }

  private boolean isFull() {
    return rows >= plan.options().work().sliceRows() || heldBytes() >= MOST_BYTES;
  }

  private long heldBytes() {
    long bytes = 0;
    for (SliceSeries each : queries) {
      bytes += each.memory().bytes();
    }
    return bytes;
  }

  private boolean isSound(byte[] row) {
    if (!keys.isSeriesRow(row)) {
      corruption.row(row, " is not a series' row: odd length");
      return false;
    }
    if (!keys.isOfMetric(row, plan.series().metric())) {
      corruption.row(row, " is not of the requested metric");
      return false;
    }
    return true;
  }

  private boolean isOfCurrentHour(byte[] row) {
    int from = plan.options().seriesBySalt() ? 0 : keys.schema().saltWidth();
    return MergedRows.compare(hour.get(0).key(), row, from) == 0;
  }

  /** Reads the current hour; returns its base time. */
  private long readHour() {
    byte[] row = hour.get(0).key();
    long baseTime = keys.baseTime(row);
    Bytes order = new Bytes(order(row));
    long size = 0;
    for (Row each : hour) {
      size += RequestBudget.bytes(each);
    }
    bytes += size;
    chunks.clear();
    for (SliceSeries each : queries) {
      SeriesChunk chunk = each.begin(order, hour, size);
      if (chunk != null) {
        chunks.add(chunk);
      }
    }
    if (!chunks.isEmpty()) {
      int count = values.decode(hour, baseTime * 1000, chunks);
      points += count;
      for (SliceSeries each : queries) {
        each.end(order, hour, count);
      }
    }
    hour.clear();
    return baseTime;
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
}
