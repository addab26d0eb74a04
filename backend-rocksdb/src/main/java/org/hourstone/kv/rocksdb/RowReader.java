package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.Row;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/**
 * Reads rows. A row is read either by one native read of one cell or by one iterator over one
 * snapshot, so a mutation is never seen partially. Must be called within a {@link Scope}.
 */
final class RowReader implements AutoCloseable {
  private final Database database;
  private final ReadOptions options = new ReadOptions();

  RowReader(Database database) {
    this.database = database;
  }

  Row get(Family family, byte[] row, Columns columns) {
    OpenFamily open = database.family(family);
    byte[] key = row.clone();
    if (columns instanceof Columns.Exact exact) {
      byte[][] qualifiers = ascending(exact.qualifiers());
      if (qualifiers.length == 1 && open.coding() == null) {
        return oneCell(family, open.handle(), key, qualifiers[0]);
      }
      try (CellIterator cells = iterator(family, FlatKeys.afterRow(row))) {
        return cells.take(key, qualifiers);
      }
    }
    byte[] lower = FlatKeys.bound(row);
    byte[] upper = FlatKeys.afterRow(row);
    if (columns instanceof Columns.Range range) {
      Coding coding = open.coding();
      byte[] start = range.start();
      byte[] stop = range.stop();
      if (coding != null) {
        start = coding.lower(start);
        stop = stop == null ? null : coding.upper(stop);
      }
      lower = FlatKeys.cell(row, start);
      upper = stop == null ? upper : FlatKeys.cell(row, stop);
    }
    try (CellIterator cells = iterator(family, upper)) {
      cells.seek(lower);
      return cells.onRow() ? cells.take(key, columns) : Row.empty(key);
    }
  }

  List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    if (rows.isEmpty()) {
      database.family(family);
      return List.of();
    }
    if (!(columns instanceof Columns.Exact exact)) {
      return inOrder(
          family,
          rows,
          (cells, row) -> cells.findRow(row) ? cells.take(row, columns) : Row.empty(row));
    }
    byte[][] qualifiers = ascending(exact.qualifiers());
    return inOrder(family, rows, (cells, row) -> cells.take(row, qualifiers));
  }

  /** Reads rows in the order of their keys, in which an iterator seldom has to seek. */
  private List<Row> inOrder(
      Family family, List<byte[]> rows, BiFunction<CellIterator, byte[], Row> read) {
    Integer[] order = new Integer[rows.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (one, other) -> Arrays.compareUnsigned(rows.get(one), rows.get(other)));
    Row[] found = new Row[order.length];
    byte[] upper = FlatKeys.afterRow(rows.get(order[order.length - 1]));
    try (CellIterator cells = iterator(family, upper)) {
      for (int i : order) {
        found[i] = read.apply(cells, rows.get(i).clone());
      }
    }
    return Arrays.asList(found);
  }

  /** An iterator that ends before a key. */
  CellIterator iterator(Family family, byte[] upper) {
    return new CellIterator(database, family, upper);
  }

  @Override
  public void close() {
    options.close();
  }

  private Row oneCell(Family family, ColumnFamilyHandle handle, byte[] row, byte[] qualifier) {
    try {
      byte[] stored = database.rocks().get(handle, options, FlatKeys.cell(row, qualifier));
      return stored == null
          ? Row.empty(row)
          : Row.of(
              row,
              new byte[][] {qualifier},
              new byte[][] {StampedValue.payload(stored, stored.length)},
              new long[] {StampedValue.writeTime(stored, stored.length, database.epoch())});
    } catch (StampedValue.Malformed e) {
      throw database.errors().malformed(family, row, qualifier, e);
    } catch (RocksDBException e) {
      throw database.errors().read("cannot read", e);
    }
  }

  /** The qualifiers, sorted and without duplicates. */
  private static byte[][] ascending(List<byte[]> qualifiers) {
    if (qualifiers.size() == 1) {
      return new byte[][] {qualifiers.get(0)};
    }
    TreeSet<byte[]> ascending = new TreeSet<>(Arrays::compareUnsigned);
    ascending.addAll(qualifiers);
    return ascending.toArray(new byte[0][]);
  }
}
