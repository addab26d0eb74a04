package org.hourstone.head;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The journal records of a shard. For the thread of the shard, except {@link #needed} and {@link
 * #failure}.
 *
 * <p>A point is in an open row, and readers see it, only after its record was stored. Records are
 * trimmed only when no open row has points in them: {@link #needed} is never later than the first
 * such record, nor than one that is being stored. When rows have been sealed, a record says so
 * before anything else is done with their series, and before a deletion beside it is acknowledged:
 * a replay never brings back points that were changed or deleted since.
 */
final class ShardRecords implements Journal.User {
  /** A record is stored when it has this size, which is far below the maximum of a cell. */
  private static final int RECORD_BYTES = 256 << 10;

  /** How many rows a record says at most that they are open no more; each takes some bytes. */
  private static final int MOST_MARKS = RECORD_BYTES / 10;

  private final HeadParts head;
  private final ShardRows rows;
  private final BooleanSupplier late;
  private final RecordWriter record = new RecordWriter();

  /** Rows that begin in the record that is being built. */
  private final Map<Bytes, OpenRow> fresh = new LinkedHashMap<>();

  /** Those that begin in the record that is being stored. */
  private Collection<OpenRow> storing = List.of();

  /** Rows that records may know and that are open no more, which no record says yet. */
  private final List<OpenRow> unmarked = new ArrayList<>();

  /** Whether rows are shown, and it is not known yet that they may be. */
  private boolean isUnannounced;

  /** Whether the store was asked to take the record that is being stored. */
  private boolean isTried;

  /** Whether the last record was given up after all its attempts. */
  private boolean storeFails;

  private volatile @Nullable RuntimeException failure;
  private volatile long needed = Long.MAX_VALUE;

  /**
   * @param rows of the shard
   * @param late whether no further attempt at storing a record is to be made
   */
  ShardRecords(HeadParts head, ShardRows rows, BooleanSupplier late) {
    this.head = head;
    this.rows = rows;
    this.late = late;
  }

  @Override
  public long needed() {
    return needed;
  }

  @Override
  public void needs(long number) {
    needed = Math.min(needed, number);
    storing.forEach(row -> row.isIn(number));
  }

  @Override
  public @Nullable RuntimeException failure() {
    return failure;
  }

  /** Rows could not be sealed, so that they stay open; null if they could. */
  void failed(@Nullable RuntimeException reason) {
    failure = reason;
  }

  /** Finds out which records are needed. */
  void forget() {
    long oldest = rows.isEmpty() ? Long.MAX_VALUE : rows.iterator().next().firstRecord();
    for (OpenRow row : unmarked) {
      oldest = Math.min(oldest, row.firstRecord());
    }
    needed = oldest;
  }

  /** Whether there is nothing for the next record to say of rows that are open no more. */
  boolean isMarked() {
    return unmarked.isEmpty();
  }

  boolean isEmpty() {
    return record.isEmpty();
  }

  boolean isFull() {
    return record.bytes() > RECORD_BYTES;
  }

  /** A row that begins in the record that is being built. */
  @Nullable OpenRow fresh(byte[] key) {
    return fresh.get(new Bytes(key));
  }

  OpenRow open(byte[] key, long baseTime, @Nullable OpenRow last) {
    OpenRow row =
        new OpenRow(key, baseTime, head.journal().nextRow(), head.clock().millis(), last, null);
    record.open(row);
    fresh.put(new Bytes(key), row);
    return row;
  }

  void add(OpenRow row, int offset, boolean millis, int flags, long raw) {
    record.add(row, offset, millis, flags, raw);
  }

  /**
   * Stores the record, then puts its points into rows and shows these.
   *
   * @param givesUpSoon whether one attempt is enough once the store has failed all those of another
   *     record, until it accepts one
   */
  void commit(BooleanSupplier givesUpSoon) {
    int begun = head.announcements().begin();
    isTried = false;
    try {
      if (record.firstHour() <= record.lastHour()) {
        head.announcements().changing(record.firstHour(), record.lastHour(), record::rows);
      }
      store(givesUpSoon);
    } catch (RuntimeException | Error e) {
      boolean isKnown = e instanceof StoreException of && of.outcome() != Outcome.UNKNOWN;
      discard(isTried && !isKnown);
      throw e;
    } finally {
      head.announcements().end(begun);
    }
  }

  private void store(BooleanSupplier givesUpSoon) {
    if (unmarked.size() > MOST_MARKS) {
      mark();
    }
    boolean opens = !fresh.isEmpty();
    unmarked.forEach(row -> record.addSealed(row.number()));
    byte[] value = record.build();
    storing = fresh.values();
    Runnable showing =
        () -> {
          isTried = true;
          long time = put(value, givesUpSoon);
          unmarked.clear();
          show(time);
        };
    if (opens) {
      head.announcements().showing(fresh.values().stream().map(OpenRow::key).toList(), showing);
    } else {
      showing.run();
    }
    record.clear();
    fresh.clear();
    storing = List.of();
    forget();
    isUnannounced |= opens;
    if (isUnannounced) {
      head.announcements().after();
      isUnannounced = false;
    }
  }

  private long put(byte[] value, BooleanSupplier givesUpSoon) {
    boolean once = storeFails && givesUpSoon.getAsBoolean();
    try {
      long time = head.journal().put(this, value, () -> once || late.getAsBoolean());
      storeFails = false;
      return time;
    } catch (StoreException e) {
      storeFails |= e.outcome() != Outcome.REJECTED;
      throw e;
    }
  }

  private void show(long time) {
    long more = 0;
    for (OpenRow row : fresh.values()) {
      more += row.memory();
    }
    more += record.apply(time);
    for (OpenRow row : fresh.values()) {
      head.rows().show(row);
      rows.add(row);
    }
    rows.grow(more);
    rows.report();
  }

  /**
   * Forgets the points added since the last commit. May be repeated until it ends without an error.
   *
   * @param mayBeStored whether their record may be nevertheless: then its new rows must not come
   *     back later. Else nothing is kept of them: while a store refuses records, they are many.
   */
  void discard(boolean mayBeStored) {
    for (OpenRow row : fresh.values()) {
      if (!rows.contains(row)) {
        row.close();
        if (mayBeStored) {
          unmarked.add(row);
        }
        head.rows().hide(row);
      }
    }
    record.clear();
    fresh.clear();
    storing = List.of();
    forget();
  }

  /** Another one seals the rows, and no record is stored any more. */
  void lose() {
    discard(false);
    unmarked.clear();
    forget();
  }

  /** A row is open no more, which {@link #mark} or the next record says. */
  void sealed(OpenRow row) {
    unmarked.add(row);
  }

  /** Stores a record of what was sealed. The points being added are in the next record. */
  void mark() {
    while (!unmarked.isEmpty()) {
      List<OpenRow> part = unmarked.subList(0, Math.min(unmarked.size(), MOST_MARKS));
      RecordWriter marks = new RecordWriter();
      part.forEach(row -> marks.addSealed(row.number()));
      storing = List.of();
      long unused = put(marks.build(), () -> true); // if it fails, the next record or mark says it
      part.clear();
      forget();
    }
  }
}
