package org.hourstone.kv;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes the effect of changes on a row, for stores that can lock a row, read it and write it.
 * Such a store locks the row, reads it, creates an edit from it, calls one of the operations,
 * writes {@link #puts} and {@link #deletions} in one step, and unlocks:
 *
 * <pre>{@code
 * RowEdit edit = new RowEdit(read(row), clock.millis());
 * boolean replaced = edit.replace(observed, replacement);
 * write(row, edit.puts(), edit.deletions());
 * }</pre>
 *
 * <p>After an operation that fails or returns false there is nothing to write. Arrays are copied,
 * so the results may be kept. For one thread.
 */
public final class RowEdit {
  private final byte[] key;
  private final long now;
  private final NavigableMap<Bytes, Cell> cells = new TreeMap<>();

  /** The cells to write; empty for a cell that is removed. */
  private final NavigableMap<Bytes, Optional<Cell>> edits = new TreeMap<>();

  /**
   * @param present all cells of the row that the operation names; for a {@link Change.DeleteRow},
   *     all cells of the row
   * @param now the write time the store assigns to this change. On a store with {@link
   *     Trait#MONOTONIC_WRITE_TIMES} it is later than all write times of the row.
   */
  public RowEdit(Row present, long now) {
    this.key = present.key();
    this.now = now;
    for (int i = 0; i < present.size(); i++) {
      Cell cell = new Cell(present.qualifier(i), present.value(i), present.writeTime(i));
      cells.put(new Bytes(cell.qualifier()), cell);
    }
  }

  /** Applies the changes of a {@link RowMutation}. */
  public void apply(List<Change> changes) {
    for (Change change : changes) {
      if (change instanceof Change.Put put) {
        put(put.qualifier(), put.value(), now);
      } else if (change instanceof Change.PutIfNewer put) {
        long time = Math.min(put.writeTime(), now);
        Cell present = cells.get(new Bytes(put.qualifier()));
        if (present == null || present.writeTime() <= time) {
          put(put.qualifier(), put.value(), time);
        }
      } else if (change instanceof Change.Append append) {
        Cell present = cells.get(new Bytes(append.qualifier()));
        put(
            append.qualifier(),
            present == null ? append.suffix() : joined(present.value(), append.suffix()),
            now);
      } else if (change instanceof Change.Delete delete) {
        remove(new Bytes(delete.qualifier().clone()));
      } else {
        List.copyOf(cells.keySet()).forEach(this::remove);
      }
    }
  }

  /** As {@link KeyValueStore#increment}. */
  public long increment(byte[] qualifier, long delta) {
    Cell present = cells.get(new Bytes(qualifier));
    if (present != null && present.value().length != Long.BYTES) {
      throw new StoreException(
          StoreException.Outcome.REJECTED,
          "not a counter: cell "
              + new Bytes(qualifier)
              + " of row "
              + new Bytes(key)
              + " has "
              + present.value().length
              + " bytes, not 8");
    }
    long sum = (present == null ? 0 : ByteBuffer.wrap(present.value()).getLong()) + delta;
    put(qualifier, ByteBuffer.allocate(Long.BYTES).putLong(sum).array(), now);
    return sum;
  }

  /** As {@link KeyValueStore#compareAndSet}. */
  public boolean compareAndSet(
      byte[] qualifier, byte @Nullable [] expected, byte @Nullable [] update) {
    Cell present = cells.get(new Bytes(qualifier));
    if (!Arrays.equals(present == null ? null : present.value(), expected)) {
      return false;
    }
    if (update != null) {
      put(qualifier, update, now);
    } else {
      remove(new Bytes(qualifier.clone()));
    }
    return true;
  }

  /** As {@link KeyValueStore#replaceCells}. */
  public boolean replace(Row observed, List<Cell> replacement) {
    for (int i = 0; i < observed.size(); i++) {
      Cell present = cells.get(new Bytes(observed.qualifier(i)));
      if (present == null
          || present.writeTime() != observed.writeTime(i)
          || !Arrays.equals(present.value(), observed.value(i))) {
        return false;
      }
    }
    for (Cell cell : replacement) {
      if (observed.indexOf(cell.qualifier()) < 0
          && cells.containsKey(new Bytes(cell.qualifier()))) {
        return false;
      }
    }
    for (int i = 0; i < observed.size(); i++) {
      remove(new Bytes(observed.qualifier(i).clone()));
    }
    for (Cell cell : replacement) {
      long time = cell.writeTime() == Cell.STORE_TIME ? now : Math.min(cell.writeTime(), now);
      put(cell.qualifier(), cell.value(), time);
    }
    return true;
  }

  /** The cells to put, ascending by qualifier, with the write times they get. */
  public List<Cell> puts() {
    return edits.values().stream().flatMap(Optional::stream).toList();
  }

  /** The qualifiers of the cells to remove, ascending. */
  public List<byte[]> deletions() {
    return edits.entrySet().stream()
        .filter(edit -> edit.getValue().isEmpty())
        .map(edit -> edit.getKey().array())
        .toList();
  }

  /** Whether there is nothing to write. */
  public boolean isEmpty() {
    return edits.isEmpty();
  }

  /** The row after the operation. */
  public Row result() {
    List<Cell> all = new ArrayList<>(cells.values());
    return Row.of(
        key,
        all.stream().map(Cell::qualifier).toArray(byte[][]::new),
        all.stream().map(Cell::value).toArray(byte[][]::new),
        all.stream().mapToLong(Cell::writeTime).toArray());
  }

  private void put(byte[] qualifier, byte[] value, long time) {
    Cell cell = new Cell(qualifier.clone(), value.clone(), time);
    Bytes name = new Bytes(cell.qualifier());
    cells.put(name, cell);
    edits.put(name, Optional.of(cell));
  }

  private void remove(Bytes qualifier) {
    if (cells.remove(qualifier) != null) {
      edits.put(qualifier, Optional.empty());
    }
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
