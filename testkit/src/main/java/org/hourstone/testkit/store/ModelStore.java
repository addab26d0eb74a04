package org.hourstone.testkit.store;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
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
import org.hourstone.kv.RangeDeletes;
import org.hourstone.kv.ReadView;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.Snapshots;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * The SPI written down as simply as possible: maps of maps behind one lock. It is what other stores
 * are compared with, and a template for new ones. It keeps every promise that can be kept on the
 * heap, and is slow.
 */
public final class ModelStore implements KeyValueStore {
  private record Value(byte[] bytes, long time) {}

  /** Family to row to qualifier to value; no row is empty. Guarded by this. */
  private final NavigableMap<Family, NavigableMap<Bytes, NavigableMap<Bytes, Value>>> families =
      new TreeMap<>();

  private final List<ModelStore> views = new ArrayList<>();
  private final InstantSource clock;
  private long lastTime;
  private boolean closed;

  public ModelStore(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Set<Trait> traits() {
    return EnumSet.of(
        Trait.ATOMIC_BATCH,
        Trait.ORDERED_DELETES,
        Trait.MONOTONIC_WRITE_TIMES,
        Trait.ROW_SNAPSHOT_SCAN);
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    if (type == Snapshots.class) {
      return Optional.of(type.cast((Snapshots) this::view));
    }
    if (type == RangeDeletes.class) {
      return Optional.of(type.cast((RangeDeletes) this::deleteRange));
    }
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
    List<Family> missing =
        specs.stream().map(FamilySpec::family).filter(f -> !families.containsKey(f)).toList();
    if (mode == SchemaMode.CREATE) {
      missing.forEach(family -> families.put(family, new TreeMap<>()));
    } else if (!missing.isEmpty()) {
      throw rejected("missing families: " + missing);
    }
  }

  @Override
  public synchronized Row get(Family family, byte[] row, Columns columns) {
    Checks.row(row);
    return read(new Bytes(row.clone()), rows(family), columns);
  }

  @Override
  public synchronized List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    List<Row> result = new ArrayList<>();
    for (byte[] row : rows) {
      result.add(get(family, row, columns));
    }
    return result;
  }

  @Override
  public synchronized RowCursor scan(Family family, Scan scan) {
    List<Row> result = new ArrayList<>();
    NavigableMap<Bytes, NavigableMap<Bytes, Value>> rows = rows(family);
    for (Bytes key : rows.tailMap(new Bytes(scan.start()), true).keySet()) {
      boolean beyond = scan.stop() != null && key.compareTo(new Bytes(scan.stop())) >= 0;
      if (beyond || result.size() >= scan.limit()) {
        break;
      }
      Row row = read(key, rows, scan.columns());
      if (scan.filter().matches(key.array()) && !row.isEmpty()) {
        result.add(row);
      }
    }
    return new ModelCursor(result.iterator());
  }

