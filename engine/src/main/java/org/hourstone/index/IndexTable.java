package org.hourstone.index;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of the index table; each has one cell:
 *
 * <pre>
 *   00               the {@link IndexState}
 *   01 metric_uid    a counter: the number of announcements of series of the metric
 *   02 tsuid         an entry: 0 while the series is being announced, then 1
 *   03 metric_uid n  the announcement that increased the counter to n (8 bytes): {@link Announcement}
 *   04 kind          the kind's counter of UIDs when the index became complete: {@link AssignedUids}
 *   04 kind uid      1: a UID that was assigned since
 * </pre>
 *
 * <p>A reader that has read the announcements up to a number reads the following ones. If one is
 * missing, its number was taken, but the announcement was not made yet: the reader voids it, and
 * the writer must announce its series with another number. A writer must do the same if its number
 * is older than the announcements that are kept.
 *
 * <p>Thread-safe. Its methods throw StoreException, REJECTED if there is no such table.
 */
final class IndexTable {
  private static final byte[] QUALIFIER = {'i'};
  private static final Columns CELL = Columns.exactly(QUALIFIER);
  private static final byte[] STATE_ROW = {0};
  private static final byte COUNTER = 1;
  private static final byte ENTRY = 2;
  private static final byte ANNOUNCEMENT = 3;
  private static final byte UID = 4;
  private static final byte[] PENDING = {0};
  private static final byte[] DONE = {1};
  private static final int ROWS_PER_FETCH = 4096;

  /** Number of announcements that are kept; older ones may be missing from the table. */
  static final int KEPT = 1024;

  /** Number of old announcements that are removed at a time. */
  private static final int REMOVED = 256;

  private final KeyValueStore store;
  private final Family family;
  private final CellEditor cells;

  IndexTable(KeyValueStore store, Family family, Backoff backoff) {
    this.store = store;
    this.family = family;
    this.cells = new CellEditor(store, backoff);
  }

  /** The stored state; null if absent. */
  byte @Nullable [] state() {
    return store.get(family, STATE_ROW, CELL).find(QUALIFIER);
  }

  /**
   * Changes the state if it is still as it was read.
   *
   * @param seen the state as it was read; null for absent
   * @return whether the state is now the given one
   */
  boolean changeState(byte @Nullable [] seen, IndexState update) {
    return cells.change(family, STATE_ROW, QUALIFIER, seen, update.toStored());
  }

  /**
   * The data by which a reader decides whether its copy of a metric is current.
   *
   * @param state the stored state; null if there is none
   * @param counter the number of announcements of series of the metric
   */
  record Freshness(byte @Nullable [] state, long counter) {}

  Freshness freshness(byte[] metric) {
    List<Row> rows = store.get(family, List.of(STATE_ROW, counterRow(metric)), CELL);
    return new Freshness(rows.get(0).find(QUALIFIER), counter(rows.get(1)));
  }

  long counter(byte[] metric) {
    return counter(store.get(family, counterRow(metric), CELL));
  }

  private static long counter(Row row) {
    byte[] value = row.find(QUALIFIER);
    return value == null ? 0 : UidNumber.of(value);
  }

  /**
   * Announces series of a metric whose entries are in the table.
   *
   * @return the metric's new counter
   */
  long announce(byte[] metric, List<byte[]> tsuids) {
    byte[] series = Announcement.of(metric.length, tsuids);
    while (true) {
      long number = cells.increment(family, counterRow(metric), QUALIFIER, 1);
      if (number % REMOVED == 0 && number > KEPT) {
        removeAnnouncements(metric, number - KEPT);
      }
      // If not, a reader has voided the announcement; it can be removed once it is old.
      if (cells.create(family, announcementRow(metric, number), QUALIFIER, series)
          && counter(metric) - number <= KEPT) {
        return number;
      }
    }
  }

