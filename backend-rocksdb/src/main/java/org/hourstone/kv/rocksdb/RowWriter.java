package org.hourstone.kv.rocksdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowEdit;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows. Each call is one batch, which RocksDB applies atomically, under the {@link RowLocks}
 * of its rows, with write times from the {@link WriteClock}. Therefore a call fails or succeeds as
 * a whole, and a row that is read under its lock has no write in progress. Must be called within a
 * {@link Scope}.
 */
final class RowWriter {
  /** The maximum size of a cell in a batch in addition to its row, qualifier and value. */
  private static final int CELL_OVERHEAD = 24;

  private static final Comparator<RowMutation> BY_ROW =
      (one, other) -> Arrays.compareUnsigned(one.row(), other.row());

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
    OpenFamily open = database.family(family);
    int size = size(batch); // coded cells become smaller
    BatchBuffer changes = database.batch(open.handle(), open.coding() == null ? size : 0);
    boolean reads = batch.stream().anyMatch(mutation -> reads(open.coding(), mutation));
    RowLocks.Held held = locks.hold(batch);
    try {
      if (reads) {
        addByRow(family, open.coding(), batch, changes);
      } else {
        batch.forEach(mutation -> add(changes, mutation, null));
      }
      database.write(changes);
    } finally {
      held.release();
    }
  }

  /** Whether cells must be read to determine the changes or where a cell is stored. */
  private static boolean reads(@Nullable Coding coding, RowMutation mutation) {
    for (Change change : mutation.changes()) {
      if (change instanceof Change.PutIfNewer
          || (coding != null && coding.places(change.qualifier()))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds changes in the order of their rows, because cells are cheap to read in this order.
   *
   * @throws StoreException if rows can't be read; nothing may be written then
   */
  private void addByRow(
      Family family, @Nullable Coding coding, List<RowMutation> batch, BatchBuffer buffer) {
    IdentityHashMap<RowMutation, StoreException> refused = new IdentityHashMap<>();
    List<RowMutation> ordered = new ArrayList<>(batch);
    ordered.sort(BY_ROW);
    byte[] upper = FlatKeys.afterRow(ordered.get(ordered.size() - 1).row());
    try (CellIterator present = reader.iterator(family, upper)) {
      CellChanges changes = changes(coding, buffer, present);
      for (RowMutation mutation : ordered) {
        try {
          add(changes, mutation, present);
          changes.end(); // which may read the row, too
        } catch (StoreException e) {
          if (e.outcome() != Outcome.REJECTED) {
            throw e;
          }
          refused.put(mutation, e);
          changes = changes(coding, buffer, present); // without what is left of this row
        }
      }
    }
    if (!refused.isEmpty()) {
      throw failure(batch, refused);
    }
  }

  /**
   * The failure of a batch, which distinguishes rows that can't be read from rows that could be
   * written without them.
   */
  private static StoreException failure(
      List<RowMutation> batch, IdentityHashMap<RowMutation, StoreException> refused) {
    StoreException first = refused.values().iterator().next();
    if (refused.size() == batch.size()) {
      return first;
    }
    List<@Nullable Outcome> outcomes = new ArrayList<>(batch.size());
    for (RowMutation mutation : batch) {
      outcomes.add(refused.containsKey(mutation) ? Outcome.REJECTED : Outcome.NOT_APPLIED);
    }
    return new BatchException(String.valueOf(first.getMessage()), outcomes, first);
  }

  private static CellChanges changes(
      @Nullable Coding coding, BatchBuffer buffer, CellIterator present) {
    return coding == null ? buffer : coding.changes(buffer, present);
  }

  /**
   * @param present the cells of the family; null if no cell must be read
   */
  private void add(CellChanges changes, RowMutation mutation, @Nullable CellIterator present) {
    byte[] row = mutation.row();
    long now = -1;
    for (Change change : mutation.changes()) {
      if (change instanceof Change.Put put) {
        now = now < 0 ? clock.next(row) : now;
        changes.put(row, put.qualifier(), put.value(), now);
      } else if (change instanceof Change.Append append) {
        now = now < 0 ? clock.next(row) : now;
        changes.append(row, append.qualifier(), append.suffix(), now);
      } else if (change instanceof Change.PutIfNewer put && present != null) {
        long time = clock.given(row, put.writeTime());
        if (!present.find(row, put.qualifier()) || present.writeTime() <= time) {
          changes.put(row, put.qualifier(), put.value(), time);
        }
      } else if (change instanceof Change.Delete delete) {
        changes.delete(row, delete.qualifier());
      } else if (change instanceof Change.DeleteRow) {
        changes.deleteRow(row);
      }
    }
  }

  long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return edit(family, row, List.of(qualifier), edit -> edit.increment(qualifier, delta));
  }

  boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return edit(
        family, row, List.of(qualifier), edit -> edit.compareAndSet(qualifier, expected, update));
  }

  /**
   * Sets absent cells, all at once.
   *
   * @param rows all different, of a family without coding
   */
  List<Boolean> createCells(
      Family family, List<byte[]> rows, byte[] qualifier, List<byte[]> values) {
    List<RowMutation> puts = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      puts.add(new RowMutation(rows.get(i), new Change.Put(qualifier, values.get(i))));
    }
    List<Boolean> created = new ArrayList<>(rows.size());
    BatchBuffer changes = database.batch(database.handle(family), size(puts));
    RowLocks.Held held = locks.hold(puts);
    try {
      List<Row> present = reader.get(family, rows, Columns.exactly(qualifier));
      for (int i = 0; i < present.size(); i++) {
        boolean absent = present.get(i).isEmpty();
        if (absent) {
          add(changes, puts.get(i), null);
        }
        created.add(absent);
      }
      database.write(changes);
    } finally {
      held.release();
    }
    return created;
  }

  boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    List<byte[]> named = new ArrayList<>(observed.size() + replacement.size());
    for (int i = 0; i < observed.size(); i++) {
      named.add(observed.qualifier(i));
    }
    replacement.forEach(cell -> named.add(cell.qualifier()));
    return edit(family, observed.key(), named, edit -> edit.replace(observed, replacement));
  }

  /**
   * Reads, changes and writes a row while no other thread writes it. If the operation changes
   * nothing, no time is assigned and nothing is written.
   *
   * @param named the cells the operation needs to know
   */
  private <T> T edit(
      Family family, byte[] row, List<byte[]> named, Function<RowEdit, T> operation) {
    OpenFamily open = database.family(family);
    Lock lock = locks.of(row);
    lock.lock();
    try {
      Row present =
          named.isEmpty() ? Row.empty(row) : reader.get(family, row, new Columns.Exact(named));
      RowEdit edit = new RowEdit(present, clock.upcoming(row));
      T result = applied(family, edit, operation);
      if (!edit.isEmpty()) {
        write(family, open, row, edit);
      }
      return result;
    } finally {
      lock.unlock();
    }
  }

  private <T> T applied(Family family, RowEdit edit, Function<RowEdit, T> operation) {
    try {
      return operation.apply(edit);
    } catch (StoreException e) {
      throw database.errors().rejected(family + ": " + e.getMessage(), e);
    }
  }

  private void write(Family family, OpenFamily open, byte[] row, RowEdit edit) {
    BatchBuffer buffer = database.batch(open.handle(), 0);
    if (open.coding() == null) {
      add(buffer, row, edit);
    } else {
      try (CellIterator present = reader.iterator(family, FlatKeys.afterRow(row))) {
        CellChanges changes = changes(open.coding(), buffer, present);
        add(changes, row, edit);
        changes.end();
      }
    }
    database.write(buffer);
  }

  private void add(CellChanges changes, byte[] row, RowEdit edit) {
    edit.deletions().forEach(qualifier -> changes.delete(row, qualifier));
    long latest = 0;
    for (Cell cell : edit.puts()) {
      changes.put(row, cell.qualifier(), cell.value(), cell.writeTime());
      latest = Math.max(latest, cell.writeTime());
    }
    clock.raise(row, latest);
  }

  private int size(List<RowMutation> batch) {
    long size = 0;
    for (RowMutation mutation : batch) {
      for (Change change : mutation.changes()) {
        size += size(mutation.row(), change.qualifier());
        if (change instanceof Change.Put put) {
          size += put.value().length;
        } else if (change instanceof Change.PutIfNewer put) {
          size += put.value().length;
        } else if (change instanceof Change.Append append) {
          size += append.suffix().length;
        }
      }
    }
    if (size > BatchBuffer.MAX_BYTES) {
      throw database
          .errors()
          .rejected("a batch of " + size + " bytes: more than " + BatchBuffer.MAX_BYTES);
    }
    return (int) size;
  }

  private static int size(byte[] row, byte[] qualifier) {
    return FlatKeys.encodedLength(row.length) + qualifier.length + CELL_OVERHEAD;
  }
}