  @Override
  public synchronized void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    NavigableMap<Bytes, NavigableMap<Bytes, Value>> rows = rows(family);
    for (RowMutation mutation : batch) {
      Bytes key = new Bytes(mutation.row().clone());
      NavigableMap<Bytes, Value> row = new TreeMap<>(rows.getOrDefault(key, new TreeMap<>()));
      long now = nextTime();
      mutation.changes().forEach(change -> apply(row, change, now));
      store(rows, key, row);
    }
  }

  private static void apply(NavigableMap<Bytes, Value> row, Change change, long now) {
    Bytes qualifier = new Bytes(change.qualifier().clone());
    if (change instanceof Change.Put put) {
      long time = put.writeTime() == Change.Put.STORE_TIME ? now : put.writeTime();
      row.put(qualifier, new Value(put.value().clone(), time));
    } else if (change instanceof Change.Append append) {
      Value old = row.getOrDefault(qualifier, new Value(new byte[0], 0));
      byte[] joined = Arrays.copyOf(old.bytes(), old.bytes().length + append.suffix().length);
      System.arraycopy(append.suffix(), 0, joined, old.bytes().length, append.suffix().length);
      row.put(qualifier, new Value(joined, now));
    } else if (change instanceof Change.Delete) {
      row.remove(qualifier);
    } else {
      row.clear();
    }
  }

  @Override
  public synchronized long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Checks.row(row);
    byte[] present = get(family, row, Columns.all()).find(qualifier);
    if (present != null && present.length != Long.BYTES) {
      throw rejected("not a counter: " + present.length + " bytes in " + family);
    }
    long sum = (present == null ? 0 : ByteBuffer.wrap(present).getLong()) + delta;
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
    Change change =
        update == null ? new Change.Delete(qualifier) : new Change.Put(qualifier, update);
    mutate(family, List.of(new RowMutation(row, change)));
    return true;
  }

  @Override
  public synchronized void replaceCells(Family family, Row observed, List<Cell> replacement) {
    Checks.replaceCells(observed, replacement);
    NavigableMap<Bytes, NavigableMap<Bytes, Value>> rows = rows(family);
    Bytes key = new Bytes(observed.key().clone());
    NavigableMap<Bytes, Value> row = new TreeMap<>(rows.getOrDefault(key, new TreeMap<>()));
    for (int i = 0; i < observed.size(); i++) {
      Bytes qualifier = new Bytes(observed.qualifier(i));
      Value present = row.get(qualifier);
      if (present != null
          && present.time() == observed.writeTime(i)
          && Arrays.equals(present.bytes(), observed.value(i))) {
        row.remove(qualifier);
      }
    }
    long now = nextTime();
    for (Cell cell : replacement) {
      Value intruder = row.get(new Bytes(cell.qualifier()));
      boolean dated = cell.writeTime() != Change.Put.STORE_TIME;
      if (!dated || intruder == null || intruder.time() <= cell.writeTime()) {
        apply(row, new Change.Put(cell.qualifier(), cell.value(), cell.writeTime()), now);
      }
    }
    store(rows, key, row);
  }

  private synchronized void deleteRange(Family family, byte[] start, byte @Nullable [] stop) {
    NavigableMap<Bytes, NavigableMap<Bytes, Value>> from =
        rows(family).tailMap(new Bytes(start.clone()), true);
    (stop == null ? from : from.headMap(new Bytes(stop.clone()), false)).clear();
  }

  /** A view is a model of its own that holds the same rows and can't be reached to write. */
  private synchronized ReadView view() {
    checkOpen();
    ModelStore copy = new ModelStore(clock);
    families.forEach((family, rows) -> copy.families.put(family, new TreeMap<>(rows)));
    views.add(copy);
    return new ReadView() {
      @Override
      public Row get(Family family, byte[] row, Columns columns) {
        return copy.get(family, row, columns);
      }

      @Override
      public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
        return copy.get(family, rows, columns);
      }

      @Override
      public RowCursor scan(Family family, Scan scan) {
        return copy.scan(family, scan);
      }

      @Override
      public void close() {
        copy.close();
      }
    };
  }

  @Override
  public synchronized void flush() {
    checkOpen();
  }

  @Override
  public synchronized void close() {
    closed = true;
    families.clear();
    views.forEach(ModelStore::close);
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  private NavigableMap<Bytes, NavigableMap<Bytes, Value>> rows(Family family) {
    checkOpen();
    NavigableMap<Bytes, NavigableMap<Bytes, Value>> rows = families.get(family);
    if (rows == null) {
      throw rejected("no family " + family);
    }
    return rows;
  }

  private long nextTime() {
    lastTime = Math.max(clock.millis(), lastTime + 1);
    return lastTime;
  }

  /** Puts a new row object in place: readers and views may hold the old one. */
  private static void store(
      NavigableMap<Bytes, NavigableMap<Bytes, Value>> rows,
      Bytes key,
      NavigableMap<Bytes, Value> row) {
    if (row.isEmpty()) {
      rows.remove(key);
    } else {
      rows.put(key, row);
    }
  }

  private static Row read(
      Bytes key, NavigableMap<Bytes, NavigableMap<Bytes, Value>> rows, Columns columns) {
    Map<Bytes, Value> kept = new TreeMap<>(rows.getOrDefault(key, new TreeMap<>()));
    kept.keySet().removeIf(qualifier -> !columns.includes(qualifier.array()));
    return Row.of(
        key.array(),
        kept.keySet().stream().map(Bytes::array).toArray(byte[][]::new),
        kept.values().stream().map(Value::bytes).toArray(byte[][]::new),
        kept.values().stream().mapToLong(Value::time).toArray());
  }

  private static StoreException rejected(String message) {
    return new StoreException(StoreException.Outcome.REJECTED, message);
  }

  private final class ModelCursor implements RowCursor {
    private final Iterator<Row> rows;
    private boolean cursorClosed;

    ModelCursor(Iterator<Row> rows) {
      this.rows = rows;
    }

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
  }
}