  /**
   * Removes all announcements before a number. A writer that has taken such a number, but not made
   * its announcement yet, then detects that it is too late, whether or not a reader has voided the
   * number.
   */
  private void removeAnnouncements(byte[] metric, long before) {
    Scan scan =
        Scan.range(announcementRow(metric, 0), announcementRow(metric, before))
            .columns(CELL)
            .rowsPerFetch(ROWS_PER_FETCH);
    List<RowMutation> removals = new ArrayList<>();
    try (RowCursor rows = store.scan(family, scan)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        removals.add(new RowMutation(row.key(), new Change.Delete(QUALIFIER)));
      }
    }
    for (List<RowMutation> some : Lists.partition(removals, ROWS_PER_FETCH)) {
      store.mutate(family, some);
    }
  }

  /**
   * The announcements of a metric after one value of its counter and up to another.
   *
   * @return null if they are not all in the table, so that the entries must be read
   */
  @Nullable List<Announcement> announcements(byte[] metric, long after, long upTo) {
    List<byte[]> rows =
        LongStream.rangeClosed(after + 1, upTo)
            .mapToObj(number -> announcementRow(metric, number))
            .toList();
    List<Announcement> announcements = new ArrayList<>(rows.size());
    boolean voided = false;
    for (Row row : store.get(family, rows, CELL)) {
      byte[] stored = row.find(QUALIFIER);
      if (stored == null) {
        voided = true;
        stored = cells.setIfAbsent(family, row.key(), QUALIFIER, Announcement.VOID).value();
      }
      Announcement read = stored == null ? null : Announcement.read(stored);
      if (read == null) {
        return null;
      }
      announcements.add(read);
    }
    // An announcement that was removed must not be mistaken for one that was not made.
    return voided && counter(metric) - after > KEPT ? null : announcements;
  }

  /** The state of a series' entry. */
  enum Entry {
    ABSENT,
    PENDING,
    DONE
  }

  /** The entries of some series, in their order. */
  List<Entry> entries(List<byte[]> tsuids) {
    List<byte[]> rows = tsuids.stream().map(IndexTable::entryRow).toList();
    List<Entry> entries = new ArrayList<>(tsuids.size());
    for (Row row : store.get(family, rows, CELL)) {
      byte[] value = row.find(QUALIFIER);
      entries.add(
          value == null ? Entry.ABSENT : Arrays.equals(value, DONE) ? Entry.DONE : Entry.PENDING);
    }
    return entries;
  }

  void putPending(List<byte[]> tsuids) {
    put(tsuids, PENDING);
  }

  void putDone(List<byte[]> tsuids) {
    put(tsuids, DONE);
  }

  private void put(List<byte[]> tsuids, byte[] value) {
    if (!tsuids.isEmpty()) {
      store.mutate(
          family,
          tsuids.stream()
              .map(tsuid -> new RowMutation(entryRow(tsuid), new Change.Put(QUALIFIER, value)))
              .toList());
    }
  }

  /**
   * Reads the series of a metric.
   *
   * @return null if they need more memory than allowed
   */
  @Nullable MetricSeries load(byte[] metric, Schema schema, long mostBytes) {
    MetricSeries series = new MetricSeries(metric, schema);
    int from = 1 + schema.metricWidth();
    int pair = schema.tagPairWidth();
    int every = 1024;
    try (RowCursor rows = scan(entryRow(metric))) {
      int seen = 0;
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if ((row.key().length - from) % pair == 0) {
          series.add(row.key(), from, row.key().length);
        }
        if (++seen % every == 0) {
          every = Math.max(1024, seen / 4);
          if (series.memory() > mostBytes) {
            return null;
          }
        }
      }
    }
    series.optimize();
    return series.memory() > mostBytes ? null : series;
  }

  /** Calls back with every metric that has entries, ascending. */
  void forEachMetric(int metricWidth, MetricConsumer action) {
    byte[] metric = null;
    long series = 0;
    try (RowCursor rows = scan(new byte[] {ENTRY})) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        byte[] key = row.key();
        if (metric == null || !Arrays.equals(metric, 0, metricWidth, key, 1, 1 + metricWidth)) {
          if (metric != null) {
            action.accept(metric, series);
          }
          metric = Arrays.copyOfRange(key, 1, 1 + metricWidth);
          series = 0;
        }
        series++;
      }
    }
    if (metric != null) {
      action.accept(metric, series);
    }
  }

  /** Receives entries. */
  interface EntryConsumer {
    /** Returns whether to continue. */
    boolean accept(byte[] tsuid, long writeTime);
  }

  /** Calls back with entries until the callback returns false. */
  void forEachEntry(RowFilter filter, EntryConsumer action) {
    forEachEntry(new byte[0], filter, action);
  }

  /** As {@link #forEachEntry(RowFilter, EntryConsumer)}, with those whose TSUIDs have a prefix. */
  void forEachEntry(byte[] prefix, RowFilter filter, EntryConsumer action) {
    Scan scan =
        Scan.prefix(entryRow(prefix)).columns(CELL).filter(filter).rowsPerFetch(ROWS_PER_FETCH);
    try (RowCursor rows = store.scan(family, scan)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        byte[] tsuid = Arrays.copyOfRange(row.key(), 1, row.key().length);
        if (!action.accept(tsuid, row.isEmpty() ? 0 : row.writeTime(0))) {
          return;
        }
      }
    }
  }

  /** The TSUIDs of the first entries of a metric. */
  List<byte[]> entriesAfter(byte[] metric, int most) {
    return entries(Scan.prefix(entryRow(metric)), most);
  }

  /** The TSUIDs of a metric's entries after one, ascending. */
  List<byte[]> entriesAfter(byte[] metric, byte[] tsuid, int most) {
    byte[] last = entryRow(tsuid);
    Scan scan = Scan.prefix(entryRow(metric)).from(Arrays.copyOf(last, last.length + 1));
    return entries(scan, most);
  }

  private List<byte[]> entries(Scan scan, int most) {
    List<byte[]> tsuids = new ArrayList<>();
    Scan some = scan.columns(CELL).limit(most).rowsPerFetch(ROWS_PER_FETCH);
    try (RowCursor rows = store.scan(family, some)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        tsuids.add(Arrays.copyOfRange(row.key(), 1, row.key().length));
      }
    }
    return tsuids;
  }

  void deleteEntries(List<byte[]> tsuids) {
    for (List<byte[]> some : Lists.partition(tsuids, ROWS_PER_FETCH)) {
      store.mutate(
          family,
          some.stream()
              .map(tsuid -> new RowMutation(entryRow(tsuid), new Change.Delete(QUALIFIER)))
              .toList());
    }
  }

  private RowCursor scan(byte[] prefix) {
    return store.scan(family, Scan.prefix(prefix).columns(CELL).rowsPerFetch(ROWS_PER_FETCH));
  }

  /** The row of a UID; of the kind itself if the UID is empty. */
  static byte[] uidRow(int kind, byte[] uid) {
    byte[] row = new byte[2 + uid.length];
    row[0] = UID;
    row[1] = (byte) kind;
    System.arraycopy(uid, 0, row, 2, uid.length);
    return row;
  }

  /** Puts rows of UIDs. */
  void putUids(List<byte[]> rows) {
    store.mutate(
        family,
        rows.stream().map(row -> new RowMutation(row, new Change.Put(QUALIFIER, DONE))).toList());
  }

  /** Whether each of these rows exists. */
  List<Boolean> exist(List<byte[]> rows) {
    return store.get(family, rows, CELL).stream().map(row -> !row.isEmpty()).toList();
  }

  /** The kind's counter up to which UIDs have no rows; null if there is none. */
  @Nullable Long uidBase(int kind) {
    byte[] value = store.get(family, uidRow(kind, new byte[0]), CELL).find(QUALIFIER);
    return value == null ? null : UidNumber.of(value);
  }

  /** Sets that counter, unless it is greater. */
  void raiseUidBase(int kind, long counter) {
    byte[] row = uidRow(kind, new byte[0]);
    byte[] update = UidNumber.bytes(counter, Long.BYTES);
    byte[] present = store.get(family, row, CELL).find(QUALIFIER);
    while (present == null || UidNumber.of(present) < counter) {
      if (cells.change(family, row, QUALIFIER, present, update)) {
        return;
      }
      present = store.get(family, row, CELL).find(QUALIFIER);
    }
  }

  /** Whether the table exists. */
  boolean exists() {
    try {
      var unused = state();
      return true;
    } catch (StoreException e) {
      if (e.outcome() == StoreException.Outcome.REJECTED) {
        return false;
      }
      throw e;
    }
  }

  private static byte[] entryRow(byte[] tsuid) {
    return prefixed(ENTRY, tsuid);
  }

  private static byte[] announcementRow(byte[] metric, long number) {
    byte[] row = Arrays.copyOf(prefixed(ANNOUNCEMENT, metric), 1 + metric.length + Long.BYTES);
    System.arraycopy(UidNumber.bytes(number, Long.BYTES), 0, row, 1 + metric.length, Long.BYTES);
    return row;
  }

  private static byte[] counterRow(byte[] metric) {
    return prefixed(COUNTER, metric);
  }

  private static byte[] prefixed(byte prefix, byte[] rest) {
    byte[] row = new byte[1 + rest.length];
    row[0] = prefix;
    System.arraycopy(rest, 0, row, 1, rest.length);
    return row;
  }
}
