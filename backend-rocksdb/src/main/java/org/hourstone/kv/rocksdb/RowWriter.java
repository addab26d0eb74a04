package org.hourstone.kv.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowEdit;
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
    List<RowMutation> blind = new ArrayList<>(batch.size());
    for (RowMutation mutation : batch) {
      if (mutation.changes().stream().anyMatch(Change.PutIfNewer.class::isInstance)) {
        edit(family, mutation.row(), Columns.all(), edit -> applied(edit, mutation));
      } else {
        blind.add(mutation);
      }
    }
    RowLocks.Shared held = locks.share(blind);
    try {
      BatchBuffer changes = database.batch(handle, size(blind));
      blind.forEach(mutation -> add(changes, mutation));
      database.write(changes);
    } finally {
      held.release();
    }
  }

  private static boolean applied(RowEdit edit, RowMutation mutation) {
    edit.apply(mutation.changes());
    return true;
  }

  long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return edit(family, row, Columns.exactly(qualifier), edit -> edit.increment(qualifier, delta));
  }

  boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return edit(
        family,
        row,
        Columns.exactly(qualifier),
        edit -> edit.compareAndSet(qualifier, expected, update));
  }

  boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    return edit(family, observed.key(), Columns.all(), edit -> edit.replace(observed, replacement));
  }

  /** Reads, changes and writes a row while nobody else writes it. */
  private <T> T edit(Family family, byte[] row, Columns columns, Function<RowEdit, T> operation) {
    ColumnFamilyHandle handle = database.handle(family);
    Lock lock = locks.exclusive(row);
    lock.lock();
    try {
      RowEdit edit = new RowEdit(reader.get(family, row, columns), clock.next(row));
      T result = operation.apply(edit);
      if (!edit.isEmpty()) {
        BatchBuffer changes = database.batch(handle, 0);
        edit.deletions().forEach(qualifier -> changes.delete(row, qualifier));
        edit.puts()
            .forEach(cell -> changes.put(row, cell.qualifier(), cell.value(), cell.writeTime()));
        database.write(changes);
      }
      return result;
    } finally {
      lock.unlock();
    }
  }

  private void add(BatchBuffer changes, RowMutation mutation) {
    byte[] row = mutation.row();
    long now = clock.next(row);
    for (Change change : mutation.changes()) {
      if (change instanceof Change.Put put) {
        changes.put(row, put.qualifier(), put.value(), now);
      } else if (change instanceof Change.Append append) {
        changes.append(row, append.qualifier(), append.suffix(), now);
      } else if (change instanceof Change.Delete delete) {
        changes.delete(row, delete.qualifier());
      } else if (change instanceof Change.DeleteRow) {
        changes.deleteRange(FlatKeys.bound(row), FlatKeys.afterRow(row));
      }
    }
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
    return FlatKeys.encodedLength(row.length) + qualifier.length + CELL_OVERHEAD;
  }
}
