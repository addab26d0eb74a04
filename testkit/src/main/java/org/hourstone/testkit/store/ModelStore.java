package org.hourstone.testkit.store;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowEdit;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * The simplest implementation of the SPI: maps of rows behind one lock. Other stores are compared
 * with it, and it is a template for new ones. It has every guarantee that is possible on the heap,
 * and is slow.
 */
public final class ModelStore implements KeyValueStore {
  /** Family to row key to row; no row is empty. Guarded by this. */
  private final NavigableMap<Family, NavigableMap<Bytes, Row>> families = new TreeMap<>();

  private final InstantSource clock;
  private final Set<Trait> traits;
  private long lastTime;
  private boolean closed;

  public ModelStore(InstantSource clock) {
    this(clock, Set.of(Trait.MONOTONIC_WRITE_TIMES));
  }

  /**
   * A model of other stores.
   *
   * @param traits without {@link Trait#MONOTONIC_WRITE_TIMES} write times are the clock's
   *     milliseconds, as in HBase: several changes may have the same
   */
  public ModelStore(InstantSource clock, Set<Trait> traits) {
    this.clock = clock;
    this.traits = Set.copyOf(traits);
  }

  @Override
  public Set<Trait> traits() {
    return traits;
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
    Checks.rows(rows);
    rows(family);
    return rows.stream().map(row -> get(family, row, columns)).toList();
  }

  @Override
  public synchronized RowCursor scan(Family family, Scan scan) {
    List<Row> result = new ArrayList<>();
    int skipped = 0;
    NavigableMap<Bytes, Row> rows = rows(family);
    for (Bytes key : rows.tailMap(new Bytes(scan.start()), true).keySet()) {
      boolean beyond = scan.stop() != null && key.compareTo(new Bytes(scan.stop())) >= 0;
      if (beyond || result.size() >= scan.limit()) {
        break;
      }
      Row row = read(key, rows, scan.columns());
      if (scan.filter().matches(key.array()) && !row.isEmpty()) {
        result.add(row);
      } else if (++skipped % Scan.ROWS_PER_CHECK == 0) {
        scan.check().run();
      }
    }
    return new ModelCursor(result.iterator());
  }

  @Override
  public synchronized void mutate(Family family, List<RowMutation> batch) {
    Checks.batch(batch);
    rows(family);
    for (RowMutation mutation : batch) {
      edit(
          family,
          mutation.row(),
          edit -> {
            edit.apply(mutation.changes());
            return true;
          });
    }
  }

  @Override
  public synchronized long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Checks.increment(row, qualifier);
    return edit(family, row, edit -> edit.increment(qualifier, delta));
  }

  @Override
  public synchronized boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    Checks.compareAndSet(row, qualifier, expected, update);
    return edit(family, row, edit -> edit.compareAndSet(qualifier, expected, update));
  }

  @Override
  public synchronized boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    Checks.replaceCells(observed, replacement);
    return edit(family, observed.key(), edit -> edit.replace(observed, replacement));
  }

  /** Reads a row, changes it and puts a new row object in place: readers may hold the old one. */
  private <T> T edit(Family family, byte[] row, Function<RowEdit, T> change) {
    NavigableMap<Bytes, Row> rows = rows(family);
    Bytes key = new Bytes(row.clone());
    RowEdit edit = new RowEdit(rows.getOrDefault(key, Row.empty(key.array())), nextTime());
    T result = change.apply(edit);
    Row after = edit.result();
    if (after.isEmpty()) {
      rows.remove(key);
    } else {
      rows.put(key, after);
    }
    return result;
  }

  /** The latest write time assigned, or restored. */
  public synchronized long lastTime() {
    return lastTime;
  }

  /**
   * Restores a row as it was read, write times included; one without cells is removed. For stores
   * that keep the model's rows elsewhere.
   *
   * @param last the {@link #lastTime} of that moment: times assigned from now on are later
   */
  public synchronized void restore(Family family, Row row, long last) {
    lastTime = Math.max(lastTime, last);
    if (row.isEmpty()) {
      rows(family).remove(new Bytes(row.key()));
    } else {
      rows(family).put(new Bytes(row.key()), row);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    families.clear();
  }

  private synchronized void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  private NavigableMap<Bytes, Row> rows(Family family) {
    checkOpen();
    NavigableMap<Bytes, Row> rows = families.get(family);
    if (rows == null) {
      throw rejected("no family " + family);
    }
    return rows;
  }

  private long nextTime() {
    boolean isLater = traits.contains(Trait.MONOTONIC_WRITE_TIMES);
    lastTime = isLater ? Math.max(clock.millis(), lastTime + 1) : clock.millis();
    return lastTime;
  }

  private static Row read(Bytes key, NavigableMap<Bytes, Row> rows, Columns columns) {
    Row row = rows.getOrDefault(key, Row.empty(key.array()));
    return row.only(
        IntStream.range(0, row.size())
            .filter(i -> columns.includes(row.qualifier(i)))
            .boxed()
            .toList());
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
