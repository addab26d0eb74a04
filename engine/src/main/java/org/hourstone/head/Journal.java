package org.hourstone.head;

import com.google.common.collect.Lists;
import com.google.common.primitives.Longs;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.internal.LongScan;
import org.hourstone.internal.Retry;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The table of journal records, numbered in ascending order. See {@code docs/format/journal.md}.
 *
 * <p>A record that was stored is there until no open row needs it and {@link #trim} deletes it; the
 * mark of how far it is trimmed is stored before records are deleted, so that a deletion that was
 * interrupted never leaves a part of a row's history behind. For one open head at a time.
 * Thread-safe.
 */
final class Journal {
  /** Before all records, whose keys have 8 bytes. */
  private static final byte[] STATE = {0};

  private static final byte[] OWNER = "owner".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RETIRED = "retired".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FROM = "from".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RECORD = {'r'};

  /** Minimum size of a trim in bytes; it is made for fewer if there are enough records. */
  private static final int TRIMMED_BYTES = 1 << 20;

  private static final int TRIMMED_RECORDS = 1000;

  /** About what a record costs besides its value: a key in the store, an entry in memory. */
  private static final int RECORD_OVERHEAD = 64;

  private final KeyValueStore store;
  private final Family family;
  private final Retry retry;
  private final InstantSource clock;

  /** Numbers, sizes and times of records that were not trimmed. Guarded by this. */
  private final Deque<long[]> kept = new ArrayDeque<>();

  /** Changed while this is locked; read without, since a statistic must not wait for a store. */
  private final AtomicLong keptBytes = new AtomicLong();

  /** When the first of them was kept, by the clock; changed as the bytes are. 0 without any. */
  private final AtomicLong keptSince = new AtomicLong();

  private long next = 1;

  /** The number of the next row that is opened. */
  private final AtomicLong nextRow = new AtomicLong(1);

  private volatile List<? extends User> users = List.of();

  /** One trim at a time: marks must not overtake each other. Taken before the lock of this. */
  private final ReentrantLock trimming = new ReentrantLock();

  /** Deletions of records that are trimmed, until the store has made them. While trimming. */
  private final List<RowMutation> deleted = new ArrayList<>();

  private long from = 1;

  Journal(KeyValueStore store, Family family, Retry retry, InstantSource clock) {
    this.store = store;
    this.family = family;
    this.retry = retry;
    this.clock = clock;
  }

  /**
   * Must be called before any other method that writes. Removes what earlier versions noted here of
   * the databases that have the store open.
   *
   * @throws StoreException REJECTED if the store is read-only
   */
  void begin() {
    store.mutate(
        family,
        List.of(
            new RowMutation(STATE, List.of(new Change.Delete(OWNER), new Change.Delete(RETIRED)))));
  }

  Family family() {
    return family;
  }

  /** Someone who stores records, and needs some of them. */
  interface User {
    /** The oldest record with points of an open row, or a record that is being stored. */
    long needed();

    /** Called before another number is given out. */
    void needs(long number);

    /** Why rows stay open, and need records; null if none do. */
    @Nullable RuntimeException failure();
  }

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
    void record(long number, byte[] value);
  }

  /**
   * Passes on all records that may be needed, ascending.
   *
   * @throws CorruptDataException if a record can't be read; it has the record's number
   */
  synchronized void replay(Replay replay) {
    byte[] mark = store.get(family, STATE, Columns.exactly(FROM)).find(FROM);
    from = mark == null ? 1 : Longs.fromByteArray(mark);
    next = from;
    try (LongScan records = new LongScan(store, family, Scan.range(RecordWriter.key(from), null))) {
      for (Row row = records.next(); row != null; row = records.next()) {
        replay(row, replay);
      }
    }
  }

  private void replay(Row row, Replay replay) {
    long number = row.key().length == Long.BYTES ? Longs.fromByteArray(row.key()) : -1;
    byte[] value = row.find(RECORD);
    try {
      if (number < from || value == null) {
        throw new CorruptDataException("not a record");
      }
      replay.record(number, value);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "journal record " + row + " in " + family + " can't be read: " + e.getMessage(), e);
    }
    keep(number, value);
    next = number + 1;
  }

  private void keep(long number, byte[] value) {
    int bytes = value.length + RECORD_OVERHEAD;
    long now = clock.millis();
    boolean unused = keptSince.compareAndSet(0, now);
    kept.add(new long[] {number, bytes, now});
    keptBytes.addAndGet(bytes);
  }

  /** Deletes records that an interrupted trim has left. */
  void clean() {
    List<RowMutation> left = new ArrayList<>();
    Scan before = Scan.range(RecordWriter.key(0), RecordWriter.key(from));
    try (LongScan records = new LongScan(store, family, before)) {
      for (Row row = records.next(); row != null; row = records.next()) {
        left.add(new RowMutation(row.key(), new Change.DeleteRow()));
      }
    }
    delete(left);
  }

  /**
   * Takes the next number.
   *
   * @param user is notified of it before another number can be taken
   */
  synchronized long begin(User user) {
    long number = next++;
    user.needs(number);
    return number;
  }

  /**
   * Stores a record.
   *
   * @param late whether no further attempt is to be made
   * @throws StoreException if it isn't stored, or if that is unknown: then it may appear at the
   *     next opening
   */
  void put(long number, byte[] value, BooleanSupplier late) {
    synchronized (this) {
      // Numbers may get here in another order; then trimming only stops earlier.
      keep(number, value);
    }
    byte[] key = RecordWriter.key(number);
    try {
      retry.unless(late).run(() -> store.put(family, key, RECORD, value));
    } catch (StoreException e) {
      if (e.outcome() != Outcome.UNKNOWN || !isStored(key)) {
        throw new StoreException(e.outcome(), "journal: " + e.getMessage(), e);
      }
    }
  }

  private boolean isStored(byte[] key) {
    try {
      return store.get(family, key, Columns.all()).find(RECORD) != null;
    } catch (StoreException e) {
      return false;
    }
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
      mark(always);
      delete(deleted);
      deleted.clear();
    } finally {
      trimming.unlock();
    }
  }

  private void mark(boolean always) {
    long bytes = 0;
    int count = 0;
    long needed;
    synchronized (this) {
      needed = next;
      for (User user : users) {
        needed = Math.min(needed, user.needed());
      }
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
    store.put(family, STATE, FROM, Longs.toByteArray(needed));
    from = needed;
    synchronized (this) {
      keptBytes.addAndGet(-bytes);
      for (int i = 0; i < count; i++) {
        byte[] record = RecordWriter.key(kept.removeFirst()[0]);
        deleted.add(new RowMutation(record, new Change.DeleteRow()));
      }
      long[] first = kept.peekFirst();
      keptSince.set(first == null ? 0 : first[2]);
    }
  }

  private void delete(List<RowMutation> records) {
    for (List<RowMutation> batch : Lists.partition(records, Limits.ROWS_PER_BATCH)) {
      store.mutate(family, List.copyOf(batch));
    }
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
