package org.hourstone.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.hourstone.codec.RowKey;
import org.hourstone.index.IndexTable.Entry;
import org.hourstone.internal.WritesUnderWay;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Enters series into the index. Thread-safe.
 *
 * <p>Before the first row of a series is put, its entry is put into the index table as pending, the
 * metric's counter there is incremented, the series is announced under the counter's value, and
 * then the entry is marked done. A process that can't do that marks the index incomplete first, as
 * {@link Completeness} requires.
 */
final class SeriesEntries {
  private final boolean on;
  private final KeyValueStore store;
  private final RowKey keys;
  private final IndexTable table;
  private final Completeness completeness;
  private final IndexAge age;
  private final AssignedUids uids;
  private final LoadedMetrics loaded;
  private final SeriesLimit limit;
  private final SeriesGrowth growth;
  private final SeriesRemoval removal;
  private final UidRemoval uidRemoval;
  private final WritesUnderWay writes;

  /** The series whose entries are known to be done. */
  private final KnownSeries known;

  /** Whether entries are put: the table exists and is for UIDs of these widths. */
  private volatile boolean keeps;

  private volatile boolean prepared;
  private final LongAdder created = new LongAdder();

  /**
   * @param on whether this process maintains the index
   * @param store of the data rows
   * @param loaded is notified of series that this process announces
   */
  SeriesEntries(
      boolean on,
      KeyValueStore store,
      RowKey keys,
      IndexTable table,
      Completeness completeness,
      IndexAge age,
      AssignedUids uids,
      LoadedMetrics loaded,
      KnownSeries known,
      SeriesLimit limit,
      SeriesGrowth growth,
      SeriesRemoval removal,
      UidRemoval uidRemoval,
      WritesUnderWay writes) {
    this.on = on;
    this.store = store;
    this.keys = keys;
    this.table = table;
    this.completeness = completeness;
    this.age = age;
    this.uids = uids;
    this.loaded = loaded;
    this.known = known;
    this.limit = limit;
    this.growth = growth;
    this.removal = removal;
    this.uidRemoval = uidRemoval;
    this.writes = writes;
  }

  /**
   * Puts rows.
   *
   * @param puts the call that puts them
   * @throws StoreException NOT_APPLIED or REJECTED if they must not be put
   */
  <T> T putting(List<RowMutation> batch, Supplier<T> puts) {
    List<byte[]> rows = new ArrayList<>(batch.size());
    for (RowMutation mutation : batch) {
      if (puts(mutation)) {
        rows.add(mutation.row());
      }
    }
    return puttingRows(rows, puts);
  }

  /**
   * As {@link #putting}.
   *
   * @param rows all different
   * @param puts makes them readable
   */
  <T> T puttingRows(List<byte[]> rows, Supplier<T> puts) {
    int write = writes.begin();
    try {
      beforeRows(rows);
      return puts.get();
    } finally {
      writes.end(write);
    }
  }

  private void beforeRows(List<byte[]> rows) {
    try {
      if (!on || !prepare()) {
        completeness.beforeUnentered();
        return;
      }
      completeness.beforeEntered();
      Set<Bytes> fresh = null;
      for (byte[] row : rows) {
        if (keys.isSeriesRow(row)) {
          byte[] tsuid = keys.tsuid(row);
          if (!keys.isInOwnBucket(row, tsuid)) {
            completeness.forgetBuckets();
          }
          removal.keep(tsuid);
          if (!known.contains(tsuid)) {
            fresh = fresh == null ? new LinkedHashSet<>() : fresh;
            fresh.add(new Bytes(tsuid));
          }
        }
      }
      if (fresh != null) {
        List<byte[]> entered = enter(fresh.stream().map(Bytes::array).toList());
        created.add(entered.size());
        entered.forEach(tsuid -> growth.add(keys.metricOfTsuid(tsuid)));
      }
    } catch (StoreException e) {
      Outcome outcome = e.outcome() == Outcome.REJECTED ? e.outcome() : Outcome.NOT_APPLIED;
      throw new StoreException(outcome, "series index: " + e.getMessage(), e);
    }
  }

  /**
   * Called after rows were put and before they are acknowledged, as {@link Completeness} requires.
   *
   * @throws StoreException UNKNOWN if they must not be acknowledged, since the index may lack them
   */
  void afterPuts() {
    try {
      if (keeps) {
        completeness.afterEntered();
      } else {
        completeness.afterUnentered();
      }
    } catch (StoreException e) {
      throw new StoreException(Outcome.UNKNOWN, "series index: " + e.getMessage(), e);
    }
  }

  /** How many series this process has entered for the first row that it put. */
  long created() {
    return created.sum();
  }

  /** Whether the mutation puts a cell. */
  static boolean puts(RowMutation mutation) {
    for (Change change : mutation.changes()) {
      if (!(change instanceof Change.Delete || change instanceof Change.DeleteRow)) {
        return true;
      }
    }
    return false;
  }

  /** As {@link #enter}, for series whose rows were read. */
  List<byte[]> enterFound(List<byte[]> tsuids) {
    int use = writes.begin();
    try {
      tsuids.forEach(removal::keep);
      return enter(tsuids);
    } finally {
      writes.end(use);
    }
  }

  /**
   * Ensures that series have entries and are announced. May be repeated after any outcome.
   *
   * @param tsuids all different
   * @return the series that had no entry
   */
  private List<byte[]> enter(List<byte[]> tsuids) {
    List<Entry> entries = table.entries(tsuids);
    if (limit.isOn()) {
      limit.found(tsuids, entries);
    }
    List<byte[]> absent = new ArrayList<>();
    Map<Bytes, List<byte[]>> undone = new LinkedHashMap<>();
    for (int i = 0; i < tsuids.size(); i++) {
      byte[] tsuid = tsuids.get(i);
      if (entries.get(i) == Entry.ABSENT) {
        absent.add(tsuid);
      }
      if (entries.get(i) != Entry.DONE) {
        undone
            .computeIfAbsent(new Bytes(keys.metricOfTsuid(tsuid)), metric -> new ArrayList<>())
            .add(tsuid);
      }
    }
    if (!undone.isEmpty()) {
      uidRemoval.enter(absent);
      table.putPending(absent);
      undone.forEach((metric, series) -> announce(metric.array(), series));
      table.putDone(undone.values().stream().flatMap(List::stream).toList());
    }
    tsuids.forEach(known::add);
    if (limit.isOn()) {
      limit.entered(tsuids);
    }
    return absent;
  }

  private void announce(byte[] metric, List<byte[]> series) {
    loaded.announced(metric, table.announce(metric, series), series);
  }

  /**
   * Reads the state once, and marks the new index of a new database complete.
   *
   * @return whether entries can be put
   */
  boolean prepare() {
    if (!prepared) {
      synchronized (this) {
        if (!prepared) {
          age.compare();
          keeps = completeness.begin(this::isEmpty);
          if (keeps && completeness.complete() != null) {
            var unused = uids.unknown(); // sets the bases of a new index
          }
          prepared = true;
        }
      }
    }
    return keeps;
  }

  private boolean isEmpty(Family family) {
    try (RowCursor cursor = store.scan(family, Scan.all().limit(1).rowsPerFetch(1))) {
      return cursor.next() == null;
    }
  }

  /** Whether an entry is known; called before {@link #enterFound}. */
  boolean isEntered(byte[] tsuid) {
    return known.contains(tsuid);
  }
}
