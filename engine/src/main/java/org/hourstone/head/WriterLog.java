package org.hourstone.head;

import com.google.common.primitives.Bytes;
import com.google.common.primitives.Longs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.internal.LongScan;
import org.hourstone.internal.Retry;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The records of one epoch of a writer: a row for each number, which is created only if it is
 * absent, and only after that of the number before. A fence is a row in the place of the next
 * record: the records before it are final, and none can follow. It stays for ever, since the
 * process that it stops may be paused for any time. Thread-safe.
 *
 * @param writer its data table and name
 */
record WriterLog(KeyValueStore store, Family family, byte[] writer, long epoch) {
  /** The first byte of all keys. */
  private static final byte KIND = 2;

  private static final byte[] RECORD = {'r'};
  private static final byte[] FENCE = {'F'};
  private static final int HEADER = 2 * Long.BYTES;

  /** The stored form of a record; the numbers are not negative, so none is a fence. */
  static byte[] framed(long needed, long time, byte[] value) {
    return Bytes.concat(Longs.toByteArray(needed), Longs.toByteArray(time), value);
  }

  byte[] key(long number) {
    return key(epoch, number);
  }

  private byte[] key(long ofEpoch, long number) {
    byte[] start = {KIND, (byte) (writer.length >> Byte.SIZE), (byte) writer.length};
    return Bytes.concat(start, writer, Longs.toByteArray(ofEpoch), Longs.toByteArray(number));
  }

  /**
   * Creates a row, in one call of the store.
   *
   * @return what is there instead; null if the row is as wanted
   * @throws org.hourstone.kv.StoreException UNKNOWN also if it may have been there, and a takeover
   *     has read it before it put a fence in its place
   */
  byte @Nullable [] create(long number, byte[] wanted, Retry retry) {
    byte[] key = key(number);
    List<Cell> cells = List.of(new Cell(RECORD, wanted));
    Retry.Failures failures = retry.failures();
    while (true) {
      try {
        if (store.replaceCells(family, Row.empty(key), cells)) {
          return null;
        }
        // Also after an attempt whose outcome was unknown.
        byte[] present = store.get(family, key, Columns.exactly(RECORD)).find(RECORD);
        if (Arrays.equals(present, wanted)) {
          return null;
        }
        if (present != null && !isFence(present)) {
          return present;
        }
        if (failures.includeUnknown()) {
          throw new FencedException(number);
        }
        return FENCE;
      } catch (FencedException e) {
        throw e;
      } catch (StoreException e) {
        failures.add(e);
      }
    }
  }

  /** A fence is in the place of a record that may have been stored. */
  private static final class FencedException extends StoreException {
    private static final long serialVersionUID = 1L;

    FencedException(long number) {
      super(Outcome.UNKNOWN, "the record " + number + " may have been read before it was fenced");
    }
  }

  static boolean isFence(byte[] value) {
    return Arrays.equals(value, FENCE);
  }

  /**
   * Fences the log, if that was not done. A fence may get into the place of a record that was
   * trimmed since: then there are records after it, as the last one is never trimmed, and it fences
   * nothing.
   *
   * @return the number of the last record, after which no other can follow; 0 for an empty log
   */
  long fence(Retry retry) {
    while (true) {
      End end = end();
      if (end.isFenced) {
        return end.last;
      }
      byte[] unused = create(end.last + 1, FENCE, retry);
    }
  }

  /** The number of the last record, at present; 0 for an empty log. */
  long last() {
    return end().last;
  }

  private record End(long last, boolean isFenced) {}

