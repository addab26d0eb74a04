package org.hourstone.kv.rocksdb;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;

/**
 * Writes rows: each call is one batch, which RocksDB applies and shows as a whole, under the {@link
 * RowLocks} of its rows, with write times of the {@link WriteClock}. To be called inside of a
 * {@link Scope}.
 */
final class RowWriter {
  /** What a cell needs in a batch besides its row, qualifier and value, at most. */
  private static final int CELL_OVERHEAD = 24;

  private final Database database;
  private final RowReader reader;
  private final WriteClock clock;
  private final RowLocks locks = new RowLocks();

  RowWriter(Database database, RowReader reader, WriteClock clock) {
    this.database = database;
    this.reader = reader;
    this.clock = clock;
  }

  void mutate(Family family, List<RowMutation> batch) {
    ColumnFamilyHandle handle = database.handle(family);
    RowLocks.Shared held = locks.share(batch);
    try {
      BatchBuffer changes = database.batch(handle, size(batch));
      batch.forEach(mutation -> add(changes, mutation));
      database.write(changes);
    } finally {
      held.release();
    }
  }

  long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    ColumnFamilyHandle handle = database.handle(family);
    Lock lock = locks.exclusive(row);
    lock.lock();
    try {
      byte[] present = reader.value(family, row, qualifier);
      if (present != null && present.length != Long.BYTES) {
        throw database
            .errors()
            .rejected(
                "increment of a cell of "
                    + present.length
                    + " bytes, not 8: "
                    + family
                    + ", row "
                    + HexFormat.of().formatHex(row)
                    + ", qualifier "
                    + HexFormat.of().formatHex(qualifier));
      }
      long sum = delta + (present == null ? 0 : ByteBuffer.wrap(present).getLong());
      put(handle, row, qualifier, ByteBuffer.allocate(Long.BYTES).putLong(sum).array());
      return sum;
    } finally {
      lock.unlock();
    }
  }

  boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    ColumnFamilyHandle handle = database.handle(family);
    Lock lock = locks.exclusive(row);
    lock.lock();
    try {
      if (!Arrays.equals(reader.value(family, row, qualifier), expected)) {
        return false;
      }
      if (update != null) {
        put(handle, row, qualifier, update);
      } else if (expected != null) {
        BatchBuffer changes = database.batch(handle, size(row, qualifier));
        changes.delete(row, qualifier);
        database.write(changes);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  void replaceCells(Family family, Row observed, List<Cell> replacement) {
    ColumnFamilyHandle handle = database.handle(family);
    byte[] row = observed.key();
    Lock lock = locks.exclusive(row);
    lock.lock();
    try {
      BatchBuffer changes = database.batch(handle, 0);
      Row present = reader.get(family, row, Columns.all());
      for (int i = 0; i < observed.size(); i++) {
        if (isStillThere(present, observed, i)) {
          changes.delete(row, observed.qualifier(i));
        }
      }
      long now = clock.next(row);
      for (Cell cell : replacement) {
        if (!isKeptOut(cell, present, observed)) {
          changes.put(row, cell.qualifier(), cell.value(), time(cell.writeTime(), now));
        }
      }
      database.write(changes);
    } finally {
      lock.unlock();
    }
  }

  /** Removes the cells from one key, inclusive, to a greater one, exclusive. */
  void deleteRange(Family family, byte[] from, byte[] to) {
    BatchBuffer changes = database.batch(database.handle(family), from.length + to.length);
    changes.deleteRange(from, to);
    RowLocks.Shared held = locks.shareAll();
    try {
      database.write(changes);
    } finally {
      held.release();
    }
  }

  private void put(ColumnFamilyHandle handle, byte[] row, byte[] qualifier, byte[] value) {
    BatchBuffer changes = database.batch(handle, size(row, qualifier) + value.length);
    changes.put(row, qualifier, value, clock.next(row));
    database.write(changes);
  }

  private void add(BatchBuffer changes, RowMutation mutation) {
    byte[] row = mutation.row();
    long now = clock.next(row);
    for (Change change : mutation.changes()) {
      if (change instanceof Change.Put put) {
        changes.put(row, put.qualifier(), put.value(), time(put.writeTime(), now));
      } else if (change instanceof Change.Append append) {
        changes.append(row, append.qualifier(), append.suffix(), now);
      } else if (change instanceof Change.Delete delete) {
        changes.delete(row, delete.qualifier());
      } else if (change instanceof Change.DeleteRow) {
        changes.deleteRange(CellKeys.bound(row), CellKeys.afterRow(row));
      }
    }
  }

  private static long time(long given, long now) {
    return given == Change.Put.STORE_TIME ? now : given;
  }

  private static boolean isStillThere(Row present, Row observed, int i) {
    int at = present.indexOf(observed.qualifier(i));
    return at >= 0
        && present.writeTime(at) == observed.writeTime(i)
        && Arrays.equals(present.value(at), observed.value(i));
  }

  /** Whether a later cell, which was not observed, stays in the place of a replacement. */
  private static boolean isKeptOut(Cell replacement, Row present, Row observed) {
    int at = present.indexOf(replacement.qualifier());
    if (at < 0
        || replacement.writeTime() == Change.Put.STORE_TIME
        || present.writeTime(at) <= replacement.writeTime()) {
      return false;
    }
    int seen = observed.indexOf(replacement.qualifier());
    return seen < 0 || !isStillThere(present, observed, seen);
  }

  private static int size(List<RowMutation> batch) {
    int size = 0;
    for (RowMutation mutation : batch) {
      for (Change change : mutation.changes()) {
        size += size(mutation.row(), change.qualifier());
        if (change instanceof Change.Put put) {
          size += put.value().length;
        } else if (change instanceof Change.Append append) {
          size += append.suffix().length;
        }
      }
    }
    return size;
  }

  private static int size(byte[] row, byte[] qualifier) {
    return CellKeys.encodedLength(row.length) + qualifier.length + CELL_OVERHEAD;
  }
}
