package org.hourstone.testkit.example;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/** A whole backend: maps of maps behind one lock. */
public final class TinyStore implements KeyValueStore {
  /** Family to row to qualifier to cell; guarded by this. */
  private final NavigableMap<Family, NavigableMap<Bytes, NavigableMap<Bytes, Cell>>> families =
      new TreeMap<>();

  private final InstantSource clock;
  private boolean closed;

  public TinyStore(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.ORDERED_DELETES);
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return Optional.empty();
  }

  @Override
  public synchronized List<Family> families() {
    checkOpen();
    return List.copyOf(families.keySet());
  }

  @Override
  public synchronized void ensure(Collection<FamilySpec> specs, SchemaMode mode) {
    checkOpen();
    List<Family> missing = new ArrayList<>(specs.stream().map(FamilySpec::family).toList());
    missing.removeAll(families.keySet());
    if (mode == SchemaMode.CREATE) {
      missing.forEach(family -> families.put(family, new TreeMap<>()));
    } else if (!missing.isEmpty()) {
      throw new StoreException(Outcome.REJECTED, "missing families: " + missing);
    }
  }

  @Override
  public synchronized Row get(Family family, byte[] row, Columns columns) {
    Checks.row(row);
    byte[] key = row.clone();
    return read(key, cells(family, key), columns);
  }

  @Override
  public synchronized List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    return rows.stream().map(row -> get(family, row, columns)).toList();
  }

  @Override
  public synchronized RowCursor scan(Family family, Scan scan) {
    List<Row> found = new ArrayList<>();
    rows(family)
        .tailMap(new Bytes(scan.start()))
        .forEach(
            (key, cells) -> {
              boolean inRange = scan.stop() == null || key.compareTo(new Bytes(scan.stop())) < 0;
              Row row = read(key.array(), cells, scan.columns());
              if (inRange && scan.filter().matches(key.array()) && !row.isEmpty()) {
                found.add(row);
              }
            });
    Iterator<Row> rows = found.stream().limit(scan.limit()).iterator();
    return new RowCursor() {
      private boolean cursorClosed;

      @Override
      public @Nullable Row next() {
        checkOpen();
        if (cursorClosed) {
          throw new IllegalStateException("the cursor is closed");
        }
        return rows.hasNext() ? rows.next() : null;
      }

      @Override
      public void close() {
        cursorClosed = true;
      }
    };
  }

  @Override
  public synchronized void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    for (RowMutation mutation : batch) {
      byte[] key = mutation.row().clone();
      NavigableMap<Bytes, Cell> cells = cells(family, key);
      mutation.changes().forEach(change -> apply(cells, change));
      write(family, key, cells);
    }
  }

  private void apply(NavigableMap<Bytes, Cell> cells, Change change) {
    byte[] qualifier = change.qualifier().clone();
    if (change instanceof Change.Put put) {
      boolean given = put.writeTime() != Change.Put.STORE_TIME;
      long time = given ? put.writeTime() : clock.millis();
      cells.put(new Bytes(qualifier), new Cell(qualifier, put.value().clone(), time));
    } else if (change instanceof Change.Append append) {
      Cell old = cells.get(new Bytes(qualifier));
      byte[] value = old == null ? new byte[0] : old.value();
      byte[] joined = Arrays.copyOf(value, value.length + append.suffix().length);
      System.arraycopy(append.suffix(), 0, joined, value.length, append.suffix().length);
      cells.put(new Bytes(qualifier), new Cell(qualifier, joined, clock.millis()));
    } else if (change instanceof Change.Delete) {
      cells.remove(new Bytes(qualifier));
    } else {
      cells.clear();
    }
  }

  @Override
  public synchronized long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    byte[] old = get(family, row, Columns.all()).find(qualifier);
    if (old != null && old.length != Long.BYTES) {
      throw new StoreException(Outcome.REJECTED, "not a counter of 8 bytes in " + family);
    }
    long sum = (old == null ? 0 : ByteBuffer.wrap(old).getLong()) + delta;
    put(family, row, qualifier, ByteBuffer.allocate(Long.BYTES).putLong(sum).array());
    return sum;
  }

  @Override
  public synchronized boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    Checks.compareAndSet(row, expected, update);
    if (!Arrays.equals(get(family, row, Columns.all()).find(qualifier), expected)) {
      return false;
    }
    Change set = update == null ? new Change.Delete(qualifier) : new Change.Put(qualifier, update);
    mutate(family, List.of(new RowMutation(row, set)));
    return true;
  }

  @Override
  public synchronized void replaceCells(Family family, Row observed, List<Cell> replacement) {
    Checks.replaceCells(observed, replacement);
    byte[] key = observed.key().clone();
    NavigableMap<Bytes, Cell> cells = cells(family, key);
    for (int i = 0; i < observed.size(); i++) {
      Cell present = cells.get(new Bytes(observed.qualifier(i)));
      if (present != null
          && present.writeTime() == observed.writeTime(i)
          && Arrays.equals(present.value(), observed.value(i))) {
        cells.remove(new Bytes(observed.qualifier(i)));
      }
    }
    for (Cell cell : replacement) {
      Cell intruder = cells.get(new Bytes(cell.qualifier()));
      boolean dated = cell.writeTime() != Change.Put.STORE_TIME;
      if (!dated || intruder == null || intruder.writeTime() <= cell.writeTime()) {
        apply(cells, new Change.Put(cell.qualifier(), cell.value(), cell.writeTime()));
      }
    }
    write(family, key, cells);
  }

  @Override
  public synchronized void flush() {
    checkOpen();
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  private NavigableMap<Bytes, NavigableMap<Bytes, Cell>> rows(Family family) {
    checkOpen();
    NavigableMap<Bytes, NavigableMap<Bytes, Cell>> rows = families.get(family);
    if (rows == null) {
      throw new StoreException(Outcome.REJECTED, "no family " + family);
    }
    return rows;
  }

  /** A copy of the row's cells; what is done to it is seen when it is written back, whole. */
  private NavigableMap<Bytes, Cell> cells(Family family, byte[] key) {
    NavigableMap<Bytes, Cell> cells = rows(family).get(new Bytes(key));
    return cells == null ? new TreeMap<>() : new TreeMap<>(cells);
  }

  private void write(Family family, byte[] key, NavigableMap<Bytes, Cell> cells) {
    if (cells.isEmpty()) {
      rows(family).remove(new Bytes(key));
    } else {
      rows(family).put(new Bytes(key), cells);
    }
  }

  private static Row read(byte[] key, Map<Bytes, Cell> cells, Columns columns) {
    List<Cell> kept = cells.values().stream().filter(c -> columns.includes(c.qualifier())).toList();
    return Row.of(
        key,
        kept.stream().map(Cell::qualifier).toArray(byte[][]::new),
        kept.stream().map(Cell::value).toArray(byte[][]::new),
        kept.stream().mapToLong(Cell::writeTime).toArray());
  }
}
