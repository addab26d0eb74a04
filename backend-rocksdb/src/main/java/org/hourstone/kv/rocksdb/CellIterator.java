package org.hourstone.kv.rocksdb;

import java.util.Arrays;
import java.util.HexFormat;
import org.hourstone.kv.Cell;
import org.hourstone.kv.CodedCell;
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

/**
 * Iterates over the cells of one family and assembles rows. All rows are from one snapshot, taken
 * when the iterator was created or renewed. Keys and values are read into reused buffers; the parts
 * of a row are copied from them. For one thread at a time.
 */
final class CellIterator implements AutoCloseable {
  /** The number of cells of an unwanted row that are skipped one by one before a seek. */
  private static final int STEPS_BEFORE_SEEK = 8;

  private final Family family;
  private final @Nullable Coding coding;
  private final Database database;
  private final ReadOptions options;
  private final Slice upperBound;
  private final RocksIterator cells;
  private final RowBuilder builder = new RowBuilder();

  /** Whether it is positioned on a cell; the cell's key has been read then. */
  private boolean onCell;

  /** If not null, the current cell is the first one that is not before this key. */
  private byte @Nullable [] sought;

  private byte[] key = new byte[64];
  private int keyLength;
  private int rowEnd;
  private byte[] rowKey = new byte[64];
  private byte[] value = new byte[256];

  /** The cell that was found, if it is coded. */
  private @Nullable Cell coded;

  /** The place that was decoded last, and what is in it: often several cells of it are wanted. */
  private byte[] placeKey = {};

  private Coding.Placed placed = Coding.Placed.NONE;

  /**
   * Creates an iterator that is not positioned yet: seek first.
   *
   * @param upper the end of the keys, exclusive
   * @throws StoreException REJECTED if there is no such family
   */
  CellIterator(Database database, Family family, byte[] upper) {
    // Before any native object is created, which would leak.
    OpenFamily open = database.family(family);
    this.family = family;
    this.coding = open.coding();
    this.database = database;
    this.options = new ReadOptions();
    this.upperBound = new Slice(upper);
    options.setIterateUpperBound(upperBound);
    this.cells = database.rocks().newIterator(open.handle(), options);
  }

  /** Moves to the first cell that is not before a key. */
  void seek(byte[] from) {
    cells.seek(from);
    onCell = false;
    sought = null;
  }

  /** As {@link #seek}, in a new snapshot. */
  void renew(byte[] from) {
    try {
      cells.refresh();
    } catch (RocksDBException e) {
      throw database.errors().read("cannot read", e);
    }
    placeKey = new byte[0];
    seek(from);
  }

  /**
   * Moves to a cell, and returns whether it is present. If cells are requested in the order of
   * their keys, adjacent cells are found without a seek, which costs ten times as much as a step.
   */
  boolean find(byte[] wanted) {
    byte[] before = sought;
    sought = null; // if the move fails, the next one is a seek
    if (before == null || Arrays.compareUnsigned(before, wanted) > 0) {
      cells.seek(wanted);
      readKey();
    } else if (onCell && compareTo(wanted) < 0) {
      cells.next();
      if (readKey() && compareTo(wanted) < 0) {
        cells.seek(wanted);
        readKey();
      }
    }
    sought = wanted;
    return onCell && compareTo(wanted) == 0;
  }

  /**
   * Moves to a row, and returns whether it is present. If rows are requested in the order of their
   * keys, it takes no seek to find that one is absent after another.
   */
  boolean findRow(byte[] wanted) {
    byte[] first = FlatKeys.bound(wanted);
    boolean unused = find(first);
    return onRow() && Arrays.equals(key, 0, rowEnd, first, 0, first.length);
  }

  /** Moves to a cell, in its place or under its qualifier, and returns whether it is present. */
  boolean find(byte[] row, byte[] qualifier) {
    coded = null;
    if (coding == null) {
      return find(FlatKeys.cell(row, qualifier));
    }
    if (coding.mayBeDirect(qualifier) && find(FlatKeys.cell(row, CodedKeys.direct(qualifier)))) {
      return true;
    }
    coded = coding.codes(qualifier) ? inPlace(row, coding.place(qualifier)).find(qualifier) : null;
    return coded != null;
  }

