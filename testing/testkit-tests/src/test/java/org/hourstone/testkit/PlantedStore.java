package org.hourstone.testkit;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Checks;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowEdit;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.ScanCounts;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * A sound store with one fault planted, of those a contract kit of the past did not find in a store
 * that another author had written.
 */
final class PlantedStore extends ForwardingStore {
  /** Connections of a pool that is never given one back. */
  private static final int CONNECTIONS = 5_000;

  private final PlantedFault fault;
  private final InstantSource clock;
  private final AtomicLong calls = new AtomicLong();
  private final AtomicInteger cursors = new AtomicInteger();
  private final AtomicInteger openCursors = new AtomicInteger();
  private final AtomicLong counted = new AtomicLong();
  private volatile boolean locked;
  private final Set<Family> families = ConcurrentHashMap.newKeySet();

  PlantedStore(KeyValueStore sound, PlantedFault fault, InstantSource clock) {
    super(sound);
    this.fault = fault;
    this.clock = clock;
  }

  /** The clock of a store that dates cells by the second. */
  static InstantSource clock(PlantedFault fault, InstantSource clock) {
    return fault == PlantedFault.TIME_SECONDS
        ? () -> clock.instant().truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
        : clock;
  }

  /** Lets other threads make a call in the middle of one; there may be none. */
  private void gap() {
    long before = calls.get();
    for (int i = 0; i < 30 && calls.get() == before; i++) {
      LockSupport.parkNanos(20_000); // spinning would end before others ran on a busy processor
    }
  }

