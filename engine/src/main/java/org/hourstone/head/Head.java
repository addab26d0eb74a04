package org.hourstone.head;

import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.Retry;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The open rows of all series: for readers one sorted map, for writers a {@link HeadShard} for each
 * of their threads. Readers see them unless they are sealed at once.
 *
 * <p>Readers take the open rows of a range first and read the data table afterwards. A row is
 * removed from the map only after the data table has it, and closed after that: a reader never
 * misses it, and {@link HeadStore} reads it again if it was closed in between. Thread-safe.
 */
public final class Head {
  /** Is notified of rows as {@link org.hourstone.index.SeriesIndex} requires it. */
  public interface Announcements {
    /** Rows are going to be readable. */
    void before(List<byte[]> rows);

    /** They are, and are about to be acknowledged. */
    void after();
  }

  private static final System.Logger LOG = System.getLogger("org.hourstone.head");

  private final KeyValueStore store;
  private final Family points;
  private final RowKey keys;
  private final HeadOptions options;
  private final InstantSource clock;
  private final Backoff backoff;
  private final Retry retry;
  private final Announcements announcements;
  private final Journal journal;
  private final long openedAt;
  private final NavigableMap<byte[], OpenRow> rows =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);
  private final AtomicLong nextRow = new AtomicLong(1);
  private final LongAdder bytes = new LongAdder();
  private final LongAdder sealed = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private List<HeadShard> shards = List.of();
  private boolean journaled;

  /** Whether rows are appended to, if that is their form. */
  private volatile boolean appending;

  private volatile boolean retired;
  private boolean closed;

  /**
   * A head without rows, which does not access the store yet.
   *
   * @param store of points and journal
   * @param points the data table's family
   * @param journal the journal's family; must exist when the head is opened
   */
  public Head(
      KeyValueStore store,
      Family points,
      Family journal,
      RowKey keys,
      HeadOptions options,
      InstantSource clock,
      Backoff backoff,
      Announcements announcements) {
    this.store = store;
    this.points = points;
    this.keys = keys;
    this.options = options;
    this.clock = clock;
    this.backoff = backoff;
    this.retry = new Retry(options.sealing().attempts(), backoff);
    this.announcements = announcements;
    this.journal = new Journal(store, journal, retry);
    this.openedAt = clock.millis();
  }

  /**
   * Begins to use the journal of a database that is alone on its store, so that no other one does.
   * Must be the first call; {@link #close} must follow, whatever it throws.
   *
   * @throws org.hourstone.kv.StoreException REJECTED if the store is read-only
   */
  public void begin() {
    journal.begin();
  }

  /** Its shards use the journal no more once they have sealed their rows. */
  public void retire() {
    retired = true;
  }

  /** Whether its shards use the journal no more once they have no rows. */
  boolean isRetired() {
    return retired;
  }

  /**
   * Reads the journal into memory, once.
   *
   * @throws org.hourstone.codec.CorruptDataException if a record can't be read; it is named
   * @throws IllegalArgumentException if it was written with other UID widths or another salt
   */
  public void replay() {
    Replay replay = new Replay(keys, clock);
    journal.replay(replay::read);
    replay.rows().forEach(this::show);
    nextRow.set(replay.nextRow());
  }

  /** Announces the rows that were replayed: the process that wrote them may have had no index. */
  public void announceReplayed() {
    if (!rows.isEmpty()) {
      announce(List.copyOf(rows.keySet()));
      announced();
    }
  }

  /**
   * Divides the rows among writers. May be called again when the rows of the first ones are sealed.
   *
   * @param acknowledgement of points; JOURNAL requires {@link #begin} and {@link #replay}
   * @param count of the shards; a series belongs to that of its TSUID's hash, modulo the count
   * @param alone whether no other database writes to the store, until {@link #stopAppending}
   * @param written is notified of rows that were written
   */
  public List<HeadShard> shards(
      Acknowledgement acknowledgement, int count, boolean alone, WrittenRows written) {
    CellOptions cells = options.cells();
    appending = cells.form() == CellForm.APPENDED && (alone || !cells.ordersAppends());
    journaled = acknowledgement == Acknowledgement.JOURNAL;
    List<HeadShard> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(new HeadShard(this, acknowledgement, count, written));
    }
    shards = List.copyOf(made);
    if (journaled) {
      adoptReplayed();
      journal.clean();
    }
    return shards;
  }

  private void adoptReplayed() {
    List<OpenRow> replayed = new ArrayList<>(rows.values());
    replayed.sort(Comparator.comparingLong(OpenRow::firstRecord));
    for (OpenRow row : replayed) {
      int shard = Math.floorMod(Arrays.hashCode(keys.tsuid(row.key())), shards.size());
      shards.get(shard).adopt(row);
    }
  }

  /**
   * Another database is going to write to the store: points that are written from now on become
   * cells of their own where appends would follow cells of the other one.
   *
   * @return whether points were appended before; they are written after the next flush
   */
  public boolean stopAppending() {
    boolean before = appending;
    appending = before && !options.cells().ordersAppends();
    return before != appending;
  }

  boolean isAppending() {
    return appending;
  }

  /** Whether the journal has the points of open rows. */
  boolean isJournaled() {
    return journaled;
  }

  /**
   * Ends the use of the journal. The writers must have ended; rows that are still open stay in it,
   * which is logged. May be repeated.
   *
   * @throws UnsealedRowsException if there are such rows
   */
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (journaled) {
      RuntimeException failure =
          shards.stream().map(HeadShard::failure).filter(Objects::nonNull).findFirst().orElse(null);
      if (!rows.isEmpty()) {
        LOG.log(
            Level.WARNING,
            "the points of {0} rows are in the journal {1} only, and are written to their rows when"
                + " the store is opened again: {2}",
            rows.size(),
            journal.family(),
            failure == null ? "an error has ended the attempt" : failure.getMessage());
      }
      journal.trim(shards, true);
      if (!rows.isEmpty() && failure != null) {
        throw failure;
      }
    }
  }

  /** A store that reads the data table's rows with their open points, and forwards all else. */
  public KeyValueStore over(KeyValueStore behind) {
    return new HeadStore(behind, this, points, options.cells());
  }

  /** Rows, bytes and counts. */
  public HeadStats stats() {
    return new HeadStats(rows.size(), bytes.sum(), journal.bytes(), sealed.sum(), refused.sum());
  }

  /** The open row with this key, if there is one with points. */
  @Nullable OpenRow row(byte[] key) {
    OpenRow row = rows.get(key);
    return row == null || !row.isReadable() ? null : row;
  }

  /** Whether rows are open that a scan selects, and a test of their keys. */
  public boolean hasRows(Scan scan, Predicate<byte[]> test) {
    return rows(scan, Long.MAX_VALUE).stream().anyMatch(row -> test.test(row.key()));
  }

  /** The first open rows of a scan, ascending: at most this number. */
  List<OpenRow> rows(Scan scan, long most) {
    byte[] stop = scan.stop();
    NavigableMap<byte[], OpenRow> range =
        stop == null
            ? rows.tailMap(scan.start(), true)
            : rows.subMap(scan.start(), true, stop, false);
    List<OpenRow> found = new ArrayList<>();
    int passed = 0;
    for (OpenRow row : range.values()) {
      if (found.size() >= most) {
        break;
      }
      if (scan.filter().matches(row.key())) {
        found.add(row);
      }
      if (++passed % Scan.ROWS_PER_CHECK == 0) {
        scan.check().run();
      }
    }
    return found;
  }

  /** Shows a row to readers. May be repeated after an error. */
  @SuppressWarnings("ReferenceEquality")
  void show(OpenRow row) {
    OpenRow before = rows.put(row.key(), row);
    if (before != null && before != row && before.isReadable()) {
      throw new IllegalStateException("a row is open twice");
    }
  }

  void hide(OpenRow row) {
    rows.remove(row.key(), row);
  }

  /** Whether points of the row may have been sealed before this head was opened. */
  boolean beganLater(OpenRow row) {
    return row.baseTime() * 1000 < openedAt;
  }

  long nextRow() {
    return nextRow.getAndIncrement();
  }

  void grow(long more) {
    bytes.add(more);
  }

  void countSealed(int count) {
    sealed.add(count);
  }

  void countRefused(int count) {
    refused.add(count);
  }

  /** Why rows stay open if the journal is beyond twice its bound; null if it is not, or none do. */
  @Nullable RuntimeException journalFailure() {
    if (journal.bytes() > 2 * options.journalBytes()) {
      for (HeadShard shard : shards) {
        RuntimeException failure = shard.failure();
        if (failure != null) {
          return failure;
        }
      }
    }
    return null;
  }

  void announce(List<byte[]> keysOfRows) {
    announcements.before(keysOfRows);
  }

  void announced() {
    announcements.after();
  }

  void trim(boolean always) {
    journal.trim(shards, always);
  }

  HeadOptions options() {
    return options;
  }

  Backoff backoff() {
    return backoff;
  }

  KeyValueStore store() {
    return store;
  }

  Family points() {
    return points;
  }

  Journal journal() {
    return journal;
  }

  InstantSource clock() {
    return clock;
  }

  Retry retry() {
    return retry;
  }
}
