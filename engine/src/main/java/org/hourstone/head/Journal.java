package org.hourstone.head;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.hourstone.internal.Retry;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The journal's records, numbered in ascending order, and who needs them. See {@code
 * docs/format/journal.md}.
 *
 * <p>A record that was stored is there until no open row needs it and {@link #trim} deletes it:
 * never a part of what a row still needs. How and on what condition it is stored say {@link
 * Records}. For one open head at a time. Thread-safe.
 */
final class Journal {
  /** Minimum size of a trim in bytes; it is made for fewer if there are enough records. */
  private static final int TRIMMED_BYTES = 1 << 20;

  private static final int TRIMMED_RECORDS = 1000;

  /** About what a record costs besides its value: a key in the store, an entry in memory. */
  private static final int RECORD_OVERHEAD = 64;

  /** About how much memory it takes to remember a record. */
  private static final long REMEMBERED_BYTES = 56;

  private final KeyValueStore store;
  private final Family family;
  private final Records records;
  private final Retry retry;
  private final InstantSource clock;

  /**
   * Numbers, sizes and times of records that were not trimmed, and times after which they are
   * dated. Guarded by this.
   */
  private final Deque<long[]> kept = new ArrayDeque<>();

  /** By which the last record before the present one is dated. Guarded by this. */
  private long lastDate;

  /** Changed while this is locked; read without, since a statistic must not wait for a store. */
  private final AtomicLong keptBytes = new AtomicLong();

  /** When the first of them was kept, by the clock; changed as the bytes are. 0 without any. */
  private final AtomicLong keptSince = new AtomicLong();

  private long next = 1;

  /** The number of the next row that is opened. */
  private final AtomicLong nextRow = new AtomicLong(1);

  private volatile List<? extends User> users = List.of();

  /** One record at a time if they are ordered. Taken before the lock of this. */
  private final ReentrantLock order = new ReentrantLock();

  /** One trim at a time: marks must not overtake each other. Taken before the other locks. */
  private final ReentrantLock trimming = new ReentrantLock();

  /** Deletions of records that are trimmed, until the store has made them. While trimming. */
  private final List<RowMutation> deleted = new ArrayList<>();

  Journal(KeyValueStore store, Family family, Records records, Retry retry, InstantSource clock) {
    this.store = store;
    this.family = family;
    this.records = records;
    this.retry = retry;
    this.clock = clock;
  }

  /**
   * Must be called before any other method that writes.
   *
   * @throws StoreException REJECTED if the store is read-only
   */
  void begin() {
    records.begin();
  }

  Family family() {
    return family;
  }

  /** Whether rows are sealed after an interval, since others can't read this journal. */
  boolean isOfWriter() {
    return records.areOrdered();
  }

  /** Why no record can be stored any more, nor a row be sealed: another one does that. */
  @Nullable String lost() {
    return records.lost();
  }

  /** Someone who stores records, and needs some of them. */
  interface User {
    /** The oldest record with points of an open row, or a record that is being stored. */
    long needed();

    /** It stores this record next: called before another number is given out. */
    void needs(long number);

    /** Why rows stay open, and need records; null if none do. */
    @Nullable RuntimeException failure();
  }

  /** Who stores records that no one needs. */
  private static final User NO_USER =
      new User() {
        @Override
        public long needed() {
          return Long.MAX_VALUE;
        }

        @Override
        public void needs(long number) {}

        @Override
        public @Nullable RuntimeException failure() {
          return null;
        }
      };

  /** From now on these need records, and no others. */
  void usedBy(List<? extends User> all) {
    users = List.copyOf(all);
  }

  /** Why a user's rows stay open; null if there are none. */
  @Nullable RuntimeException failure() {
    for (User user : users) {
      RuntimeException failure = user.failure();
      if (failure != null) {
        return failure;
      }
    }
    return null;
  }

  /** A number by which records refer to a row. */
  long nextRow() {
    return nextRow.getAndIncrement();
  }

  /** The numbers before are those of rows that were replayed. */
  void numberRowsFrom(long number) {
    nextRow.set(number);
  }

  /** Receives a record. */
  interface Replay {
    /**
     * @param time by which rows that have points of it are dated; 0 if they are when written
     */
    void record(long number, long time, byte[] value);
  }

  /**
   * Passes on all records that may be needed, ascending.
   *
   * @param mostBytes of memory for what is remembered of the records
   * @return false if that takes more: then all must be {@link #forgetReplayed forgotten}
   * @throws org.hourstone.codec.CorruptDataException if a record can't be read; it is named
   */
  synchronized boolean replay(Replay replay, long mostBytes) {
    next =
        records.replay(
            (number, time, value) -> {
              replay.record(number, time, value);
              if (kept.size() * REMEMBERED_BYTES <= mostBytes) {
                keep(number, value);
              }
            });
    return kept.size() * REMEMBERED_BYTES <= mostBytes;
  }

  /**
   * No row needs any of the records that were replayed, which are deleted by {@link #clean}. Before
   * there are users.
   *
   * @throws StoreException if the store fails; then they may be needed when it is opened again
   */
  synchronized void forgetReplayed() {
    long unused = records.mark(next);
    kept.clear();
    keptBytes.set(0);
    timeOldest();
  }

  /** As {@link #replay}, of records that are not trimmed here. */
  void read(Replay replay) {
    records.replay(replay);
  }

  private void keep(long number, byte[] value) {
    int bytes = value.length + RECORD_OVERHEAD;
    long now = clock.millis();
    boolean unused = keptSince.compareAndSet(0, now);
    kept.add(new long[] {number, bytes, now, lastDate});
    keptBytes.addAndGet(bytes);
  }

  /** The record is not stored: a store that refuses many must not make them look needed. */
  private synchronized void unkeep(long number) {
    for (Iterator<long[]> latest = kept.descendingIterator(); latest.hasNext(); ) {
      long[] record = latest.next();
      if (record[0] == number) {
        latest.remove();
        keptBytes.addAndGet(-record[1]);
        break;
      }
    }
    timeOldest();
  }

  /** Guarded by this. */
  private void timeOldest() {
    long[] oldest = kept.peekFirst();
    keptSince.set(oldest == null ? 0 : oldest[2]);
  }

  /** Deletes records that an interrupted trim has left. */
  void clean() {
    records.clean();
  }

  /**
   * Stores a record.
   *
   * @param user needs it, of which it is notified before another one has a number
   * @param late whether no further attempt is to be made
   * @return by which rows that have points of it are dated; 0 if they are when written
   * @throws StoreException if it isn't stored, or if that is unknown: then it may appear at the
   *     next opening
   */
  long put(User user, byte[] value, BooleanSupplier late) {
    if (!records.areOrdered()) {
      store(user, value, late);
      return 0;
    }
    order.lock();
    try {
      store(user, value, late);
      return records.time();
    } finally {
      order.unlock();
    }
  }

  private void store(User user, byte[] value, BooleanSupplier late) {
    boolean ordered = records.areOrdered();
    long number;
    long needed;
    synchronized (this) {
      number = next++;
      user.needs(number);
      needed = needed();
      lastDate = records.time();
      if (!ordered) {
        // Numbers may get to the store in another order; then trimming only stops earlier.
        keep(number, value);
      }
    }
    long end = number;
    try {
      end = records.put(number, needed, value, retry.unless(late)) + 1;
    } catch (StoreException e) {
      if (!ordered && e.outcome() != Outcome.UNKNOWN) {
        unkeep(number);
      }
      String lost = records.lost();
      boolean isUnapplied = lost != null && e.outcome() != Outcome.UNKNOWN;
      throw new StoreException(
          isUnapplied ? Outcome.NOT_APPLIED : e.outcome(),
          lost == null ? "journal: " + e.getMessage() : lost,
          e);
    } finally {
      if (ordered) {
        stored(number, end, value);
      }
    }
  }

  /** Ordered records have these numbers, those up to the last one from attempts given up. */
  private synchronized void stored(long number, long end, byte[] value) {
    for (long each = number; each < end; each++) {
      keep(each, value);
    }
    next = end;
  }

  /**
   * A time up to which all is sealed: no row is open that has points of a record of that time or an
   * earlier one, and no record is going to be dated so. Of points whose record had an unknown
   * outcome, and was the last one, that may not be true: they were not acknowledged.
   */
  long sealedUntil() {
    // While a record is stored it is known only that it is dated after the last one.
    boolean isIdle = order.tryLock();
    try {
      synchronized (this) {
        long needed = needed();
        for (long[] record : kept) {
          if (record[0] >= needed) {
            return record[3];
          }
        }
        return isIdle ? records.skipToNow() : lastDate;
      }
    } finally {
      if (isIdle) {
        order.unlock();
      }
    }
  }

  /** The first record that a user needs. Guarded by this. */
  private long needed() {
    long needed = next;
    for (User user : users) {
      needed = Math.min(needed, user.needed());
    }
    return needed;
  }

  /**
   * Deletes the records that no user needs, if there are many.
   *
   * @param always even if there are few, and after a trim that is running; else that one suffices
   * @throws StoreException if the store fails; the records are deleted at a later time
   */
  void trim(boolean always) {
    if (always) {
      trimming.lock();
    } else if (!trimming.tryLock()) {
      return;
    }
    try {
      if (records.lost() == null) {
        trimUnneeded(always);
      }
    } finally {
      trimming.unlock();
    }
  }

  private void trimUnneeded(boolean always) {
    if (always && records.areOrdered() && isAnyUnneeded()) {
      // Records say which ones are needed: this one, that none before is.
      long unused = put(NO_USER, new RecordWriter().build(), () -> true);
    }
    mark(always);
    while (!deleted.isEmpty()) {
      List<RowMutation> batch = deleted.subList(0, Math.min(deleted.size(), Limits.ROWS_PER_BATCH));
      store.mutate(family, List.copyOf(batch));
      batch.clear();
    }
  }

  private synchronized boolean isAnyUnneeded() {
    long[] first = kept.peekFirst();
    return kept.size() > 1 && first != null && first[0] < needed();
  }

  private void mark(boolean always) {
    long bytes = 0;
    int count = 0;
    long needed;
    synchronized (this) {
      needed = needed();
      for (long[] record : kept) {
        if (record[0] >= needed) {
          break;
        }
        count++;
        bytes += record[1];
      }
    }
    if (count == 0 || !(always || bytes >= TRIMMED_BYTES || count >= TRIMMED_RECORDS)) {
      return;
    }
    // Not under the lock, which writers take: the store may need long. No record before is needed
    // again.
    long first = records.mark(needed);
    synchronized (this) {
      for (long[] oldest = kept.peekFirst();
          oldest != null && oldest[0] < first;
          oldest = kept.peekFirst()) {
        kept.removeFirst();
        keptBytes.addAndGet(-oldest[1]);
        deleted.add(new RowMutation(records.key(oldest[0]), new Change.DeleteRow()));
      }
      timeOldest();
    }
  }

  /** Nothing is written any more, and no row is open. */
  void end() {
    records.end();
  }

  /** The bytes of the records that may be needed. */
  long bytes() {
    return keptBytes.get();
  }

  /** The age of the oldest of these, or the time since it was replayed; 0 if there are none. */
  long ageSeconds() {
    long since = keptSince.get();
    return since == 0 ? 0 : Math.max(0, clock.millis() - since) / 1000;
  }

  /** The record from which on there are at most this number of bytes; null if it is the first. */
  synchronized @Nullable Long after(long mostBytes) {
    long bytes = keptBytes.get();
    for (long[] record : kept) {
      if (bytes <= mostBytes) {
        return record[0];
      }
      bytes -= record[1];
    }
    return null;
  }
}