  /** Waits for what does not come, until it is interrupted. */
  private static void waitForEver() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException(StoreException.Outcome.UNKNOWN, "interrupted", e);
    }
  }

  private Family stored(Family family) {
    return switch (fault) {
      case FAMILY_CASE_INSENSITIVE ->
          new Family(
              family.table().toLowerCase(Locale.ROOT), family.name().toLowerCase(Locale.ROOT));
      case FAMILY_UNDERSCORE_COLLISION -> new Family(family.table() + "_" + family.name(), "x");
      default -> family;
    };
  }

  @Override
  public List<Family> families() {
    return stored(new Family("T", "T")).equals(new Family("T", "T"))
        ? super.families()
        : families.stream().sorted().toList();
  }

  @Override
  public void ensure(Collection<FamilySpec> specs, SchemaMode mode) {
    if (fault == PlantedFault.ENSURE_NEVER_RETURNS) {
      waitForEver();
    }
    super.ensure(
        specs.stream()
            .map(spec -> new FamilySpec(stored(spec.family()), spec.singleVersion()))
            .toList(),
        mode);
    specs.forEach(spec -> families.add(spec.family()));
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    Row found = read(stored(family), row, columns);
    calls.incrementAndGet();
    return found;
  }

  private Row read(Family family, byte[] row, Columns columns) {
    Row found = super.get(family, row, columns);
    int half = found.size() / 2;
    if (fault == PlantedFault.GET_LONG_ROW_TORN && found.size() > 1_000) {
      gap();
      return RowParts.joined(found, super.get(family, row, columns), half);
    }
    if (columns instanceof Columns.Exact exact) {
      if (fault == PlantedFault.GET_EXACT_TORN && found.size() > 1) {
        gap();
        return RowParts.joined(found, super.get(family, row, columns), half);
      }
      if (fault == PlantedFault.EXACT_EMPTY_QUALIFIER) {
        return RowParts.kept(found, i -> found.qualifier(i).length > 0);
      }
      if (fault == PlantedFault.EXACT_IN_100 && exact.qualifiers().size() > 100) {
        return super.get(family, row, new Columns.Exact(exact.qualifiers().subList(0, 100)));
      }
    }
    return found;
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    if (fault == PlantedFault.PUSHDOWN_CLAIMED_NOT_DONE && type == ScanCounts.class) {
      ScanCounts counts = () -> new ScanCounts.Rows(counted.get(), counted.get(), counted.get());
      return Optional.of(type.cast(counts));
    }
    return super.extension(type);
  }

  @Override
  public void close() {
    boolean open = openCursors.get() > 0;
    switch (fault) {
      case CLOSE_REFUSES_WHILE_CURSORS_OPEN -> {
        if (open) {
          throw new IllegalStateException("cursors are open");
        }
      }
      case CLOSE_FAILS -> throw new IllegalStateException("can't be closed");
      case CLOSE_WAITS_FOR_CURSORS -> {
        if (open) {
          waitForEver();
        }
      }
      case CLOSE_NEVER_RETURNS -> waitForEver();
      default -> {}
    }
    super.close();
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    if (fault == PlantedFault.MULTIGET_EMPTY_MISSING_FAMILY && rows.isEmpty()) {
      return List.of();
    }
    List<Row> found = new ArrayList<>(super.get(stored(family), rows, columns));
    found.replaceAll(row -> row.isEmpty() ? row : read(stored(family), row.key(), columns));
    return found;
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    if (fault == PlantedFault.CURSOR_LEAKS_CONNECTION && cursors.incrementAndGet() > CONNECTIONS) {
      throw new StoreException(StoreException.Outcome.NOT_APPLIED, "no connection left");
    }
    RowCursor cursor =
        switch (fault) {
          case SCAN_STOPS_AT_5000 -> cursor(family, scan.limit(Math.min(5_000, scan.limit())));
          case SCAN_STOPS_AT_10000 -> cursor(family, scan.limit(Math.min(10_000, scan.limit())));
          case SCAN_NO_SNAPSHOT_128 -> new PagedCursor(() -> cursor(family, scan), 128);
          case SCAN_NO_SNAPSHOT_500 -> new PagedCursor(() -> cursor(family, scan), 500);
          case PUSHDOWN_CLAIMED_NOT_DONE -> cursor(family, scan.filter(RowFilter.any()));
          default -> cursor(family, scan);
        };
    openCursors.incrementAndGet();
    return new RowCursor() {
      private boolean closed;

      @Override
      public @Nullable Row next() {
        Row row = cursor.next();
        return row == null ? null : delivered(row, scan, cursor);
      }

      @Override
      public void close() {
        if (!closed) {
          closed = true;
          openCursors.decrementAndGet();
        }
        cursor.close();
      }
    };
  }

  private RowCursor cursor(Family family, Scan scan) {
    return super.scan(stored(family), scan);
  }

  private @Nullable Row delivered(Row first, Scan scan, RowCursor rest) {
    int most =
        switch (fault) {
          case SCAN_SPLITS_ROWS_4096 -> 4_096;
          case SCAN_SPLITS_ROWS_10000 -> 10_000;
          default -> Integer.MAX_VALUE;
        };
    Row row = first;
    if (fault == PlantedFault.PUSHDOWN_CLAIMED_NOT_DONE) {
      counted.incrementAndGet();
      while (row != null && !scan.filter().matches(row.key())) {
        row = rest.next();
        counted.addAndGet(row == null ? 0 : 1);
      }
    }
    return row == null || row.size() <= most ? row : RowParts.kept(row, i -> i < most);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    if (fault == PlantedFault.EMPTY_BATCH_ANY_FAMILY && batch.isEmpty()) {
      return;
    }
    if (fault == PlantedFault.KEY_OVER_32K) {
      for (RowMutation mutation : batch) {
        if (mutation.row().length > 32_000) {
          throw new StoreException(StoreException.Outcome.REJECTED, "row key too long");
        }
      }
    }
    int chunk =
        switch (fault) {
          case BATCH_CHUNKS_100 -> 100;
          case BATCH_CHUNKS_1000 -> 1_000;
          default -> Integer.MAX_VALUE;
        };
    if (batch.size() > chunk) {
      for (int from = 0; from < batch.size(); from += chunk) {
        super.mutate(family, batch.subList(from, Math.min(batch.size(), from + chunk)));
      }
      return;
    }
    if (locked) {
      waitForEver();
    }
    int most =
        switch (fault) {
          case ROW_SPLIT_100 -> 100;
          case ROW_SPLIT_1000 -> 1_000;
          default -> Integer.MAX_VALUE;
        };
    List<RowMutation> planted =
        batch.stream().map(mutation -> planted(stored(family), mutation)).toList();
    try {
      apply(stored(family), planted, most);
    } catch (StoreException e) {
      locked = fault == PlantedFault.WRITE_WAITS_AFTER_A_FAILED_ONE;
      throw e;
    }
    batch.forEach(mutation -> cutLongValues(stored(family), mutation));
    calls.incrementAndGet();
  }

  private void apply(Family family, List<RowMutation> planted, int most) {
    if (planted.stream().allMatch(mutation -> mutation.changes().size() <= most)) {
      super.mutate(family, nonEmpty(planted));
    } else {
      planted.forEach(mutation -> split(family, mutation, most));
    }
  }

  private static List<RowMutation> nonEmpty(List<RowMutation> batch) {
    return batch.stream()
        .filter(
            mutation ->
                !(mutation.changes().get(0) instanceof Change.Delete delete)
                    || delete.qualifier() != NOTHING)
        .toList();
  }

  private static final byte[] NOTHING = {'n', 'o', 't', 'h', 'i', 'n', 'g'};

  private void split(Family family, RowMutation mutation, int most) {
    List<Change> changes = mutation.changes();
    for (int from = 0; from < changes.size(); from += most) {
      int to = Math.min(changes.size(), from + most);
      super.mutate(family, List.of(new RowMutation(mutation.row(), changes.subList(from, to))));
      gap();
    }
  }

  private RowMutation planted(Family family, RowMutation mutation) {
    List<Change> changes = new ArrayList<>();
    boolean spares = false;
    Change first = mutation.changes().get(0);
    if (first instanceof Change.DeleteRow) {
      Row present = super.get(family, mutation.row(), Columns.all());
      Predicate<Integer> spared =
          switch (fault) {
            case DELETEROW_1000_CELLS -> i -> i >= 1_000;
            case DELETEROW_SPARES_FUTURE -> i -> present.writeTime(i) > clock.millis() + 60_000;
            case DELETEROW_SPARES_EMPTY_QUALIFIER -> i -> present.qualifier(i).length == 0;
            default -> i -> false;
          };
      spares = !RowParts.kept(present, spared).isEmpty();
      if (!spares) {
        return mutation;
      }
      for (int i = 0; i < present.size(); i++) {
        if (!spared.test(i)) {
          changes.add(new Change.Delete(present.qualifier(i)));
        }
      }
    }
    for (Change change : mutation.changes()) {
      boolean dropped =
          switch (fault) {
            case EMPTY_QUALIFIER_LOST ->
                change instanceof Change.Put && change.qualifier().length == 0;
            case DELETE_SPARES_FUTURE ->
                change instanceof Change.Delete && isInFuture(family, mutation.row(), change);
            default -> spares && change instanceof Change.DeleteRow;
          };
      if (!dropped) {
        changes.add(change);
      }
    }
    return new RowMutation(
        key(mutation.row()), changes.isEmpty() ? List.of(new Change.Delete(NOTHING)) : changes);
  }

  private byte[] key(byte[] row) {
    boolean isLong = fault == PlantedFault.KEY_OVER_64K && row.length > Limits.ROW_KEY;
    if (isLong && row.length > 65_536) {
      throw new StoreException(StoreException.Outcome.REJECTED, "row key too long");
    }
    return isLong ? Arrays.copyOf(row, Limits.ROW_KEY) : row;
  }

  private boolean isInFuture(Family family, byte[] row, Change change) {
    Row cell = super.get(family, row, Columns.exactly(change.qualifier()));
    return !cell.isEmpty() && cell.writeTime(0) > clock.millis() + 60_000;
  }

  private void cutLongValues(Family family, RowMutation mutation) {
    for (Change change : mutation.changes()) {
      boolean append = change instanceof Change.Append;
      int most =
          switch (fault) {
            case APPEND_OVER_8K_CUT -> append ? 8_192 : Integer.MAX_VALUE;
            case APPEND_OVER_64K_CUT -> append ? 65_536 : Integer.MAX_VALUE;
            case VALUE_OVER_1M_CUT -> 1 << 20;
            default -> Integer.MAX_VALUE;
          };
      if (most < Integer.MAX_VALUE) {
        byte[] value =
            super.get(family, mutation.row(), Columns.exactly(change.qualifier()))
                .find(change.qualifier());
        if (value != null && value.length > most) {
          delegate().put(family, mutation.row(), change.qualifier(), Arrays.copyOf(value, most));
        }
      }
    }
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    Row before = super.get(stored(family), row, Columns.exactly(qualifier));
    long sum = super.increment(stored(family), row, qualifier, delta);
    if (fault == PlantedFault.INCREMENT_KEEPS_TIME && !before.isEmpty()) {
      Row after = super.get(stored(family), row, Columns.exactly(qualifier));
      super.replaceCells(
          stored(family), after, List.of(new Cell(qualifier, after.value(0), before.writeTime(0))));
    }
    return sum;
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    return super.compareAndSet(stored(family), row, qualifier, expected, update);
  }

  @Override
  public boolean replaceCells(Family named, Row observed, List<Cell> replacement) {
    Family family = stored(named);
    Row present = super.get(family, observed.key(), Columns.all());
    switch (fault) {
      case REPLACE_RACE, REPLACE_RACE_SLOW2, REPLACE_NOT_ATOMIC_PUT_FIRST -> {
        Checks.replaceCells(observed, replacement);
        RowEdit edit = new RowEdit(present, Change.MAX_WRITE_TIME);
        if (!edit.replace(observed, replacement)) {
          return false;
        }
        boolean putFirst = fault == PlantedFault.REPLACE_NOT_ATOMIC_PUT_FIRST;
        List<Change> puts = new ArrayList<>();
        replacement.forEach(cell -> puts.add(cell.put()));
        List<Change> deletions = new ArrayList<>();
        edit.deletions().forEach(qualifier -> deletions.add(new Change.Delete(qualifier)));
        if (!putFirst) {
          puts.addAll(deletions);
          deletions.clear();
        }
        for (List<Change> step : List.of(puts, deletions)) {
          pause();
          if (!step.isEmpty()) {
            super.mutate(family, List.of(new RowMutation(observed.key(), step)));
          }
        }
        return true;
      }
      case REPLACE_IGNORES_VALUE -> {
        return super.replaceCells(
            family, RowParts.withPresentValues(observed, present), replacement);
      }
      case REPLACE_EQUAL_TIME_STAYS -> {
        List<Cell> fitting = new ArrayList<>(replacement);
        fitting.removeIf(
            cell -> {
              int at = present.indexOf(cell.qualifier());
              return at >= 0
                  && observed.indexOf(cell.qualifier()) < 0
                  && present.writeTime(at) == cell.writeTime();
            });
        return super.replaceCells(family, observed, fitting);
      }
      default -> {
        return super.replaceCells(family, observed, replacement);
      }
    }
  }

  private void pause() {
    if (fault == PlantedFault.REPLACE_RACE_SLOW2) {
      LockSupport.parkNanos(1_000_000);
    } else {
      gap();
    }
  }
}
