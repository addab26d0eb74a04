package org.hourstone.head;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.hourstone.internal.Deadline;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The open rows of a share of the series. For the thread that adds points, except {@link #closeBy}.
 *
 * <p>A row has its points and those who wait for them, or neither. With a journal no one waits: its
 * record has the points, see {@link ShardRecords}. Without one others wait for the points of a row:
 * they are notified once, when it was sealed or could not be. An open row leaves the head only as
 * {@link ShardSealing} says: whatever fails, an acknowledged point is in the data table or in a
 * record.
 */
public final class HeadShard {
  private final HeadParts head;
  private final HeadOptions options;
  private final long mostBytes;
  private final WriteCounts counts = new WriteCounts();
  private final ShardRows rows;
  private final ShardRecords records;
  private final UnseenRows unseen;
  private final DueRows dueRows;
  private final ShardSealing sealing;

  /** JOURNAL until other databases may write to the store, then NONE; else what it was first. */
  private Acknowledgement acknowledgement;

  /**
   * @param threads how many shards there are
   */
  HeadShard(HeadParts head, Acknowledgement acknowledgement, int threads, WrittenRows written) {
    this.head = head;
    this.options = head.options();
    this.acknowledgement = acknowledgement;
    this.mostBytes =
        acknowledgement == Acknowledgement.JOURNAL
            ? Math.max(1, options.bytes() / threads)
            : options.buffering().bytes();
    this.rows = new ShardRows(head.bytes());
    this.records = new ShardRecords(head, rows, this::isLate);
    this.unseen = new UnseenRows(head);
    this.dueRows = new DueRows(head, mostBytes);
    this.sealing = new ShardSealing(head, threads, written, counts, rows, records, unseen, dueRows);
  }

  private boolean isLate() {
    return sealing.isLate();
  }

  /** Takes a row that was replayed; called in the order of the rows' first records. */
  void adopt(OpenRow row) {
    rows.add(row);
    rows.grow(row.memory());
    rows.report();
    records.needs(row.firstRecord());
  }

  ShardRecords records() {
    return records;
  }

  /** How many points and cells were stored, and how many failed. */
  public WriteCounts counts() {
    return counts;
  }

  /** Whether it has neither open rows nor a record to store. */
  public boolean isEmpty() {
    return rows.isEmpty() && records.isMarked();
  }

  /** Whether others wait for points of open rows. */
  public boolean isAwaited() {
    return rows.points() > 0;
  }

  /** Whether the points added should be committed before others are. */
  public boolean isRecordFull() {
    return records.isFull();
  }

  /**
   * Fails if no more points should be added: rows or the journal are beyond twice their bound,
   * since rows can't be written to the data table; or another process has the journal now.
   *
   * @throws StoreException NOT_APPLIED
   */
  public void checkRoom() {
    String lost = head.journal().lost();
    if (lost != null) {
      throw new StoreException(Outcome.NOT_APPLIED, lost);
    }
    RuntimeException reason = rows.bytes() > 2 * mostBytes ? records.failure() : null;
    reason = reason == null ? head.journalFailure() : reason;
    if (reason != null) {
      throw new StoreException(Outcome.NOT_APPLIED, "the head is full: " + reason.getMessage());
    }
  }

  /** As {@link RowSealer#closeBy}; afterwards no attempt at storing a record is repeated. */
  public void closeBy(Deadline latest) {
    sealing.closeBy(latest);
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
    OpenRow seen = acknowledgement == Acknowledgement.NONE ? null : head.rows().row(key);
    if (seen != null && !seen.isClosed()) {
      return seen;
    }
    return acknowledgement == Acknowledgement.JOURNAL ? records.fresh(key) : unseen.row(key);
  }

  private OpenRow open(
      @Nullable OpenRow last, byte[] key, long baseTime, Supplier<Waiting> waiting) {
    if (acknowledgement == Acknowledgement.JOURNAL) {
      return records.open(key, baseTime, last);
    }
    long now = acknowledgement == Acknowledgement.INTERVAL ? head.clock().millis() : 0;
    OpenRow row = new OpenRow(key, baseTime, 0, now, last, waiting.get());
    rows.add(row);
    rows.grow(row.memory());
    unseen.add(row);
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
    return present != null
        && (options.cells().dated() || present != OpenPoints.code(millis, flags));
  }

  /** Allocates what the next {@link #addWaiting} needs, which then can't fail. */
  public void makeRoom(OpenRow row) {
    rows.grow(row.makeRoom());
  }

  /**
   * Adds a point for which another waits, who has to be added to the row's. The parameters are
   * those of {@link #add}.
   */
  public void addWaiting(OpenRow row, int offset, boolean millis, int flags, long raw) {
    row.add(offset, millis, flags, raw);
    rows.addPoint();
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
    records.add(row, offset, millis, flags, raw);
  }

  /**
   * Stores the points added, and shows them to readers.
   *
   * @param givesUpSoon whether those who added them are content with one attempt once the store has
   *     failed all attempts of another record, until it accepts one
   * @throws StoreException if they are not stored, none of them, or if that is unknown
   */
  public void commit(BooleanSupplier givesUpSoon) {
    if (!records.isEmpty()) {
      records.commit(() -> sealing.isClosing() || givesUpSoon.getAsBoolean());
      return;
    }
    rows.report();
    if (acknowledgement == Acknowledgement.INTERVAL) {
      unseen.show();
    }
  }

  /**
   * Discards the points being added to the journal, fails those that were being written, and
   * completes what an error has interrupted: after anything was thrown that is not an exception of
   * the store. May be repeated until it ends without an error.
   *
   * @param all whether the points of all rows fail for which others wait
   */
  public void recover(boolean all, RuntimeException reason) {
    sealing.recover(all, reason);
  }

  /**
   * Seals all rows. If the head is retired, that was the last time that a journal had some: a point
   * that stayed here, or in a record, could be sealed after a later one of another database.
   *
   * @throws StoreException if some could not be written; they stay open. Or if another process has
   *     the journal, as it is not known whether it has written them yet.
   */
  public void sealAll() {
    if (isLost()) {
      throw new StoreException(Outcome.NOT_APPLIED, String.valueOf(head.journal().lost()));
    }
    sealing.seal(rows.all());
    if (acknowledgement == Acknowledgement.JOURNAL && head.state().get() == HeadState.RETIRED) {
      acknowledgement = Acknowledgement.NONE;
    }
    sealing.trim(true);
  }

  /** Whether another process has the journal, and seals its rows: they are not open here then. */
  private boolean isLost() {
    if (acknowledgement != Acknowledgement.JOURNAL || head.journal().lost() == null) {
      return false;
    }
    sealing.lose();
    return true;
  }

  /** Seals a row that others wait for. */
  public void seal(OpenRow row) {
    sealing.seal(List.of(row));
  }

  /**
   * Seals the rows that are due, and the oldest ones if there are too many. Those of a journal that
   * can't be written stay open.
   *
   * @throws StoreException as {@link #sealAll}
   */
  public void sealDue() {
    if (isLost()) {
      return;
    }
    switch (acknowledgement) {
      case NONE -> sealing.seal(rows.all());
      case INTERVAL -> sealing.seal(dueRows.byInterval(rows, rows.points(), rows.bytes()));
      case JOURNAL -> {
        Set<OpenRow> found = dueRows.byHour(rows, rows.bytes());
        if (found != null) {
          sealing.seal(found);
          sealing.trim(false);
        }
      }
    }
  }

  /** After how many milliseconds rows may be due, although no more points arrive. */
  public long millisUntilDue() {
    return acknowledgement == Acknowledgement.JOURNAL
        ? dueRows.lookMillis()
        : dueRows.millisUntilDue(rows);
  }

  /** Makes those rows due that a caller waits for by now. */
  public void addAwaited() {
    if (acknowledgement == Acknowledgement.INTERVAL) {
      dueRows.addAwaited(rows);
    }
  }

  /** Writes ready-made cells, and tells those who wait for them. */
  public void write(Family family, Collection<? extends Sealable> cells) {
    sealing.write(family, cells);
  }

  /** Fails ready-made cells. */
  public void fail(Collection<? extends Sealable> cells, RuntimeException reason) {
    sealing.fail(cells, reason);
  }
}
