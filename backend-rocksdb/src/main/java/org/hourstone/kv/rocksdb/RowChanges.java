package org.hourstone.kv.rocksdb;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.hourstone.kv.Cell;
import org.hourstone.kv.RowCodec;
import org.jspecify.annotations.Nullable;

/**
 * Changes of cells that are coded together: preserves the invariant of {@link Coding}. Cells that
 * are put are added to the place of their row as one more coded form, without reading it. If a cell
 * is deleted or appended to, all cells of the place are read and written again as one form; also
 * after some of the puts, so that forms don't accumulate.
 *
 * <p>The lock of every changed row must be held from before the cells are read until the batch is
 * written. All changes of a row must be consecutive, and {@link #end} must follow the last one.
 */
final class RowChanges implements CellChanges {
  /** One in this number of rows that are only put to is read: any, as batches are often alike. */
  private static final int ROWS_PER_CHECK = 16;

  /** A row with more forms is written again. */
  private static final int MOST_FORMS = 8;

  private static final byte[] NONE = {};

  private final Coding coding;
  private final RowCodec codec;
  private final BatchBuffer batch;
  private final CellIterator present;

  private byte[] row = NONE;

  /** The cells that are put while no others are needed, ascending. */
  private final List<Cell> puts = new ArrayList<>();

  /** The cells that are put, or all cells of the row as they will be, by qualifier. */
  private @Nullable SortedMap<byte[], Cell> cells;

  /** Whether the cells are all of the row. */
  private boolean areAll;

  private boolean isDeleted;

  /**
   * @param batch receives the changes to write
   * @param present reads the existing cells while the locks are held
   */
  RowChanges(Coding coding, RowCodec codec, BatchBuffer batch, CellIterator present) {
    this.coding = coding;
    this.codec = codec;
    this.batch = batch;
    this.present = present;
  }

  @Override
  public void put(byte[] of, byte[] qualifier, byte[] value, long time) {
    if (coding.codes(qualifier)) {
      begin(of);
      set(new Cell(qualifier, value, time));
    } else {
      batch.put(of, CodedKeys.direct(qualifier), value, time);
    }
  }

  @Override
  public void append(byte[] of, byte[] qualifier, byte[] suffix, long time) {
    if (coding.codes(qualifier)) {
      begin(of);
      Cell before = read().get(qualifier);
      byte[] joined = suffix;
      if (before != null) {
        joined = Arrays.copyOf(before.value(), before.value().length + suffix.length);
        System.arraycopy(suffix, 0, joined, before.value().length, suffix.length);
      }
      set(new Cell(qualifier, joined, time));
    } else {
      batch.append(of, CodedKeys.direct(qualifier), suffix, time);
    }
  }

  @Override
  public void delete(byte[] of, byte[] qualifier) {
    if (coding.codes(qualifier)) {
      begin(of);
      Cell unused = read().remove(qualifier);
    } else {
      batch.delete(of, CodedKeys.direct(qualifier));
    }
  }

  @Override
  public void deleteRow(byte[] of) {
    begin(of);
    puts.clear();
    cells = newCells();
    areAll = true;
    isDeleted = true;
    batch.deleteRow(of);
  }

  private void begin(byte[] of) {
    if (!Arrays.equals(row, of)) {
      end();
      row = of;
    }
  }

  private void set(Cell cell) {
    boolean ascends =
        puts.isEmpty()
            || Arrays.compareUnsigned(puts.get(puts.size() - 1).qualifier(), cell.qualifier()) < 0;
    if (cells == null && ascends) {
      puts.add(cell);
    } else {
      Cell unused = ordered().put(cell.qualifier(), cell);
    }
  }

  private SortedMap<byte[], Cell> ordered() {
    SortedMap<byte[], Cell> ordered = cells;
    if (ordered == null) {
      ordered = newCells();
      for (Cell cell : puts) {
        ordered.put(cell.qualifier(), cell);
      }
      puts.clear();
      cells = ordered;
    }
    return ordered;
  }

  /** The cells of the row after the changes so far. */
  private SortedMap<byte[], Cell> read() {
    return areAll ? ordered() : with(present.inPlace(row, CodedKeys.ofRow()));
  }

  private SortedMap<byte[], Cell> with(Coding.Placed placed) {
    SortedMap<byte[], Cell> ordered = ordered();
    placed.cells().forEach(cell -> ordered.putIfAbsent(cell.qualifier(), cell));
    areAll = true;
    return ordered;
  }

  @Override
  public void end() {
    boolean onlyPuts = !areAll && (cells != null || !puts.isEmpty());
    if (onlyPuts && ThreadLocalRandom.current().nextInt(ROWS_PER_CHECK) == 0) {
      Coding.Placed placed = present.inPlace(row, CodedKeys.ofRow());
      if (placed.forms() > MOST_FORMS) {
        SortedMap<byte[], Cell> unused = with(placed);
      }
    }
    List<Cell> written = cells == null ? puts : List.copyOf(cells.values());
    if (!written.isEmpty()) {
      byte[] coded = codec.encode(written);
      long newest = 0;
      for (Cell cell : written) {
        newest = Math.max(newest, cell.writeTime());
      }
      if (areAll) {
        batch.put(row, CodedKeys.ofRow(), coded, newest);
      } else {
        batch.append(row, CodedKeys.ofRow(), coded, newest);
      }
    } else if (areAll && !isDeleted) {
      batch.delete(row, CodedKeys.ofRow());
    }
    puts.clear();
    cells = null;
    areAll = false;
    isDeleted = false;
    row = NONE;
  }

  private static SortedMap<byte[], Cell> newCells() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }
}
