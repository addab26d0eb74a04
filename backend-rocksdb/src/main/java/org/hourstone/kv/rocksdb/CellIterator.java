package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import java.util.HexFormat;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FlatKeys;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;

/**
 * Goes over the cells of one family and makes rows of them. All it delivers is of one moment: that
 * of its creation, or of the snapshot. Keys and values are read into buffers that are used again;
 * what goes into a row is copied out of them, exactly. For one thread at a time.
 */
final class CellIterator implements AutoCloseable {
  /** Cells of an unwanted row that are stepped over before it is left by a seek. */
  private static final int STEPS_BEFORE_SEEK = 8;

  private final Family family;
  private final Database database;
  private final ReadOptions options;
  private final Slice upperBound;
  private final RocksIterator cells;
  private final RowBuilder builder = new RowBuilder();

  private byte[] key = new byte[64];
  private int keyLength;
  private int rowEnd;
  private byte[] rowKey = new byte[64];
  private byte[] value = new byte[256];

  /**
   * Not yet on a cell: seek first.
   *
   * @param upper a key no cell is delivered from
   */
  CellIterator(Database database, Family family, @Nullable Snapshot snapshot, byte[] upper) {
    this.family = family;
    this.database = database;
    this.options = new ReadOptions();
    if (snapshot != null) {
      options.setSnapshot(snapshot);
    }
    this.upperBound = new Slice(upper);
    options.setIterateUpperBound(upperBound);
    this.cells = database.rocks().newIterator(database.handle(family), options);
  }

  /** Goes to the first cell that is not before a key. */
  void seek(byte[] from) {
    cells.seek(from);
  }

  /**
   * Whether there is a cell, the first one of a row or of what was sought of it.
   *
   * @throws StoreException if it can't be read
   */
  boolean onRow() {
    if (!onCell()) {
      return false;
    }
    rowEnd = FlatKeys.rowEnd(key, keyLength);
    if (rowEnd < 0) {
      throw database
          .errors()
          .rejected(
              "malformed key in " + family + ": " + HexFormat.of().formatHex(key, 0, keyLength));
    }
    return true;
  }

  /** The row of the present cell. */
  byte[] row() {
    return FlatKeys.row(key, rowEnd);
  }

  /** Reads the rest of the present row, and goes to the next one. */
  Row take(byte[] row, Columns columns) {
    keepRow();
    builder.clear();
    do {
      byte[] qualifier = Arrays.copyOfRange(key, rowEnd, keyLength);
      if (columns.includes(qualifier)) {
        add(row, qualifier);
      }
      cells.next();
    } while (onCell() && isInKeptRow());
    return builder.build(row);
  }

  /** Reads those of the cells of a row that exist, given ascending qualifiers. */
  Row take(byte[] row, byte[][] qualifiers) {
    builder.clear();
    for (byte[] qualifier : qualifiers) {
      byte[] wanted = FlatKeys.cell(row, qualifier);
      cells.seek(wanted);
      if (onCell() && Arrays.equals(key, 0, keyLength, wanted, 0, wanted.length)) {
        add(row, qualifier);
      }
    }
    return builder.build(row);
  }

  /** Goes to the next row. */
  void skip(byte[] row) {
    keepRow();
    for (int steps = 0; steps < STEPS_BEFORE_SEEK; steps++) {
      cells.next();
      if (!onCell() || !isInKeptRow()) {
        return;
      }
    }
    cells.seek(FlatKeys.afterRow(row));
  }

  @Override
  public void close() {
    cells.close();
    options.close();
    upperBound.close();
  }

  private boolean onCell() {
    if (!cells.isValid()) {
      try {
        cells.status();
      } catch (RocksDBException e) {
        throw database.errors().read("cannot read", e);
      }
      return false;
    }
    keyLength = cells.key(key);
    if (keyLength > key.length) {
      key = new byte[keyLength * 2];
      keyLength = cells.key(key);
    }
    return true;
  }

  private void keepRow() {
    if (rowKey.length < rowEnd) {
      rowKey = new byte[rowEnd * 2];
    }
    System.arraycopy(key, 0, rowKey, 0, rowEnd);
  }

  private boolean isInKeptRow() {
    return keyLength >= rowEnd && Arrays.equals(key, 0, rowEnd, rowKey, 0, rowEnd);
  }

  private void add(byte[] row, byte[] qualifier) {
    int length = cells.value(value);
    if (length > value.length) {
      value = new byte[Math.max(length, value.length * 2)];
      length = cells.value(value);
    }
    try {
      builder.add(
          qualifier,
          StampedValue.payload(value, length),
          StampedValue.writeTime(value, length, database.epoch()));
    } catch (StampedValue.Malformed e) {
      throw database.errors().malformed(family, row, qualifier, e);
    }
  }

  /** The cells of a row while it is read; its arrays are used again for the next one. */
  private static final class RowBuilder {
    private byte[][] qualifiers = new byte[16][];
    private byte[][] values = new byte[16][];
    private long[] writeTimes = new long[16];
    private int size;

    void clear() {
      size = 0;
    }

    void add(byte[] qualifier, byte[] value, long writeTime) {
      if (size == qualifiers.length) {
        qualifiers = Arrays.copyOf(qualifiers, size * 2);
        values = Arrays.copyOf(values, size * 2);
        writeTimes = Arrays.copyOf(writeTimes, size * 2);
      }
      qualifiers[size] = qualifier;
      values[size] = value;
      writeTimes[size] = writeTime;
      size++;
    }

    Row build(byte[] row) {
      if (size == 0) {
        return Row.empty(row);
      }
      return Row.of(
          row,
          Arrays.copyOf(qualifiers, size),
          Arrays.copyOf(values, size),
          Arrays.copyOf(writeTimes, size));
    }
  }
}
