package org.hourstone.testing.example;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/** A whole backend: maps of rows behind one lock. */
public final class TinyStore implements KeyValueStore {
  /** Family to row key to row; guarded by this. */
  private final NavigableMap<Family, NavigableMap<Bytes, Row>> families = new TreeMap<>();

  private final InstantSource clock;
  private boolean closed;

  public TinyStore(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of();
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
    return read(family, row.clone(), columns);
  }

  @Override
  public synchronized List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    Checks.rows(rows);
    rows(family);
    return rows.stream().map(row -> get(family, row, columns)).toList();
  }

  @Override
  public synchronized RowCursor scan(Family family, Scan scan) {
    List<Row> found = new ArrayList<>();
    int[] skipped = {0};
    rows(family)
        .tailMap(new Bytes(scan.start()))
        .forEach(
            (key, all) -> {
              boolean inRange = scan.stop() == null || key.compareTo(new Bytes(scan.stop())) < 0;
              Row row = read(family, key.array(), scan.columns());
              if (inRange && scan.filter().matches(key.array()) && !row.isEmpty()) {
                found.add(row);
              } else if (++skipped[0] % Scan.ROWS_PER_CHECK == 0) {
                scan.check().run(); // ends a query that is cancelled
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
    rows(family);
    for (RowMutation mutation : batch) {
      RowEdit edit = edit(family, mutation.row());
      edit.apply(mutation.changes());
      write(family, edit);
    }
  }

  @Override
  public synchronized long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Checks.increment(row, qualifier);
    RowEdit edit = edit(family, row);
    long sum = edit.increment(qualifier, delta);
    write(family, edit);
    return sum;
  }

  @Override
  public synchronized boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    Checks.compareAndSet(row, qualifier, expected, update);
    RowEdit edit = edit(family, row);
    boolean set = edit.compareAndSet(qualifier, expected, update);
    write(family, edit);
    return set;
  }

  @Override
  public synchronized boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    Checks.replaceCells(observed, replacement);
    RowEdit edit = edit(family, observed.key());
    boolean replaced = edit.replace(observed, replacement);
    write(family, edit);
    return replaced;
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

  private NavigableMap<Bytes, Row> rows(Family family) {
    checkOpen();
    NavigableMap<Bytes, Row> rows = families.get(family);
    if (rows == null) {
      throw new StoreException(Outcome.REJECTED, "no family " + family);
    }
    return rows;
  }

  private RowEdit edit(Family family, byte[] row) {
    return new RowEdit(read(family, row.clone(), Columns.all()), clock.millis());
  }

  private void write(Family family, RowEdit edit) {
    Row row = edit.result();
    if (row.isEmpty()) {
      rows(family).remove(new Bytes(row.key()));
    } else {
      rows(family).put(new Bytes(row.key()), row);
    }
  }

  private Row read(Family family, byte[] key, Columns columns) {
    Row row = rows(family).getOrDefault(new Bytes(key), Row.empty(key));
    return row.only(
        IntStream.range(0, row.size())
            .filter(i -> columns.includes(row.qualifier(i)))
            .boxed()
            .toList());
  }
}
