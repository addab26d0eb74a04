package org.hourstone.head;

import com.google.common.primitives.Longs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.internal.LongScan;
import org.hourstone.internal.Retry;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The records of a store that one process owns. The mark of how far they are trimmed is stored
 * before records are deleted, so that a deletion that was interrupted never leaves a part of a
 * row's history behind.
 */
final class OwnedRecords implements Records {
  /** Before all records, whose keys have 8 bytes. */
  private static final byte[] STATE = {0};

  /** After all records: journals of writers to a shared store, of which this may be a copy. */
  private static final byte[] WRITERS = {1};

  private static final byte[] OWNER = "owner".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RETIRED = "retired".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FROM = "from".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RECORD = {'r'};

  private final KeyValueStore store;
  private final Family family;

  /** The first record that may be needed. While replaying, or trimming. */
  private long from = 1;

  OwnedRecords(KeyValueStore store, Family family) {
    this.store = store;
    this.family = family;
  }

  /** Removes what earlier versions noted here of the databases that have the store open. */
  @Override
  public void begin() {
    store.mutate(
        family,
        List.of(
            new RowMutation(STATE, List.of(new Change.Delete(OWNER), new Change.Delete(RETIRED)))));
  }

  @Override
  public long replay(Journal.Replay replay) {
    byte[] mark = store.get(family, STATE, Columns.exactly(FROM)).find(FROM);
    from = mark == null ? 1 : Longs.fromByteArray(mark);
    long next = from;
    try (LongScan records = new LongScan(store, family, Scan.range(key(from), WRITERS))) {
      for (Row row = records.next(); row != null; row = records.next()) {
        next = replay(row, replay) + 1;
      }
    }
    return next;
  }

  private long replay(Row row, Journal.Replay replay) {
    long number = row.key().length == Long.BYTES ? Longs.fromByteArray(row.key()) : -1;
    byte[] value = row.find(RECORD);
    try {
      if (number < from || value == null) {
        throw new CorruptDataException("not a record");
      }
      replay.record(number, 0, value);
      return number;
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "journal record " + row + " in " + family + " can't be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void clean() {
    List<RowMutation> left = new ArrayList<>();
    try (LongScan records = new LongScan(store, family, Scan.range(key(0), key(from)))) {
      for (Row row = records.next(); row != null; row = records.next()) {
        left.add(new RowMutation(row.key(), new Change.DeleteRow()));
        if (left.size() == Records.DELETED_TOGETHER) {
          store.mutate(family, left);
          left = new ArrayList<>();
        }
      }
    }
    if (!left.isEmpty()) {
      store.mutate(family, left);
    }
  }

  @Override
  public boolean areOrdered() {
    return false;
  }

  @Override
  public long put(long number, long needed, byte[] value, Retry retry) {
    byte[] key = key(number);
    try {
      retry.run(() -> store.put(family, key, RECORD, value));
    } catch (StoreException e) {
      if (e.outcome() != Outcome.UNKNOWN || !isStored(key)) {
        throw e;
      }
    }
    return number;
  }

  private boolean isStored(byte[] key) {
    try {
      return store.get(family, key, Columns.all()).find(RECORD) != null;
    } catch (StoreException e) {
      return false;
    }
  }

  @Override
  public long time() {
    return 0;
  }

  @Override
  public long skipToNow() {
    return 0;
  }

  @Override
  public long mark(long needed) {
    store.put(family, STATE, FROM, Longs.toByteArray(needed));
    from = needed;
    return needed;
  }

  @Override
  public byte[] key(long number) {
    return Longs.toByteArray(number);
  }

  @Override
  public @Nullable String lost() {
    return null;
  }

  @Override
  public void end() {
    // It has no records any more.
  }
}
