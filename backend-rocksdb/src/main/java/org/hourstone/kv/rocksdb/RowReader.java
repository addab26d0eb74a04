package org.hourstone.kv.rocksdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.Row;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/**
 * Reads rows as they are now, or as they were at a snapshot. A row is read by one native read of
 * one cell, or over one iterator, which shows one moment: in both cases no mutation is seen by
 * halves. To be called inside of a {@link Scope}.
 */
final class RowReader implements AutoCloseable {
  private final Database database;
  private final @Nullable Snapshot snapshot;
  private final ReadOptions options = new ReadOptions();

  RowReader(Database database, @Nullable Snapshot snapshot) {
    this.database = database;
    this.snapshot = snapshot;
    if (snapshot != null) {
      options.setSnapshot(snapshot);
    }
  }

  Row get(Family family, byte[] row, Columns columns) {
    byte[] key = row.clone();
    if (columns instanceof Columns.Exact exact) {
      byte[][] qualifiers = ascending(exact.qualifiers());
      if (qualifiers.length == 1) {
        byte[] stored = stored(family, row, qualifiers[0]);
        return stored == null ? Row.empty(key) : oneCell(family, key, qualifiers[0], stored);
      }
      try (CellIterator cells = iterator(family, FlatKeys.afterRow(row))) {
        return cells.take(key, qualifiers);
      }
    }
    byte[] lower = FlatKeys.bound(row);
    byte[] upper = FlatKeys.afterRow(row);
    if (columns instanceof Columns.Range range) {
      lower = FlatKeys.cell(row, range.start());
      upper = range.stop() == null ? upper : FlatKeys.cell(row, range.stop());
    }
    try (CellIterator cells = iterator(family, upper)) {
      cells.seek(lower);
      return cells.onRow() ? cells.take(key, columns) : Row.empty(key);
    }
  }

  List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    if (rows.isEmpty()) {
      database.handle(family);
      return List.of();
    }
    if (!(columns instanceof Columns.Exact exact)) {
      return wholeRows(family, rows, columns);
    }
    byte[][] qualifiers = ascending(exact.qualifiers());
    if (qualifiers.length == 1) {
      return singleCells(family, rows, qualifiers[0]);
    }
    List<Row> found = new ArrayList<>(rows.size());
    try (CellIterator cells = iterator(family, FlatKeys.afterRow(greatest(rows)))) {
      for (byte[] row : rows) {
        found.add(cells.take(row.clone(), qualifiers));
      }
    }
    return found;
  }

  /** The value of a cell as it is stored, or null if there is none. */
  byte @Nullable [] stored(Family family, byte[] row, byte[] qualifier) {
    ColumnFamilyHandle handle = database.handle(family);
    try {
      return database.rocks().get(handle, options, FlatKeys.cell(row, qualifier));
    } catch (RocksDBException e) {
      throw database.errors().read("cannot read", e);
    }
  }

  /** The value of a cell, or null if there is none. */
  byte @Nullable [] value(Family family, byte[] row, byte[] qualifier) {
    byte[] stored = stored(family, row, qualifier);
    return stored == null ? null : oneCell(family, row, qualifier, stored).value(0);
  }

  /** An iterator that ends before a key. */
  CellIterator iterator(Family family, byte[] upper) {
    return new CellIterator(database, family, snapshot, upper);
  }

  @Override
  public void close() {
    options.close();
  }

  private List<Row> wholeRows(Family family, List<byte[]> rows, Columns columns) {
    List<Row> found = new ArrayList<>(rows.size());
    try (CellIterator cells = iterator(family, FlatKeys.afterRow(greatest(rows)))) {
      for (byte[] row : rows) {
        cells.seek(FlatKeys.bound(row));
        boolean there = cells.onRow() && Arrays.equals(cells.row(), row);
        found.add(there ? cells.take(row.clone(), columns) : Row.empty(row.clone()));
      }
    }
    return found;
  }

  private List<Row> singleCells(Family family, List<byte[]> rows, byte[] qualifier) {
    List<byte[]> keys = new ArrayList<>(rows.size());
    for (byte[] row : rows) {
      keys.add(FlatKeys.cell(row, qualifier));
    }
    List<ColumnFamilyHandle> handles = Collections.nCopies(rows.size(), database.handle(family));
    List<byte @Nullable []> stored;
    try {
      stored = database.rocks().multiGetAsList(options, handles, keys);
    } catch (RocksDBException e) {
      throw database.errors().read("cannot read", e);
    }
    List<Row> found = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      byte[] key = rows.get(i).clone();
      byte[] cell = stored.get(i);
      if (cell == null) {
        // Absent, or unreadable: only a single get tells RocksDB's errors from absence.
        cell = stored(family, key, qualifier);
      }
      found.add(cell == null ? Row.empty(key) : oneCell(family, key, qualifier, cell));
    }
    return found;
  }

  private Row oneCell(Family family, byte[] row, byte[] qualifier, byte[] stored) {
    try {
      return Row.of(
          row,
          new byte[][] {qualifier.clone()},
          new byte[][] {StampedValue.payload(stored, stored.length)},
          new long[] {StampedValue.writeTime(stored, stored.length, database.epoch())});
    } catch (StampedValue.Malformed e) {
      throw database.errors().malformed(family, row, qualifier, e);
    }
  }

  private static byte[] greatest(List<byte[]> rows) {
    return Collections.max(rows, Arrays::compareUnsigned);
  }

  /** The qualifiers in their order, each once. */
  private static byte[][] ascending(List<byte[]> qualifiers) {
    if (qualifiers.size() == 1) {
      return new byte[][] {qualifiers.get(0)};
    }
    TreeSet<byte[]> ascending = new TreeSet<>(Arrays::compareUnsigned);
    ascending.addAll(qualifiers);
    return ascending.toArray(new byte[0][]);
  }
}
