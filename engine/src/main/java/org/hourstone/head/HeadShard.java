package org.hourstone.head;

import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Lists;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.hourstone.codec.Timestamps;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The open rows of a share of the series. For the thread that adds points, except {@link #needed}
 * and {@link #closeBy}.
 *
 * <p>A point is in an open row, and readers see it, only after its journal record was stored. An
 * open row leaves the head only after the data table has accepted its cells, and records are
 * trimmed only when no open row has points in them: whatever fails, an acknowledged point is in the
 * data table or in a record. When rows have been sealed, a record says so before anything else is
 * done with their series, and before a deletion beside it is acknowledged: a replay never brings
 * back points that were changed or deleted since.
 */
public final class HeadShard {
  /** How long after its hour a row is sealed, and over how long the rows of an hour are spread. */
  private static final long GRACE_MILLIS = 300_000;

  private static final int SPREAD_MILLIS = 600_000;

  /** A record is stored when it has this size, which is far below the maximum of a cell. */
  private static final int RECORD_BYTES = 256 << 10;

  /** How often the rows are examined. */
  public static final long LOOK_MILLIS = 5_000;

  private final Head head;
  private final HeadOptions options;
  private final long mostBytes;
  private final Consumer<List<byte[]>> sealing;
  private final RecordWriter record = new RecordWriter();
  private final RowSealing writing;

  /** Rows that begin in the record that is being built. */
  private final Map<Bytes, OpenRow> fresh = new HashMap<>();

  /** In the order in which they were opened, and so of their first records. */
  private final Set<OpenRow> rows = new LinkedHashSet<>();

  /** Rows whose series have gone on to other rows, and whose hours were over long before. */
  private final List<OpenRow> passed = new ArrayList<>();

  /** Rows that records may know and that are open no more, which no record says yet. */
  private final List<OpenRow> unmarked = new ArrayList<>();

  private long bytes;
  private long lookedAt;

  /** When all rows were examined, and before when none is due by its time. */
  private long examinedAt;

  private long nextDue;
  private boolean takesPoints = true;

  /** Why rows could not be sealed the last time; null if they could. */
  private volatile @Nullable RuntimeException failure;

  private volatile long needed = Long.MAX_VALUE;
  private volatile @Nullable Deadline deadline;

  /**
   * @param sealing is notified of the keys of rows that were sealed and have other cells, or will
   *     have
   */
  HeadShard(Head head, HeadOptions options, long mostBytes, Consumer<List<byte[]>> sealing) {
    this.head = head;
    this.options = options;
    this.mostBytes = mostBytes;
    this.sealing = sealing;
    this.writing = new RowSealing(head, options, this::isLate, this::sealed);
  }

  /** Takes a row that was replayed; called in the order of the rows' first records. */
  void adopt(OpenRow row) {
    rows.add(row);
    grow(row.memory());
    needed = Math.min(needed, row.firstRecord());
  }

  private void grow(long more) {
    bytes += more;
    head.grow(more);
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

  /** After this no attempt at a call of the store is repeated. */
  public void closeBy(Deadline latest) {
    deadline = latest;
  }

  private boolean isLate() {
    Deadline latest = deadline;
    return latest != null && latest.isOver(head.clock());
  }

  /**
   * The row for the next points of a series.
   *
   * @param last the one for its points before; null for the first
   */
  public OpenRow row(@Nullable OpenRow last, byte[] key, long baseTime) {
    if (last != null && !last.isClosed()) {
      pass(last);
    }
    OpenRow row = head.row(key);
    if (row == null || row.isClosed()) {
      row = fresh.get(new Bytes(key));
    }
    if (row == null) {
      row = new OpenRow(key, baseTime, head.nextRow(), head.clock().millis(), last);
      fresh.put(new Bytes(key), row);
      record.open(row);
    }
    row.resume();
    return row;
  }

  private void pass(OpenRow row) {
    row.pass();
    if (head.clock().millis() >= dueByHour(row)) {
      passed.add(row);
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
      return;
    }
    boolean opens = !fresh.isEmpty();
    try {
      unmarked.forEach(row -> record.addSealed(row.number()));
      long number = head.journal().begin(this);
      fresh.values().forEach(row -> row.isIn(number));
      byte[] value = record.build();
      if (opens) {
        head.announce(
            Lists.newArrayList(Lists.transform(List.copyOf(fresh.values()), OpenRow::key)));
      }
      head.journal().put(number, value, this::isLate);
      unmarked.clear();
      show();
    } catch (RuntimeException | Error e) {
      discard();
      throw e;
    }
    record.clear();
    fresh.clear();
    forgetRecords();
    if (opens) {
      head.announced();
    }
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
    fresh.clear();
    forgetRecords();
  }

  /**
   * Discards the points being added, and completes what an error has interrupted: after anything
   * was thrown that is not an exception of the store. May be repeated until it ends without an
   * error.
   */
  public void recover() {
    discard();
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
    nextDue = 0;
    forgetRecords();
  }

  /**
   * Seals all rows. If the head is retired, that was the last time that it had some.
   *
   * @throws StoreException if some could not be written; they stay open
   */
  public void sealAll() {
    seal(List.copyOf(rows));
    takesPoints = !head.isRetired();
    trim(true);
  }

  /**
   * Whether points may be added; else they are to be written to the data table without the head. So
   * it is once other databases may write there: a point that stayed here, or in a record, could be
   * sealed after a later one of theirs.
   */
  public boolean takesPoints() {
    return takesPoints;
  }

  /**
   * Seals the rows that are due, and the oldest ones if memory or journal are beyond their bounds.
   * Those that can't be written stay open.
   *
   * @throws StoreException as {@link #sealAll}
   */
  public void sealDue() {
    long now = head.clock().millis();
    boolean look = now - lookedAt >= LOOK_MILLIS || now < lookedAt;
    boolean tooMany = bytes > mostBytes;
    if (!look && !tooMany && passed.size() < options.batchPoints()) {
      return;
    }
    Set<OpenRow> due = new LinkedHashSet<>(passed); // a row may be there more than once
    passed.clear();
    due.removeIf(row -> !row.isPassed());
    if (look || tooMany) {
      lookedAt = now;
      collectDue(now, due);
    }
    seal(due);
    trim(false);
  }

  private void collectDue(long now, Set<OpenRow> due) {
    long after = head.journal().bytes() > options.journalBytes() ? oldestToKeep() : 0;
    long tooMuch = bytes > mostBytes ? bytes - mostBytes / 8 * 7 : 0;
    boolean byTime = now < examinedAt || now >= nextDue;
    long next = now + GRACE_MILLIS; // rows that are opened later are not due before
    for (OpenRow row : rows) {
      if (!byTime && row.firstRecord() >= after && tooMuch <= 0) {
        return; // and so are those after it
      }
      long dueAt = Math.max(dueByHour(row), row.openedAt() + GRACE_MILLIS);
      if (now >= dueAt || now < row.openedAt() || row.firstRecord() < after || tooMuch > 0) {
        tooMuch -= row.memory();
        due.add(row);
        next = now; // it may stay open
      } else {
        next = Math.min(next, dueAt);
      }
    }
    if (byTime) {
      examinedAt = now;
      nextDue = next;
    }
  }

  private long oldestToKeep() {
    Long record = head.journal().after(options.journalBytes() / 4 * 3);
    return record == null ? Long.MAX_VALUE : record;
  }

  /** When a row is sealed of which no point arrives any more. */
  static long dueByHour(OpenRow row) {
    int spread = Math.floorMod(Arrays.hashCode(row.key()), SPREAD_MILLIS);
    return row.baseTime() * 1000 + Timestamps.ROW_MILLIS + GRACE_MILLIS + spread;
  }

  private void seal(Collection<OpenRow> due) {
    try {
      mark();
      writing.write(List.copyOf(due));
      failure = null;
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }

  /**
   * Closes rows that the data table has.
   *
   * @param notApplied those of the batch that it has not
   * @param shared those whose points are in several cells
   */
  private void sealed(List<OpenRow> batch, Iterable<OpenRow> notApplied, Set<OpenRow> shared) {
    Set<OpenRow> open = ImmutableSet.copyOf(notApplied);
    List<byte[]> toCompact = new ArrayList<>();
    int sealed = 0;
    for (OpenRow row : batch) {
      if (!open.contains(row)) {
        sealed++;
        if (shared.contains(row)) {
          toCompact.add(row.key());
        }
        forget(row);
      }
    }
    if (sealed > 0) {
      head.countSealed(sealed);
      ForeignCode.run(() -> sealing.accept(toCompact));
      mark();
    }
    forgetRecords();
  }

  /**
   * Closes a row that the data table has. It stays among the rows until the last step, so that
   * {@link #recover} can take the steps that an error has left out.
   */
  private void forget(OpenRow row) {
    if (!row.isClosed()) {
      grow(-row.memory());
      row.close();
    }
    unmarked.add(row);
    head.hide(row);
    rows.remove(row);
  }

  /** Stores a record of what was sealed. The points being added are in the next record. */
  private void mark() {
    if (unmarked.isEmpty()) {
      return;
    }
    RecordWriter marks = new RecordWriter();
    unmarked.forEach(row -> marks.addSealed(row.number()));
    long number = head.journal().begin(this);
    head.journal().put(number, marks.build(), this::isLate);
    unmarked.clear();
    forgetRecords();
  }

  /** Deletes records that aren't needed; records that can't be deleted now are deleted later. */
  private void trim(boolean always) {
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
