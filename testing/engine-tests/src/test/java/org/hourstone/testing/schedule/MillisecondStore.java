package org.hourstone.testing.schedule;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
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
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * A store on the heap whose write times are those of HBase: the clock's milliseconds, so that
 * several changes may have the same. For one caller at a time.
 */
final class MillisecondStore implements KeyValueStore {
  private final Map<Family, NavigableMap<Bytes, Row>> families = new HashMap<>();
  private final InstantSource clock;

  MillisecondStore(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Set<Trait> traits() {
    return Set.of(Trait.SHARED);
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    return Optional.empty();
  }

  @Override
  public List<Family> families() {
    return families.keySet().stream().sorted().toList();
  }

  @Override
  public void ensure(Collection<FamilySpec> specs, SchemaMode mode) {
    specs.forEach(spec -> families.putIfAbsent(spec.family(), new TreeMap<>()));
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    Row found = rows(family).getOrDefault(new Bytes(row), Row.empty(row));
    return columns == Columns.all()
        ? found
        : found.only(
            IntStream.range(0, found.size())
                .filter(i -> columns.includes(found.qualifier(i)))
                .boxed()
                .toList());
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    return rows.stream().map(row -> get(family, row, columns)).toList();
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    Iterator<Row> found =
        rows(family).tailMap(new Bytes(scan.start())).keySet().stream()
            .map(Bytes::array)
            .takeWhile(key -> scan.stop() == null || Arrays.compareUnsigned(key, scan.stop()) < 0)
            .filter(scan.filter()::matches)
            .map(key -> get(family, key, scan.columns()))
            .filter(row -> !row.isEmpty())
            .limit(scan.limit())
            .toList()
            .iterator();
    return new RowCursor() {
      @Override
      public @Nullable Row next() {
        return found.hasNext() ? found.next() : null;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
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
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    return edit(family, row, edit -> edit.increment(qualifier, delta));
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return edit(family, row, edit -> edit.compareAndSet(qualifier, expected, update));
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    return edit(family, observed.key(), edit -> edit.replace(observed, replacement));
  }

  private <T> T edit(Family family, byte[] row, Function<RowEdit, T> change) {
    RowEdit edit = new RowEdit(get(family, row, Columns.all()), clock.millis());
    T result = change.apply(edit);
    rows(family).put(new Bytes(row.clone()), edit.result());
    return result;
  }

  private NavigableMap<Bytes, Row> rows(Family family) {
    return families.computeIfAbsent(family, any -> new TreeMap<>());
  }

  @Override
  public void close() {}
}