  private End end() {
    long last = 0;
    boolean fenced = false;
    try (LongScan rows = new LongScan(store, family, range(0, Long.MAX_VALUE))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        byte[] value = row.find(RECORD);
        fenced = value != null && isFence(value);
        last = fenced ? last : number(row);
      }
    }
    return new End(last, fenced);
  }

  /** The greatest epoch of this writer of which there are rows; 1 if there are none. */
  long newestEpoch() {
    long newest = 1;
    try (LongScan rows = new LongScan(store, family, ofAllEpochs())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        byte[] key = row.key();
        newest =
            Longs.fromByteArray(
                Arrays.copyOfRange(key, key.length - 2 * Long.BYTES, key.length - Long.BYTES));
      }
    }
    return newest;
  }

  private Scan ofAllEpochs() {
    return Scan.range(key(0, 0), key(Long.MAX_VALUE, Long.MAX_VALUE));
  }

  /** Counts the records of this epoch, and the points of those rows that they don't seal. */
  RecordCount count() {
    RecordCount count = new RecordCount();
    try (LongScan rows = new LongScan(store, family, range(0, Long.MAX_VALUE))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        byte[] value = row.find(RECORD);
        if (value == null || !isFence(value)) {
          byte[] stored = value == null ? new byte[0] : value;
          count.add(
              number(row),
              stored.length,
              Arrays.copyOfRange(stored, Math.min(HEADER, stored.length), stored.length));
        }
      }
    }
    return count;
  }

  /** The time of a record; 0 if it is not stored. */
  long time(long number) {
    byte[] record = store.get(family, key(number), Columns.exactly(RECORD)).find(RECORD);
    return record == null || record.length < HEADER
        ? 0
        : Longs.fromByteArray(Arrays.copyOfRange(record, Long.BYTES, HEADER));
  }

  private Scan range(long from, long to) {
    return Scan.range(key(from), key(to));
  }

  private static long number(Row row) {
    byte[] key = row.key();
    return Longs.fromByteArray(Arrays.copyOfRange(key, key.length - Long.BYTES, key.length));
  }

  /**
   * Passes on the records that are needed: from the first one that the last one says is needed.
   *
   * @throws CorruptDataException if a record can't be read; it is named
   */
  void replay(long last, Journal.Replay replay) {
    byte[] newest = last == 0 ? null : store.get(family, key(last), Columns.all()).find(RECORD);
    if (newest == null || isFence(newest)) {
      return; // it had none, or another process has deleted them since, which the caller finds out
    }
    long needed = newest.length < HEADER ? last : Math.min(last, Longs.fromByteArray(newest));
    long next = needed;
    try (LongScan rows = new LongScan(store, family, range(needed, last + 1))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (number(row) > next) {
          break;
        }
        replay(row, replay);
        next++;
      }
    }
    if (next <= last) {
      throw new CorruptDataException(
          "journal record " + next + " of " + last + " in " + family + " is missing");
    }
  }

  private void replay(Row row, Journal.Replay replay) {
    byte[] value = row.find(RECORD);
    if (value != null && isFence(value)) {
      return; // in the place of a record that is not needed
    }
    try {
      if (value == null || value.length < HEADER) {
        throw new CorruptDataException("not a record");
      }
      long time = Longs.fromByteArray(Arrays.copyOfRange(value, Long.BYTES, HEADER));
      replay.record(number(row), time, Arrays.copyOfRange(value, HEADER, value.length));
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "journal record " + row + " in " + family + " can't be read: " + e.getMessage(), e);
    }
  }

  /**
   * Deletes all records, and those of earlier epochs. A fence stays, and gets another one before
   * it: the process that it stops may not know that the last record was stored, and put the next
   * one in that place.
   */
  void delete() {
    List<RowMutation> left = new ArrayList<>();
    byte[] before = null;
    Scan ofAllEpochs = Scan.range(key(0, 0), key(Long.MAX_VALUE));
    try (LongScan rows = new LongScan(store, family, ofAllEpochs)) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        byte[] value = row.find(RECORD);
        boolean isFence = value != null && isFence(value);
        if (before != null) {
          Change change = isFence ? new Change.Put(RECORD, FENCE) : new Change.DeleteRow();
          left.add(new RowMutation(before, change));
        }
        before = isFence ? null : row.key();
        if (left.size() == Records.DELETED_TOGETHER) {
          store.mutate(family, left);
          left = new ArrayList<>();
        }
      }
    }
    if (before != null) {
      left.add(new RowMutation(before, new Change.DeleteRow()));
    }
    if (!left.isEmpty()) {
      store.mutate(family, left);
    }
  }
}
