package org.hourstone.head;

import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The open rows of a share of the series. For the thread that adds points, except {@link #needed},
 * {@link #closeBy} and {@link #giveUpSoon}.
 *
 * <p>Without a journal others wait for the points of a row: they are notified once, when it was
 * sealed or could not be. A row has its points and those who wait for them, or neither.
 *
 * <p>With a journal a point is in an open row, and readers see it, only after its record was
 * stored. An open row leaves the head only after the data table has accepted its cells, and records
 * are trimmed only when no open row has points in them: whatever fails, an acknowledged point is in
 * the data table or in a record. When rows have been sealed, a record says so before anything else
 * is done with their series, and before a deletion beside it is acknowledged: a replay never brings
 * back points that were changed or deleted since.
 */
public final class HeadShard {
  /** A record is stored when it has this size, which is far below the maximum of a cell. */
  private static final int RECORD_BYTES = 256 << 10;

  private final Head head;
  private final HeadOptions options;
  private final long mostBytes;
  private final WrittenRows written;
  private final WriteCounts counts = new WriteCounts();
  private final RecordWriter record = new RecordWriter();
  private final RowSealer sealer;

  /** JOURNAL until other databases may write to the store, then NONE; else what it was first. */
  private Acknowledgement acknowledgement;

  /** Rows that readers don't see yet: those that begin in the record that is being built. */
  private final Map<Bytes, OpenRow> fresh = new LinkedHashMap<>();

  /** In the order in which they were opened, and so of their first records. */
  private final Set<OpenRow> rows = new LinkedHashSet<>();

  private final DueRows dueRows;

  /** Rows that records may know and that are open no more, which no record says yet. */
  private final List<OpenRow> unmarked = new ArrayList<>();

  /** Rows that are being sealed. */
  private List<OpenRow> due = List.of();

  /** Whether rows of the journal are shown, and it is not known yet that they may be. */
  private boolean isUnannounced;

  /** How many points others wait for. */
  private long points;

  private long bytes;

  /** How much of that the head knows. */
  private long reportedBytes;

  /** Why rows could not be sealed the last time; null if they could. */
  private volatile @Nullable RuntimeException failure;

  private volatile long needed = Long.MAX_VALUE;

  /**
   * @param threads how many shards there are
   */
  HeadShard(Head head, Acknowledgement acknowledgement, int threads, WrittenRows written) {
    this.head = head;
    this.options = head.options();
    this.acknowledgement = acknowledgement;
    this.mostBytes =
        acknowledgement == Acknowledgement.JOURNAL
            ? Math.max(1, options.bytes() / threads)
            : options.buffering().bytes();
    this.dueRows = new DueRows(head, mostBytes);
    this.written = written;
    this.sealer = new RowSealer(head, threads, written, counts, new SealedRows());
  }

  /** Takes a row that was replayed; called in the order of the rows' first records. */
  void adopt(OpenRow row) {
    rows.add(row);
    grow(row.memory());
    report();
    needed = Math.min(needed, row.firstRecord());
  }

  private void grow(long more) {
    bytes += more;
  }

  /** Counts for the head what the rows take now. */
  private void report() {
    head.grow(bytes - reportedBytes);
    reportedBytes = bytes;
  }

  /** How many points and cells were stored, and how many failed. */
  public WriteCounts counts() {
    return counts;
  }

  /** The oldest record with points of an open row, or a record that is being stored. */
  long needed() {
    return needed;
  }

  /** Called by the journal before it gives out another number. */
  void needs(long number) {
    needed = Math.min(needed, number);
  }

  private void forgetRecords() {
    long oldest = rows.isEmpty() ? Long.MAX_VALUE : rows.iterator().next().firstRecord();
    for (OpenRow row : unmarked) {
      oldest = Math.min(oldest, row.firstRecord());
    }
    needed = oldest;
  }

  /** Whether it has neither open rows nor a record to store. */
  public boolean isEmpty() {
    return rows.isEmpty() && unmarked.isEmpty();
  }

  /** Whether others wait for points of open rows. */
  public boolean isAwaited() {
    return points > 0;
  }

  /** Whether the points added should be committed before others are. */
  public boolean isRecordFull() {
    return record.bytes() > RECORD_BYTES;
  }

  /**
   * Fails if no more points should be added: rows or the journal are beyond twice their bound,
   * since rows can't be written to the data table.
   *
   * @throws StoreException NOT_APPLIED
   */
  public void checkRoom() {
    RuntimeException reason = bytes > 2 * mostBytes ? failure : null;
    reason = reason == null ? head.journalFailure() : reason;
    if (reason != null) {
      throw new StoreException(Outcome.NOT_APPLIED, "the head is full: " + reason.getMessage());
    }
  }

  /** Why rows stay open; null if none do. */
  @Nullable RuntimeException failure() {
    return failure;
  }

  /** As {@link RowSealer#closeBy}; afterwards no attempt at storing a record is repeated. */
  public void closeBy(Deadline latest) {
    sealer.closeBy(latest);
  }

  /** As {@link RowSealer#giveUpSoon}. */
  public void giveUpSoon(boolean soon) {
    sealer.giveUpSoon(soon);
  }

  /** When points are acknowledged now. */
  public Acknowledgement acknowledgement() {
    return acknowledgement;
  }

  /**
   * The row for the next points of a series.
   *
   * @param last the one for its points before; null for the first
   * @param waiting makes those who wait for the points of a new row, unless the journal has these
   */
  public OpenRow row(@Nullable OpenRow last, byte[] key, long baseTime, Supplier<Waiting> waiting) {
    if (last != null && !last.isClosed()) {
      pass(last);
    }
    OpenRow row = find(key);
    if (row == null) {
      row = open(last, key, baseTime, waiting);
    }
    row.resume();
    return row;
  }

  private @Nullable OpenRow find(byte[] key) {
    OpenRow seen = acknowledgement == Acknowledgement.NONE ? null : head.row(key);
    return seen == null || seen.isClosed() ? fresh.get(new Bytes(key)) : seen;
  }

  private OpenRow open(
      @Nullable OpenRow last, byte[] key, long baseTime, Supplier<Waiting> waiting) {
    OpenRow row;
    if (acknowledgement == Acknowledgement.JOURNAL) {
      row = new OpenRow(key, baseTime, head.nextRow(), head.clock().millis(), last, null);
      record.open(row);
    } else {
      long now = acknowledgement == Acknowledgement.INTERVAL ? head.clock().millis() : 0;
      row = new OpenRow(key, baseTime, 0, now, last, waiting.get());
      rows.add(row);
      grow(row.memory());
    }
    fresh.put(new Bytes(key), row);
    return row;
  }

  private void pass(OpenRow row) {
    row.pass();
    dueRows.pass(row);
  }

  /**
   * Whether a row has a point that must be written before one at this offset, which is to be added
   * to another row then. One with the same qualifier is replaced, unless it is dated: then none
   * shares its cell.
   */
  public boolean precedes(OpenRow row, int offset, boolean millis, int flags) {
    if (!options.cells().separatesDuplicates()) {
      return false;
    }
    Integer present = row.code(offset);
    return present != null && (options.cells().dated() || present != OpenRow.code(millis, flags));
  }

  /** Allocates what the next {@link #addWaiting} needs, which then can't fail. */
  public void makeRoom(OpenRow row) {
    grow(row.makeRoom());
  }

  /**
   * Adds a point for which another waits, who has to be added to the row's. The parameters are
   * those of {@link #add}.
   */
  public void addWaiting(OpenRow row, int offset, boolean millis, int flags, long raw) {
    row.add(offset, millis, flags, raw);
    grow(OpenRow.WAITING_BYTES);
    points++;
  }

  /** A caller waits for a point of the row. */
  public void await(OpenRow row) {
    dueRows.await(row);
  }

  /** A caller waits for points of the row with this key, if there is one. */
  public void await(byte[] key) {
    OpenRow row = acknowledgement == Acknowledgement.INTERVAL ? find(key) : null;
    if (row != null) {
      dueRows.await(row);
    }
  }

  /**
   * Adds a point, which is neither stored nor seen before {@link #commit}.
   *
   * @param row from {@link #row}, and not sealed since
   * @param offset milliseconds from its base time
   * @param millis whether its timestamp is in milliseconds
   * @param flags of the point's qualifier
   * @param raw value, see {@link org.hourstone.codec.Value}
   */
  public void add(OpenRow row, int offset, boolean millis, int flags, long raw) {
    record.add(row, offset, millis, flags, raw);
  }

  /**
   * Stores the points added, and shows them to readers.
   *
   * @throws StoreException if they are not stored, none of them, or if that is unknown
   */
  public void commit() {
    if (record.isEmpty()) {
      showWaiting();
      return;
    }
    boolean opens = !fresh.isEmpty();
    try {
      unmarked.forEach(row -> record.addSealed(row.number()));
      long number = head.journal().begin(this);
      fresh.values().forEach(row -> row.isIn(number));
      byte[] value = record.build();
      if (opens) {
        head.announce(keys(fresh.values()));
      }
      head.journal().put(number, value, sealer::isLate);
      unmarked.clear();
      show();
    } catch (RuntimeException | Error e) {
      discard();
      throw e;
    }
    record.clear();
    fresh.clear();
    forgetRecords();
    isUnannounced |= opens;
    if (isUnannounced) {
      head.announced();
      isUnannounced = false;
    }
  }

  /** Shows rows to readers for whose points others wait. */
  private void showWaiting() {
    report();
    if (acknowledgement != Acknowledgement.INTERVAL || fresh.isEmpty()) {
      return;
    }
    try {
      head.announce(keys(fresh.values()));
    } catch (RuntimeException e) {
      return; // they are shown later, or once they are written, which announces them, too
    }
    fresh.values().forEach(head::show);
    fresh.clear();
    head.announced();
  }

  private static List<byte[]> keys(Collection<OpenRow> rows) {
    return Lists.newArrayList(Lists.transform(List.copyOf(rows), OpenRow::key));
  }

  private void show() {
    long more = 0;
    for (OpenRow row : fresh.values()) {
      more += row.memory();
    }
    more += record.apply();
    for (OpenRow row : fresh.values()) {
      head.show(row);
      rows.add(row);
    }
    grow(more);
    report();
  }

  /**
   * Forgets the points added since the last commit. Their record may be stored nevertheless: its
   * new rows must not come back later. May be repeated until it ends without an error.
   */
  private void discard() {
    for (OpenRow row : fresh.values()) {
      if (!rows.contains(row)) {
        row.close();
        unmarked.add(row);
        head.hide(row);
      }
    }
    record.clear();
    fresh.values().removeIf(OpenRow::isJournaled);
    forgetRecords();
  }

  /**
   * Discards the points being added to the journal, fails those that were being written, and
   * completes what an error has interrupted: after anything was thrown that is not an exception of
   * the store. May be repeated until it ends without an error.
   *
   * @param all whether the points of all rows fail for which others wait
   */
  public void recover(boolean all, RuntimeException reason) {
    discard();
    if (all) {
      due = List.copyOf(rows);
    }
    failDue(reason);
    for (OpenRow row : List.copyOf(rows)) {
      if (row.isClosed()) {
        forget(row);
      }
    }
    long counted = 0;
    for (OpenRow row : rows) {
      counted += row.memory();
    }
    grow(counted - bytes);
    report();
    points = rows.stream().mapToLong(OpenRow::points).sum();
    dueRows.examineAll();
    forgetRecords();
  }

  /**
   * Seals all rows. If the head is retired, that was the last time that a journal had some: a point
   * that stayed here, or in a record, could be sealed after a later one of another database.
   *
   * @throws StoreException if some could not be written; they stay open
   */
  public void sealAll() {
    seal(rows);
    if (acknowledgement == Acknowledgement.JOURNAL && head.isRetired()) {
      acknowledgement = Acknowledgement.NONE;
    }
    trim(true);
  }

  /** Seals a row that others wait for. */
  public void seal(OpenRow row) {
    seal(List.of(row));
  }

  /**
   * Seals the rows that are due, and the oldest ones if there are too many. Those of a journal that
   * can't be written stay open.
   *
   * @throws StoreException as {@link #sealAll}
   */
  public void sealDue() {
    switch (acknowledgement) {
      case NONE -> seal(rows);
      case INTERVAL -> seal(dueRows.byInterval(rows, points, bytes));
      case JOURNAL -> {
        Set<OpenRow> found = dueRows.byHour(rows, bytes);
        if (found != null) {
          seal(found);
          trim(false);
        }
      }
    }
  }

  /** After how many milliseconds rows may be due, although no more points arrive. */
  public long millisUntilDue() {
    return acknowledgement == Acknowledgement.JOURNAL
        ? DueRows.LOOK_MILLIS
        : dueRows.millisUntilDue(rows);
  }

  /** Makes those rows due that a caller waits for by now. */
  public void addAwaited() {
    if (acknowledgement == Acknowledgement.INTERVAL) {
      dueRows.addAwaited(rows);
    }
  }

  private void seal(Collection<OpenRow> found) {
    due = withPoints(found);
    if (due.isEmpty() && unmarked.isEmpty()) {
      failure = null;
      return;
    }
    try {
      mark();
      sealer.write(head.points(), due);
      failure = null;
    } catch (RuntimeException e) {
      failure = e;
      failDue(e);
      throw e;
    } finally {
      report();
    }
    due = List.of();
  }

  /** Rows without those to which no point could be added, for example for lack of memory. */
  private List<OpenRow> withPoints(Collection<OpenRow> found) {
    List<OpenRow> all = new ArrayList<>(found.size());
    for (OpenRow row : List.copyOf(found)) {
      Waiting waiting = row.waiting();
      if (waiting != null && waiting.size() == 0) {
        forget(row);
      } else {
        all.add(row);
      }
    }
    return all;
  }

  /** Fails those who wait for rows that were being written; all of them are open. */
  private void failDue(RuntimeException reason) {
    for (OpenRow row : due) {
      if (row.waiting() != null) {
        sealer.fail(List.of(row), reason);
      }
    }
    due = List.of();
  }

  /** Writes ready-made cells, and tells those who wait for them. */
  public void write(Family family, Collection<? extends Sealable> cells) {
    sealer.write(family, cells);
  }

  /** Fails ready-made cells. */
  public void fail(Collection<? extends Sealable> cells, RuntimeException reason) {
    sealer.fail(cells, reason);
  }

  private final class SealedRows implements RowSealer.Listener {
    /** Readers must not see a point as the newest once others may know that it is stored. */
    @Override
    public void applied(List<? extends Sealable> batch) {
      for (Sealable each : batch) {
        Waiting waiting = each.waiting();
        if (each instanceof OpenRow row && waiting != null && waiting.end() == waiting.size()) {
          close(row);
        }
      }
    }

    @Override
    public void sealed(List<? extends Sealable> batch, Set<OpenRow> shared) {
      List<byte[]> toCompact = new ArrayList<>();
      int sealed = 0;
      boolean journaled = false;
      for (Sealable each : batch) {
        if (each instanceof OpenRow row && isOver(row)) {
          sealed++;
          journaled |= row.isJournaled();
          if (shared.contains(row)) {
            toCompact.add(row.key());
          }
          forget(row);
        }
      }
      head.countSealed(sealed);
      if (journaled) {
        ForeignCode.run(() -> written.sealed(toCompact));
        mark();
        forgetRecords();
      }
    }

    @Override
    public void failed(Sealable each) {
      if (each instanceof OpenRow row && isOver(row)) {
        forget(row);
      }
    }

    /** Whether no one waits for it any more. */
    private boolean isOver(OpenRow row) {
      Waiting waiting = row.waiting();
      return waiting == null || waiting.isOver();
    }
  }

  private void close(OpenRow row) {
    if (!row.isClosed()) {
      Waiting waiting = row.waiting();
      points -= waiting == null ? 0 : waiting.size();
      grow(-row.memory());
      row.close();
    }
  }

  /**
   * Closes a row that the data table has, or that no one waits for any more. It stays among the
   * rows until the last step, so that {@link #recover} can take the steps that an error has left
   * out.
   */
  private void forget(OpenRow row) {
    close(row);
    if (row.isJournaled()) {
      unmarked.add(row);
    } else {
      dueRows.remove(row);
      fresh.remove(new Bytes(row.key()), row);
    }
    head.hide(row);
    rows.remove(row);
    row.release();
  }

  /** Stores a record of what was sealed. The points being added are in the next record. */
  private void mark() {
    if (unmarked.isEmpty()) {
      return;
    }
    RecordWriter marks = new RecordWriter();
    unmarked.forEach(row -> marks.addSealed(row.number()));
    long number = head.journal().begin(this);
    head.journal().put(number, marks.build(), sealer::isLate);
    unmarked.clear();
    forgetRecords();
  }

  /** Deletes records that aren't needed; records that can't be deleted now are deleted later. */
  private void trim(boolean always) {
    if (!head.isJournaled()) {
      return;
    }
    try {
      head.trim(always);
    } catch (StoreException e) {
      // The next trim deletes them.
      if (e.outcome() == Outcome.REJECTED) {
        throw e;
      }
    }
  }
}