  /** What is in a place of a coded family. */
  Coding.Placed inPlace(byte[] row, byte[] place) {
    byte[] wanted = FlatKeys.cell(row, place);
    if (!Arrays.equals(wanted, placeKey)) {
      Coding.Placed found = Coding.Placed.NONE;
      if (coding != null && find(wanted)) {
        int length = readValue(); // may replace the buffer
        found = coding.decode(row, place, value, length, database.epoch(), Columns.all());
      }
      placed = found;
      placeKey = wanted;
    }
    return placed;
  }

  /** The write time of the cell that was found. */
  long writeTime() {
    if (coded != null) {
      return coded.writeTime();
    }
    int length = readValue();
    rowEnd = FlatKeys.rowEnd(key, keyLength);
    return writeTime(length, row(), Arrays.copyOfRange(key, rowEnd, keyLength));
  }

  /** The write time of the current cell; its value, of this length, must have been read. */
  private long writeTime(int length, byte[] row, byte[] qualifier) {
    try {
      return StampedValue.writeTime(value, length, database.epoch());
    } catch (StampedValue.Malformed e) {
      throw database.errors().malformed(family, row, qualifier, e);
    }
  }

  /**
   * Whether there is a current cell, which is then the first cell of a row or the first requested
   * one.
   *
   * @throws StoreException if it can't be read
   */
  boolean onRow() {
    if (!onCell && !readKey()) {
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

  /** The row of the current cell. */
  byte[] row() {
    return FlatKeys.row(key, rowEnd);
  }

  /** Reads the rest of the current row, and moves to the next one. */
  Row take(byte[] row, Columns columns) {
    sought = null;
    keepRow();
    builder.clear();
    boolean inRow = true;
    if (coding != null && columns == Columns.All.AS_STORED && isOnPlace()) {
      byte[] place = Arrays.copyOfRange(key, rowEnd, keyLength);
      int length = readValue(); // may replace the buffer
      Row kept = keep(coding, row, place, length);
      inRow = nextInKeptRow();
      if (!inRow) {
        return kept;
      }
      for (int i = 0; i < kept.size(); i++) {
        builder.add(kept.qualifier(i), kept.value(i), kept.writeTime(i));
      }
    }
    for (; inRow; inRow = nextInKeptRow()) {
      if (coding != null) {
        addKept(coding, row, columns);
      } else {
        byte[] qualifier = Arrays.copyOfRange(key, rowEnd, keyLength);
        if (columns.includes(qualifier)) {
          add(row, qualifier);
        }
      }
    }
    return builder.build(row);
  }

  /** The row of what is in a place, to be decoded later. */
  private Row keep(Coding coding, byte[] row, byte[] place, int length) {
    if (!coding.isOfCells()) {
      return Row.ofCoded(row, coding.keep(row, place, value, length, database.epoch()));
    }
    CodedCell cell = coding.keep(row, place, value, length);
    return Row.ofCoded(row, cell, writeTime(length, row, place));
  }

  /** Reads the existing cells of a row, given ascending qualifiers. */
  Row take(byte[] row, byte[][] qualifiers) {
    builder.clear();
    for (byte[] qualifier : qualifiers) {
      if (find(row, qualifier)) {
        if (coded == null) {
          add(row, qualifier);
        } else {
          builder.add(qualifier, coded.value(), coded.writeTime());
        }
      }
    }
    return builder.build(row);
  }

  /** Moves to the next row. */
  void skip(byte[] row) {
    sought = null;
    keepRow();
    for (int steps = 0; steps < STEPS_BEFORE_SEEK; steps++) {
      cells.next();
      if (!readKey() || !isInKeptRow()) {
        return;
      }
    }
    seek(FlatKeys.afterRow(row));
  }

  /** Moves over all cells of the current row, which fails if one of them can't be read. */
  void skipCells() {
    sought = null;
    keepRow();
    do {
      cells.next();
    } while (readKey() && isInKeptRow());
  }

  @Override
  public void close() {
    cells.close();
    options.close();
    upperBound.close();
  }

  private boolean readKey() {
    onCell = cells.isValid();
    if (!onCell) {
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

  private int compareTo(byte[] wanted) {
    return Arrays.compareUnsigned(key, 0, keyLength, wanted, 0, wanted.length);
  }

  private int readValue() {
    int length = cells.value(value);
    if (length > value.length) {
      value = new byte[Math.max(length, value.length * 2)];
      length = cells.value(value);
    }
    return length;
  }

  private void keepRow() {
    if (rowKey.length < rowEnd) {
      rowKey = new byte[rowEnd * 2];
    }
    System.arraycopy(key, 0, rowKey, 0, rowEnd);
  }

  /** Moves to the next cell, and returns whether it belongs to the same row. */
  private boolean nextInKeptRow() {
    cells.next();
    return readKey() && isInKeptRow();
  }

  private boolean isOnPlace() {
    return CodedKeys.isPlace(key, rowEnd, keyLength);
  }

  private boolean isInKeptRow() {
    return keyLength >= rowEnd && Arrays.equals(key, 0, rowEnd, rowKey, 0, rowEnd);
  }

  /** Adds what a key of a coded family has, if it is included. */
  private void addKept(Coding coding, byte[] row, Columns columns) {
    if (!isOnPlace()) {
      byte[] qualifier = CodedKeys.qualifier(key, rowEnd, keyLength);
      if (columns.includes(qualifier)) {
        add(row, qualifier);
      }
    } else if (coding.mayInclude(columns, key, rowEnd)) {
      byte[] place = Arrays.copyOfRange(key, rowEnd, keyLength);
      int length = readValue(); // may replace the buffer
      for (Cell cell :
          coding.decode(row, place, value, length, database.epoch(), columns).cells()) {
        if (columns.includes(cell.qualifier())) {
          builder.add(cell.qualifier(), cell.value(), cell.writeTime());
        }
      }
    }
  }

  private void add(byte[] row, byte[] qualifier) {
    int length = readValue();
    try {
      builder.add(
          qualifier,
          StampedValue.payload(value, length),
          StampedValue.writeTime(value, length, database.epoch()));
    } catch (StampedValue.Malformed e) {
      throw database.errors().malformed(family, row, qualifier, e);
    }
  }

  /** The cells of a row while it is read; the arrays are reused for the next row. */
  private static final class RowBuilder {
    private byte[][] qualifiers = new byte[4][];
    private byte[][] values = new byte[4][];
    private long[] writeTimes = new long[4];
    private int size;
    private boolean ascending;

    void clear() {
      size = 0;
      ascending = true;
    }

    void add(byte[] qualifier, byte[] value, long writeTime) {
      if (size == qualifiers.length) {
        qualifiers = Arrays.copyOf(qualifiers, size * 2);
        values = Arrays.copyOf(values, size * 2);
        writeTimes = Arrays.copyOf(writeTimes, size * 2);
      }
      ascending &= size == 0 || Arrays.compareUnsigned(qualifiers[size - 1], qualifier) < 0;
      qualifiers[size] = qualifier;
      values[size] = value;
      writeTimes[size] = writeTime;
      size++;
    }

    /** The places of the row are not in the order of its qualifiers. */
    private void sort() {
      Integer[] order = new Integer[size];
      Arrays.setAll(order, i -> i);
      Arrays.sort(order, (i, j) -> Arrays.compareUnsigned(qualifiers[i], qualifiers[j]));
      byte[][] unsortedQualifiers = qualifiers.clone();
      byte[][] unsortedValues = values.clone();
      long[] unsortedTimes = writeTimes.clone();
      for (int i = 0; i < size; i++) {
        qualifiers[i] = unsortedQualifiers[order[i]];
        values[i] = unsortedValues[order[i]];
        writeTimes[i] = unsortedTimes[order[i]];
      }
    }

    Row build(byte[] row) {
      if (size == 0) {
        return Row.empty(row);
      }
      if (!ascending) {
        sort();
      }
      return Row.of(
          row,
          Arrays.copyOf(qualifiers, size),
          Arrays.copyOf(values, size),
          Arrays.copyOf(writeTimes, size));
    }
  }
}
