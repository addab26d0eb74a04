package org.hourstone.annotation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.hourstone.codec.AnnotationQualifier;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.error.TsdbException;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of a database. They are stored in the data table, in the row of their series and
 * hour; global annotations are in rows without metric, tags and salt. Thread-safe. See {@code
 * docs/format/annotation.md}.
 */
public final class Annotations {
  /**
   * The minimum number of hours for which the rows of a series are scanned instead of read by key.
   */
  private static final int HOURS_TO_SCAN = 1_000;

  private static final int ROWS_AT_A_TIME = 256;

  /** Of rows that are read: each may have as many bytes of annotations as an hour may have. */
  private static final int ROWS_READ_AT_A_TIME = 8;

  /** The memory of an annotation, parsed, changed and as text, for each of its bytes. */
  private static final int SIZE_IN_MEMORY = 8;

  /** All annotations, and the points of an hour's first seconds. */
  private static final Columns PREFIXED = new Columns.Range(new byte[] {0x01}, new byte[] {0x02});

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final AnnotationRanges ranges;
  private final long maxRowBytes;
  private final Consumer<byte[]> admission;
  private final CellEditor cells;

  /**
   * @param family the data table's
   * @param ranges which annotations a range contains
   * @param maxRowBytes the maximum size of the annotations of a row
   * @param admission throws if nothing new is accepted, or not in this row
   */
  public Annotations(
      KeyValueStore store,
      Family family,
      RowKey keys,
      AnnotationRanges ranges,
      long maxRowBytes,
      Consumer<byte[]> admission,
      Backoff backoff) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.ranges = ranges;
    this.maxRowBytes = maxRowBytes;
    this.admission = admission;
    this.cells = new CellEditor(store, backoff);
  }

  /**
   * The annotation of a series that starts at this time.
   *
   * @param tsuid in hex; empty for a global annotation
   * @param startTime seconds or milliseconds by its size
   * @return null if there is none
   * @throws RequestException if the TSUID is malformed, or the time is not set
   */
  public @Nullable Annotation get(String tsuid, long startTime) {
    return get(tsuid, startTime, bytes -> {});
  }

  /**
   * As {@link #get(String, long)}.
   *
   * @param memory called with the memory of the annotation, and of its text in a response, before
   *     it is taken; its exceptions are passed on
   */
  public @Nullable Annotation get(String tsuid, long startTime, LongConsumer memory) {
    byte[] qualifier = qualifier(startTime);
    byte[] row = row(tsuid, startTime);
    Row found = store.get(family, row, Columns.exactly(qualifier));
    if (found.isEmpty()) {
      return null;
    }
    memory.accept(SIZE_IN_MEMORY * (long) found.value(0).length);
    return read(found, 0);
  }

  /**
   * Stores an annotation, or changes the one with the same series and start.
   *
   * @param overwrite whether fields that the annotation doesn't set are cleared; else they are kept
   * @return the annotation now stored; empty if no field is set, so that nothing was done
   * @throws RequestException if its start is not set or after its end, its TSUID is malformed, or
   *     the row has expired
   * @throws TsdbException if the annotations of its row would become too large
   * @throws org.hourstone.kv.StoreException if the store fails, its disk is nearly full, or other
   *     writers keep changing it
   */
  public Optional<Annotation> save(Annotation annotation, boolean overwrite) {
    return save(annotation, overwrite, bytes -> {});
  }

  /**
   * As {@link #save(Annotation, boolean)}.
   *
   * @param memory called with the memory of what is stored and of the annotation, in a change and a
   *     response, before it is taken; its exceptions are passed on, and end the change
   */
  public Optional<Annotation> save(Annotation annotation, boolean overwrite, LongConsumer memory) {
    byte[] qualifier = qualifier(annotation.startTime());
    if (!annotation.saysAnything()) {
      return Optional.empty();
    }
    ranges.checkEnd(annotation);
    byte[] row = row(annotation.tsuid(), annotation.startTime());
    admission.accept(row);
    checkSize(row, qualifier, annotation);
    byte[] added = annotation.toStored();
    long[] counted = {0};
    byte[] stored =
        cells.update(
            family,
            row,
            qualifier,
            present -> {
              long size = SIZE_IN_MEMORY * (long) (added.length + length(present));
              if (size > counted[0]) { // it may be computed again
                memory.accept(size - counted[0]);
                counted[0] = size;
              }
              if (present == null) {
                return added;
              }
              Annotation now = Annotation.ofStored(present);
              Annotation merged = overwrite ? annotation : annotation.onto(now);
              return merged.startingNoLaterThan(now).toStored();
            });
    return Optional.of(Annotation.ofStored(stored));
  }

  private static int length(byte @Nullable [] present) {
    return present == null ? 0 : present.length;
  }

  /** A row is read as a whole, by every query of its points or of its annotations. */
  private void checkSize(byte[] row, byte[] qualifier, Annotation added) {
    if (maxRowBytes == Long.MAX_VALUE) {
      return;
    }
    long[] bytes = {added.toStored().length};
    forEachAnnotation(
        store.get(family, row, PREFIXED),
        (found, i) ->
            bytes[0] += Arrays.equals(found.qualifier(i), qualifier) ? 0 : found.value(i).length);
    if (bytes[0] > maxRowBytes) {
      throw new TsdbException(
          TsdbException.Category.LIMIT,
          "the annotations of this hour would have "
              + bytes[0]
              + " bytes, more than "
              + maxRowBytes
              + " (hourstone.annotation.max_hour_bytes)");
    }
  }

  /** Removes an annotation; nothing happens if there is none. Throws as {@link #get} does. */
  public void delete(String tsuid, long startTime) {
    byte[] qualifier = qualifier(startTime);
    store.mutate(
        family, List.of(new RowMutation(row(tsuid, startTime), new Change.Delete(qualifier))));
  }

  /**
   * The global annotations that start in a range, by hour; within an hour, those in seconds come
   * first.
   *
   * @param from seconds or milliseconds by its size
   * @param to inclusive
   * @throws RequestException if the range is empty
   */
  public List<Annotation> global(long from, long to) {
    return global(from, to, bytes -> {});
  }

  /**
   * As {@link #global(long, long)}.
   *
   * @param memory called with the memory of an annotation, and of its text in a response, before it
   *     is taken; its exceptions are passed on
   */
  public List<Annotation> global(long from, long to, LongConsumer memory) {
    checkRange(from, to);
    List<Annotation> found = new ArrayList<>();
    forEachGlobal(
        ranges.seconds(from),
        ranges.seconds(to),
        (row, i) -> {
          memory.accept(SIZE_IN_MEMORY * (long) row.value(i).length);
          Annotation annotation = read(row, i);
          if (ranges.contains(annotation, from, to)) {
            found.add(annotation);
          }
        });
    return found;
  }

  /**
   * The annotations of one series that start in a range, in the order of time.
   *
   * @param fromMillis since the epoch
   * @param toMillis inclusive
   */
  public List<Annotation> ofSeries(byte[] tsuid, long fromMillis, long toMillis) {
    List<Annotation> found = new ArrayList<>();
    forEachOfSeries(
        tsuid,
        fromMillis,
        toMillis,
        (row, i) -> {
          Annotation annotation = read(row, i);
          if (AnnotationRanges.startsIn(annotation, fromMillis, toMillis)) {
            found.add(annotation);
          }
        });
    found.sort((one, other) -> Long.compare(one.startMillis(), other.startMillis()));
    return found;
  }

  /**
   * Removes the global annotations that start in a range.
   *
   * @param fromMillis since the epoch
   * @param toMillis inclusive
   * @return the number of removed annotations
   */
  public int deleteGlobal(long fromMillis, long toMillis) {
    checkRange(fromMillis, toMillis);
    return delete(
        fromMillis,
        toMillis,
        visitor -> forEachGlobal(fromMillis / 1000, toMillis / 1000, visitor));
  }

  /**
   * Removes the annotations of one series that start in a range.
   *
   * @param tsuid in hex
   * @param fromMillis since the epoch
   * @param toMillis inclusive
   * @return the number of removed annotations
   * @throws RequestException if the TSUID is malformed, or the range is empty
   */
  public int deleteOfSeries(String tsuid, long fromMillis, long toMillis) {
    checkRange(fromMillis, toMillis);
    byte[] series = series(tsuid);
    if (isSalted(series) && !ranges.deletesSaltedRows()) {
      return 0;
    }
    return delete(
        fromMillis, toMillis, visitor -> forEachOfSeries(series, fromMillis, toMillis, visitor));
  }

  private interface CellVisitor {
    void visit(Row row, int i);
  }

  private interface Visit {
    void each(CellVisitor visitor);
  }

  private int delete(long fromMillis, long toMillis, Visit candidates) {
    List<RowMutation> deletions = new ArrayList<>();
    candidates.each(
        (row, i) -> {
          if (deletable(row, i, fromMillis, toMillis)) {
            deletions.add(new RowMutation(row.key(), new Change.Delete(row.qualifier(i))));
          }
        });
    for (List<RowMutation> batch : oncePerRow(deletions)) {
      store.mutate(family, batch);
    }
    return deletions.size();
  }

  private boolean deletable(Row row, int i, long fromMillis, long toMillis) {
    long keyMillis =
        keys.baseTime(row.key()) * 1000 + AnnotationQualifier.offsetMillis(row.qualifier(i));
    return ranges.deletes(keyMillis, () -> read(row, i), fromMillis, toMillis);
  }

  /**
   * Merges the mutations of each row, since a batch may contain only one per row, and splits them
   * into batches.
   */
  private static List<List<RowMutation>> oncePerRow(List<RowMutation> single) {
    List<List<RowMutation>> batches = new ArrayList<>();
    List<RowMutation> batch = new ArrayList<>();
    for (int from = 0; from < single.size(); ) {
      byte[] row = single.get(from).row();
      List<Change> changes = new ArrayList<>();
      for (; from < single.size() && Arrays.equals(single.get(from).row(), row); from++) {
        changes.addAll(single.get(from).changes());
      }
      batch.add(new RowMutation(row, changes));
      if (batch.size() == ROWS_AT_A_TIME || from == single.size()) {
        batches.add(batch);
        batch = new ArrayList<>();
      }
    }
    return batches;
  }

  private void forEachGlobal(long fromSeconds, long toSeconds, CellVisitor visitor) {
    byte[] start = keys.rowKey(noSeries(), hour(fromSeconds));
    long afterLast = hour(toSeconds) + Timestamps.ROW_SECONDS;
    byte[] stop =
        ranges.wrapsAround() || afterLast <= Timestamps.MAX_SECONDS
            ? keys.rowKey(noSeries(), afterLast)
            : keys.rowKey(firstSeries(), 0);
    if (Arrays.compareUnsigned(start, stop) > 0) {
      return;
    }
    try (RowCursor rows = store.scan(family, Scan.range(start, stop).columns(PREFIXED))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (row.key().length == start.length) {
          forEachAnnotation(row, visitor);
        }
      }
    }
  }

  /**
   * Reads the rows of a short range by their keys, since a scan would read the rows of all other
   * series of the metric. For a longer range a scan is better: it reads only hours that have rows,
   * and filters out other series.
   */
  private void forEachOfSeries(byte[] tsuid, long fromMillis, long toMillis, CellVisitor visitor) {
    long first = hour(fromMillis / 1000);
    long last = hour(Math.min(toMillis / 1000, Timestamps.MAX_SECONDS));
    if ((last - first) / Timestamps.ROW_SECONDS >= HOURS_TO_SCAN) {
      byte[] from = keys.rowKey(tsuid, first);
      byte[] to = keys.rowKey(tsuid, last);
      boolean[] fixed = new boolean[from.length];
      Arrays.fill(fixed, true);
      int time = keys.schema().baseTimeOffset();
      Arrays.fill(fixed, time, time + Schema.BASE_TIME_WIDTH, false);
      Scan scan =
          Scan.range(from, Arrays.copyOf(to, to.length + 1))
              .columns(PREFIXED)
              .filter(new FuzzyRow(from, fixed));
      try (RowCursor rows = store.scan(family, scan)) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          if (keys.baseTime(row.key()) % Timestamps.ROW_SECONDS == 0) {
            forEachAnnotation(row, visitor);
          }
        }
      }
      return;
    }
    List<byte[]> rows = new ArrayList<>();
    for (long hour = first; hour <= last; hour += Timestamps.ROW_SECONDS) {
      rows.add(keys.rowKey(tsuid, hour));
      if (rows.size() == ROWS_READ_AT_A_TIME || hour + Timestamps.ROW_SECONDS > last) {
        store.get(family, rows, PREFIXED).forEach(row -> forEachAnnotation(row, visitor));
        rows.clear();
      }
    }
  }

  private static long hour(long seconds) {
    return seconds - seconds % Timestamps.ROW_SECONDS;
  }

  private static void forEachAnnotation(Row row, CellVisitor visitor) {
    for (int i = 0; i < row.size(); i++) {
      if (CellKind.of(row.qualifier(i)) == CellKind.ANNOTATION) {
        visitor.visit(row, i);
      }
    }
  }

  private Annotation read(Row row, int i) {
    try {
      return Annotation.ofStored(row.value(i));
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "row " + new Bytes(row.key()) + " of " + family + ": " + e.getMessage(), e);
    }
  }

  private static byte[] qualifier(long startTime) {
    if (startTime < 1) {
      throw new RequestException("The start timestamp has not been set");
    }
    return AnnotationQualifier.encode(startTime);
  }

  private static void checkRange(long from, long to) {
    if (to < 1) {
      throw new RequestException("The end timestamp has not been set");
    }
    if (from < 0 || to < from) {
      throw new RequestException("The end timestamp cannot be less than the start timestamp");
    }
  }

  private byte[] row(String tsuid, long startTime) {
    if (Timestamps.toSeconds(startTime) > Timestamps.MAX_SECONDS && !ranges.wrapsAround()) {
      throw new RequestException("startTime: " + startTime + " is after 2106, the last of a row");
    }
    return keys.rowKey(
        tsuid.isEmpty() ? noSeries() : series(tsuid), Timestamps.baseTime(startTime));
  }

  /** The bytes that replace the TSUID in the key of a row of global annotations. */
  private byte[] noSeries() {
    return new byte[keys.schema().metricWidth()];
  }

  /** The smallest UID a metric can have. */
  private byte[] firstSeries() {
    byte[] metric = noSeries();
    metric[metric.length - 1] = 1;
    return metric;
  }

  private byte[] series(String tsuid) {
    byte[] series = UidText.parse(tsuid);
    if (!ranges.isSeries(keys, series)) {
      Schema schema = keys.schema();
      throw new RequestException(
          "'"
              + tsuid
              + "' is not a TSUID: must be "
              + schema.metricWidth()
              + " bytes and, once or more, "
              + schema.tagPairWidth());
    }
    return series;
  }

  private boolean isSalted(byte[] series) {
    byte[] row = keys.rowKey(series, 0);
    return !Arrays.equals(
        row, 0, keys.schema().saltWidth(), new byte[Long.BYTES], 0, keys.schema().saltWidth());
  }
}
