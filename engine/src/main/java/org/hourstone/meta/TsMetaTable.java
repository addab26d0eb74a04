package org.hourstone.meta;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.google.common.collect.Lists;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ObjLongConsumer;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.TagPair;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The meta table. It has a row for each series, with the TSUID as the key, which contains the
 * TSMeta and the counter of points. Thread-safe.
 */
public final class TsMetaTable {
  static final byte[] META = "ts_meta".getBytes(ISO_8859_1);
  static final byte[] COUNTER = "ts_ctr".getBytes(ISO_8859_1);

  /** The value of a counter that was only set, never incremented. */
  static final byte[] ONE = ByteBuffer.allocate(Long.BYTES).putLong(1).array();

  private static final byte[] ZERO = new byte[Long.BYTES];
  private static final int ROWS_AT_ONCE = 1000;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final Runnable admission;
  private final CellEditor cells;

  /**
   * @param family the meta table's family, {@code tsdb-meta:name}
   * @param admission throws if nothing new is accepted
   */
  TsMetaTable(
      KeyValueStore store, Family family, RowKey keys, Runnable admission, Backoff backoff) {
    this.admission = admission;
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.cells = new CellEditor(store, backoff, MetaJson.MOST_BYTES);
  }

  /** The row of a series; null if it has no TSMeta, whether or not its points were counted. */
  public @Nullable SeriesMeta find(byte[] tsuid) {
    if (tsuid.length == 0) {
      return null;
    }
    return read(store.get(family, tsuid, Columns.exactly(COUNTER, META)));
  }

  /**
   * When a series was last written to, in milliseconds since the epoch; -1 if that was not
   * recorded.
   */
  public long lastWritten(byte[] tsuid) {
    Row row = store.get(family, tsuid, Columns.exactly(COUNTER));
    return row.isEmpty() ? -1 : row.writeTime(0);
  }

  /**
   * Calls back with the series of a metric that were recorded as written, and the time of their
   * last write.
   */
  public void forEachWritten(byte[] metric, List<TagPair> tags, ObjLongConsumer<byte[]> action) {
    Scan scan = scan(metric, tags).columns(Columns.exactly(COUNTER));
    try (RowCursor rows = store.scan(family, scan)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (!row.isEmpty()) {
          action.accept(row.key(), row.writeTime(0));
        }
      }
    }
  }

  /** Whether points of the series were counted. */
  public boolean hasCounter(byte[] tsuid) {
    return !store.get(family, tsuid, Columns.exactly(COUNTER)).isEmpty();
  }

  /**
   * Calls back with every series that has a TSMeta, in the order of TSUIDs.
   *
   * @param metric the UID of their metric
   * @param tags the tags they must have, possibly among others
   */
  public void forEach(byte[] metric, List<TagPair> tags, BiConsumer<byte[], SeriesMeta> action) {
    forEach(scan(metric, tags), action);
  }

  private Scan scan(byte[] metric, List<TagPair> tags) {
    Schema schema = keys.schema();
    List<Term> terms =
        tags.stream()
            .map(tag -> new Term(tag.tagk(), Presence.ONE_OF, List.of(tag.tagv())))
            .toList();
    return Scan.prefix(metric)
        .filter(
            new RowPattern(
                schema.metricWidth(), schema.tagkWidth(), schema.tagvWidth(), terms, false));
  }

  /** Calls back with every series that has a TSMeta, in the order of TSUIDs. */
  public void forEach(BiConsumer<byte[], SeriesMeta> action) {
    forEach(Scan.all(), action);
  }

  private void forEach(Scan scan, BiConsumer<byte[], SeriesMeta> action) {
    try (RowCursor rows = store.scan(family, scan.columns(Columns.exactly(COUNTER, META)))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        SeriesMeta found = read(row);
        if (found != null) {
          action.accept(row.key(), found);
        }
      }
    }
  }

  /**
   * Changes a TSMeta that exists. The earlier of two creation times is kept.
   *
   * @param overwrite whether fields that are not set are cleared; else they are kept
   * @return the TSMeta now stored; empty if no field is set, so that nothing was done
   * @throws RequestException if the series has no TSMeta
   * @throws org.hourstone.kv.StoreException if the store fails, its disk is nearly full, or other
   *     writers keep changing it
   */
  public Optional<TsMeta> save(byte[] tsuid, TsMeta meta, boolean overwrite) {
    if (!meta.saysAnything()) {
      return Optional.empty();
    }
    admission.run();
    byte[] stored =
        cells.update(
            family,
            tsuid,
            META,
            present -> {
              if (present == null) {
                throw new RequestException("Requested TSMeta did not exist");
              }
              return meta.onto(TsMeta.ofStored(present), overwrite).toStored();
            });
    return Optional.of(TsMeta.ofStored(stored));
  }

  /**
   * Stores the TSMeta of a series that has none.
   *
   * @return whether it had none
   */
  public boolean create(byte[] tsuid, TsMeta meta) {
    admission.run();
    return cells.create(family, tsuid, META, meta.toStored());
  }

  /** Stores a TSMeta in place of a corrupt one. */
  public void replaceCorrupt(byte[] tsuid, TsMeta meta) {
    admission.run();
    store.put(family, tsuid, META, meta.toStored());
  }

  /**
   * Begins to count the points of a series, at 0.
   *
   * @return whether they weren't counted yet
   */
  public boolean createCounter(byte[] tsuid) {
    admission.run();
    return cells.create(family, tsuid, COUNTER, ZERO);
  }

  /** Adds to the counter of a series' points; returns its new value. */
  long count(byte[] tsuid, long points) {
    return store.increment(family, tsuid, COUNTER, points);
  }

  /** Marks series as just written, without counting points. */
  void touch(List<byte[]> tsuids) {
    store.mutate(
        family,
        tsuids.stream()
            .map(tsuid -> new RowMutation(tsuid, new Change.Put(COUNTER, ONE)))
            .toList());
  }

  /** The rows of series, restricted to the TSMeta, in the requested order. */
  List<Row> metas(List<byte[]> tsuids) {
    return store.get(family, tsuids, Columns.exactly(META));
  }

  /** Removes a TSMeta; the counter stays. */
  public void delete(byte[] tsuid) {
    store.mutate(family, List.of(new RowMutation(tsuid, new Change.Delete(META))));
  }

  /** Removes everything about series, if there is such a table. */
  public void deleteRows(List<byte[]> tsuids) {
    if (store.families().contains(family)) {
      for (List<byte[]> some : Lists.partition(tsuids, ROWS_AT_ONCE)) {
        store.mutate(
            family,
            some.stream().map(tsuid -> new RowMutation(tsuid, new Change.DeleteRow())).toList());
      }
    }
  }

  private @Nullable SeriesMeta read(Row row) {
    byte[] value = row.find(META);
    if (value == null) {
      return null;
    }
    int counter = row.indexOf(COUNTER);
    try {
      return new SeriesMeta(
          TsMeta.ofStored(value),
          counter < 0 ? 0 : points(row.value(counter)),
          counter < 0 ? 0 : row.writeTime(counter) / 1000);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "series " + UidText.format(row.key()) + " of " + family + ": " + e.getMessage(), e);
    }
  }

  private static long points(byte[] counter) {
    if (counter.length != Long.BYTES) {
      throw new CorruptDataException("a counter of " + counter.length + " bytes instead of 8");
    }
    return ByteBuffer.wrap(counter).getLong();
  }
}
