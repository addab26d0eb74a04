package org.hourstone.head;

import com.google.common.collect.Lists;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
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
 * hidden only after the data table has it, and closed after that: a reader never misses it, and
 * {@link HeadStore} reads it again if it was closed in between. Its life is a {@link HeadState}.
 * Thread-safe.
 */
public final class Head {
  private static final System.Logger LOG = System.getLogger("org.hourstone.head");

  /** Far fewer than {@link org.hourstone.kv.Limits#ROWS_PER_BATCH}. */
  private static final int ANNOUNCED_TOGETHER = 10_000;

  private final Place place;
  private final HeadParts parts;
  private final RowKey keys;
  private final Records records;
  private final Journal journal;
  private final VisibleRows rows;

  /** Null unless it is that of a writer to a shared store. */
  private final @Nullable WriterRecords writer;

  /** Is notified of rows that are sealed without the shards. */
  private WrittenRows written = WrittenRows.NONE;

  private final AtomicReference<HeadState> state = new AtomicReference<>(HeadState.EMPTY);

  /** What shards take over, in the order in which the rows were opened, until they have. */
  private List<OpenRow> replayed = List.of();

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
    this(
        new Place(store, points, journal, keys, options, clock, backoff, announcements),
        new OwnedRecords(store, journal));
  }

  /**
   * A head over a shared store, whose journal is that of a writer. Otherwise as above.
   *
   * @param token a random number, by which this head differs from all others of the writer
   */
  public static Head ofWriter(
      WriterOptions writer,
      long token,
      KeyValueStore store,
      Family points,
      Family journal,
      RowKey keys,
      HeadOptions options,
      InstantSource clock,
      Backoff backoff,
      Announcements announcements) {
    Place place = new Place(store, points, journal, keys, options, clock, backoff, announcements);
    Takeover takeover = place.takeover(token);
    return new Head(place, new WriterRecords(place.table(), writer, token, takeover, clock));
  }

  /** What heads over one store have in common. */
  private record Place(
      KeyValueStore store,
      Family points,
      Family journal,
      RowKey keys,
      HeadOptions options,
      InstantSource clock,
      Backoff backoff,
      Announcements announcements,
      Writers writers) {
    Place(
        KeyValueStore store,
        Family points,
        Family journal,
        RowKey keys,
        HeadOptions options,
        InstantSource clock,
        Backoff backoff,
        Announcements announcements) {
      this(
          store,
          points,
          journal,
          keys,
          options,
          clock,
          backoff,
          announcements,
          new Writers(store, points, journal, backoff, clock));
    }

    Retry retry() {
      return new Retry(options.sealing().attempts(), backoff);
    }

    WriterTable table() {
      return new WriterTable(store, journal, points.table(), retry());
    }

    Takeover takeover(long token) {
      return new Takeover(table(), writers, clock, token, records -> new Head(this, records));
    }

    /** With rows as journals of writers seal them, whatever the form of the own ones. */
    Place packed() {
      HeadOptions packed =
          new HeadOptions(
              options.bytes(),
              options.journalBytes(),
              options.buffering(),
              options.sealing(),
              options.cells().packed());
      return new Place(
          store, points, journal, keys, packed, clock, backoff, announcements, writers);
    }
  }

  private Head(Place place, Records records) {
    this.place = place;
    this.keys = place.keys;
    this.records = records;
    this.writer = records instanceof WriterRecords ofWriter ? ofWriter : null;
    this.rows = new VisibleRows(keys.schema());
    this.journal = new Journal(place.store, place.journal, records, place.retry(), place.clock);
    this.parts =
        new HeadParts(
            place.store,
            place.points,
            place.options,
            place.clock,
            place.clock.millis(),
            place.backoff,
            place.announcements,
            this.journal,
            state::get,
            rows,
            new AtomicBoolean(),
            new LongAdder(),
            new LongAdder(),
            new LongAdder(),
            new LongAdder());
  }

  /** Returns the state before. */
  private HeadState become(HeadState next) {
    HeadState before = state.getAndUpdate(now -> now.mayBecome(next) ? next : now);
    if (!before.mayBecome(next)) {
      throw new IllegalStateException("a head that is " + before + " can't become " + next);
    }
    return before;
  }

  /**
   * This is notified of rows that are sealed without the {@link #shards}: at the start, and those
   * of other writers. Called before {@link #begin}.
   */
  public void notifySealed(WrittenRows listener) {
    written = listener;
    if (writer != null) {
      writer.notifySealed(listener);
    }
  }

  /**
   * Begins to use the journal of a database that is alone on its store, or that of a writer, so
   * that no other one does. What a writer has left is sealed. Must be the first call; {@link
   * #close} must follow, whatever it throws.
   *
   * @throws org.hourstone.kv.StoreException REJECTED if the store is read-only; or if what was left
   *     can't be sealed
   */
  public void begin() {
    journal.begin();
    var unused = become(HeadState.OWNING);
  }

  /**
   * Its shards use the journal no more once they have sealed their rows. No effect unless they use
   * it.
   */
  public void retire() {
    boolean unused = state.compareAndSet(HeadState.JOURNALED, HeadState.RETIRED);
  }

  /**
   * Reads the journal into memory, once. If the journal is this head's own and its rows need more
   * than twice the memory that open rows may have, as after a process with a larger heap, all of
   * them are written to the data table instead: then no row is open.
   *
   * @throws org.hourstone.codec.CorruptDataException if a record can't be read; it is named
   * @throws IllegalArgumentException if it was written with other UID widths or another salt
   * @throws org.hourstone.kv.StoreException if rows must be written and can't be; nothing is lost
   */
  public void replay() {
    if (state.get() != HeadState.OWNING) {
      boolean unused = replay(Long.MAX_VALUE);
    } else if (!replay(2 * Math.min(parts.options().bytes(), Long.MAX_VALUE / 2))) {
      long sealed =
          PartwiseSealing.seal(
              () -> new Head(repeatable(), new ReadRecords(records)), written, this::count);
      journal.forgetReplayed();
      LOG.log(
          Level.INFO,
          "the journal {0} has {1} rows, more than there is memory for: they are written to the"
              + " data table",
          journal.family(),
          sealed);
      var unused = become(HeadState.REPLAYED);
    }
  }

  private void count(HeadStats ofPart) {
    parts.sealed().add(ofPart.sealed());
    parts.refused().add(ofPart.refused());
    parts.hidden().add(ofPart.hidden());
  }

  /** Where a row that is sealed twice gets the same cells: appends would add its points again. */
  private Place repeatable() {
    return place.options.cells().form() == CellForm.APPENDED ? place.packed() : place;
  }

  /** Returns false if it takes more memory: then no row is shown. */
  private boolean replay(long mostBytes) {
    Replay replay = new Replay(keys, parts.clock(), 0, mostBytes);
    boolean isRemembered = journal.replay(replay::read, mostBytes);
    if (isRemembered && replay.end() == Long.MAX_VALUE) {
      show(replay);
      return true;
    }
    journal.numberRowsFrom(replay.nextRow());
    return false;
  }

  /**
   * As {@link #replay}, but of a journal whose records are not trimmed here, and only as many of
   * its rows as there is memory for.
   *
   * @param from the number of the first row
   * @return the number of the first one that is left for another head; {@link Long#MAX_VALUE} if
   *     none is
   */
  long replayPart(long from) {
    Replay replay = new Replay(keys, parts.clock(), from, parts.options().bytes());
    journal.read(replay::read);
    show(replay);
    return replay.end();
  }

  private void show(Replay replay) {
    List<OpenRow> open = List.copyOf(replay.rows());
    open.forEach(rows::show);
    journal.numberRowsFrom(replay.nextRow());
    boolean owns = state.get() == HeadState.OWNING;
    replayed = owns ? open : List.of();
    var unused = become(owns ? HeadState.REPLAYED : HeadState.SHOWING);
  }

  /**
   * Announces the rows that were replayed: whoever wrote them may not have announced them, as if
   * records were loaded from another store.
   */
  public void announceReplayed() {
    for (List<OpenRow> part : Lists.partition(replayed, ANNOUNCED_TOGETHER)) {
      List<byte[]> some = part.stream().map(OpenRow::key).toList();
      int begun = parts.announcements().begin();
      try {
        parts.announcements().changing(0, Long.MAX_VALUE, () -> some);
        parts.announcements().showing(some, () -> {});
        parts.announcements().after();
      } finally {
        parts.announcements().end(begun);
      }
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
    boolean journaled = acknowledgement == Acknowledgement.JOURNAL;
    var unused = become(journaled ? HeadState.JOURNALED : HeadState.DIRECT);
    CellOptions cells = parts.options().cells();
    parts.appending().set(cells.form() == CellForm.APPENDED && (alone || !cells.ordersAppends()));
    List<HeadShard> shards = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      shards.add(new HeadShard(parts, acknowledgement, count, written));
    }
    journal.usedBy(shards.stream().map(HeadShard::records).toList());
    if (journaled) {
      adoptReplayed(shards);
      journal.clean();
    }
    return List.copyOf(shards);
  }

  /** The order of the rows is that of their first records. */
  private void adoptReplayed(List<HeadShard> shards) {
    for (OpenRow row : replayed) {
      int shard = Math.floorMod(Arrays.hashCode(keys.tsuid(row.key())), shards.size());
      shards.get(shard).adopt(row);
    }
    replayed = List.of();
  }

  /** The writers of the store, if it is shared. */
  public Writers writers() {
    return place.writers;
  }

  /**
   * The journals of the writers of a shared store.
   *
   * @param token a random number
   * @param lease of writers whose state does not say it
   */
  public WriterJournals journals(long token, Duration lease) {
    Place packed = place.packed();
    return new WriterJournals(
        place.writers,
        packed.table(),
        packed.takeover(token),
        place.clock,
        keys,
        place.options.bytes(),
        token,
        lease);
  }

  /** Renews the lease of the writer, whose journal others take over otherwise. */
  public void renewLease() {
    if (writer != null) {
      writer.renew(journal.sealedUntil());
    }
  }

  /**
   * Seals the rows of other writers whose lease has run out. For one thread at a time.
   *
   * @throws RuntimeException if those of one can't be sealed; the others are
   */
  public void sealExpired() {
    if (writer != null) {
      writer.sealExpired();
    }
  }

  /** Why points are refused, since another process has the journal; null if it has not. */
  public @Nullable String lost() {
    return journal.lost();
  }

  /**
   * Another database is going to write to the store: points that are written from now on become
   * cells of their own where appends would follow cells of the other one.
   *
   * @return whether points were appended before; they are written after the next flush
   */
  public boolean stopAppending() {
    return parts.options().cells().ordersAppends() && parts.appending().getAndSet(false);
  }

  /**
   * Ends the use of the journal. The writers must have ended; rows that are still open stay in it,
   * which is logged. May be repeated.
   *
   * @throws UnsealedRowsException if there are such rows
   */
  public synchronized void close() {
    HeadState before = become(HeadState.CLOSED);
    if (!before.isJournaled()) {
      return;
    }
    RuntimeException failure = journal.failure();
    if (rows.size() > 0) {
      LOG.log(
          Level.WARNING,
          "the points of {0} rows are in the journal {1} only, and are written to their rows when"
              + " the store is opened again: {2}",
          rows.size(),
          journal.family(),
          failure == null ? "an error has ended the attempt" : failure.getMessage());
    }
    journal.trim(true);
    if (rows.size() == 0) {
      journal.end();
    } else if (failure != null) {
      throw failure;
    }
  }

  /** A store that reads the data table's rows with their open points, and forwards all else. */
  public KeyValueStore over(KeyValueStore behind) {
    return new HeadStore(behind, rows, parts.points(), parts.options().cells());
  }

  /** Whether the row with this key has points that are not in the data table yet. */
  public boolean isOpen(byte[] key) {
    return rows.row(key) != null;
  }

  /** Rows, bytes and counts. */
  public HeadStats stats() {
    return new HeadStats(
        rows.size(),
        parts.bytes().sum(),
        journal.bytes(),
        journal.ageSeconds(),
        parts.sealed().sum() + (writer == null ? 0 : writer.sealed()),
        parts.refused().sum() + (writer == null ? 0 : writer.refused()),
        parts.hidden().sum() + (writer == null ? 0 : writer.hidden()),
        writer == null ? 0 : writer.takeovers());
  }

  /** Whether rows are open that a scan selects, and a test of their keys. */
  public boolean hasRows(Scan scan, Predicate<byte[]> test) {
    return rows.rows(scan, Long.MAX_VALUE).stream().anyMatch(row -> test.test(row.key()));
  }
}
