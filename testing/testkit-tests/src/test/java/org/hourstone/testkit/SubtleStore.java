package org.hourstone.testkit;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.FuzzyRow;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowEdit;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.store.ModelStore;
import org.jspecify.annotations.Nullable;

/** A sound store with one fault that only the right test can see. */
final class SubtleStore extends ForwardingStore {
  /** Copies that checkpoints have made, by their directory. */
  private static final Map<java.nio.file.Path, KeyValueStore> COPIES = new ConcurrentHashMap<>();

  /** What a thread has last read of a row; used by one fault. */
  private static final ThreadLocal<@Nullable Stale> STALE = new ThreadLocal<>();

  private final ModelStore model;
  private final SubtleFault fault;
  private final InstantSource clock;

  /** How many mutations of rows are done. */
  private final AtomicInteger mutations = new AtomicInteger();

  /** How many rows were read by themselves. */
  private final AtomicInteger reads = new AtomicInteger();

  /** What the last deletion of a row takes for its cells: those that the next mutation left. */
  private @Nullable Row listed;

  /** How often no reader came: after its failure none does. */
  private int unread;

  private record Stale(Row row, long readAt) {}

  private SubtleStore(ModelStore model, SubtleFault fault, InstantSource clock) {
    super(model);
    this.model = model;
    this.fault = fault;
    this.clock = clock;
  }

  static SubtleStore open(SubtleFault fault, InstantSource clock) {
    ModelStore model =
        new ModelStore(
            fault == SubtleFault.TIME_41_BITS
                ? () -> java.time.Instant.ofEpochMilli(clock.millis() & (1L << 41) - 1)
                : clock);
    return new SubtleStore(model, fault, clock);
  }

  static KeyValueStore copyAt(java.nio.file.Path directory) {
    KeyValueStore copy = COPIES.remove(directory);
    if (copy == null) {
      throw new IllegalArgumentException("no checkpoint in " + directory);
    }
    return copy;
  }

  @Override
  public <T> Optional<T> extension(Class<T> type) {
    SubtleExtensions extensions = new SubtleExtensions(model, fault, clock, COPIES);
    return type.isInstance(extensions) ? Optional.of(type.cast(extensions)) : super.extension(type);
  }

  private Family stored(Family family) {
    return fault == SubtleFault.FAMILY_CUT_60 && family.name().length() > 60
        ? new Family(family.table(), family.name().substring(0, 60))
        : family;
  }

  @Override
  public void ensure(Collection<FamilySpec> specs, SchemaMode mode) {
    super.ensure(
        specs.stream()
            .map(spec -> new FamilySpec(stored(spec.family()), spec.singleVersion()))
            .toList(),
        mode);
  }

  private Columns planted(Columns columns) {
    if (fault == SubtleFault.EXACT_IN_32766
        && columns instanceof Columns.Exact exact
        && exact.qualifiers().size() > 32_766) {
      return new Columns.Exact(exact.qualifiers().subList(0, 32_766));
    }
    if (fault == SubtleFault.RANGE_EMPTY_STOP_UNBOUNDED
        && columns instanceof Columns.Range range
        && range.stop() != null
        && range.stop().length == 0) {
      return new Columns.Range(range.start(), null);
    }
    return columns;
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    if (fault == SubtleFault.STALE_OTHER_THREADS) {
      return readWithin5Milliseconds(family, row, columns);
    }
    Row found = super.get(stored(family), row, planted(columns));
    reads.incrementAndGet();
    return found;
  }

  private Row readWithin5Milliseconds(Family family, byte[] row, Columns columns) {
    Stale last = STALE.get();
    if (last != null
        && System.nanoTime() - last.readAt() < 5_000_000
        && Arrays.equals(last.row().key(), row)) {
      return last.row();
    }
    Row found = super.get(family, row, columns);
    STALE.set(new Stale(found, System.nanoTime()));
    return found;
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    Scan planted = scan.columns(planted(scan.columns())).filter(planted(scan.filter()));
    switch (fault) {
      case CHECK_NEVER_CALLED -> planted = planted.check(() -> {});
      case CHECK_OF_FILTERED_ONLY ->
          planted = scan.columns() instanceof Columns.Range ? planted.check(() -> {}) : planted;
      case FETCH_PLUS_ONE_OVERFLOWS -> {
        if (scan.rowsPerFetch() + 1 < 0) {
          planted = planted.limit(1);
        }
      }
      case CHECK_EXCEPTION_ENDS_SCAN, CHECK_EXCEPTION_WRAPPED -> {
        try {
          return super.scan(stored(family), planted);
        } catch (IllegalStateException ended) {
          if (fault == SubtleFault.CHECK_EXCEPTION_WRAPPED) {
            throw new StoreException(StoreException.Outcome.NOT_APPLIED, "scan", ended);
          }
          return super.scan(stored(family), scan.limit(1).check(() -> {}));
        }
      }
      default -> {}
    }
    RowCursor cursor = super.scan(stored(family), planted);
    return fault == SubtleFault.SCAN_SPLITS_ROWS_AT_1MB ? splitting(cursor) : cursor;
  }

  private static RowCursor splitting(RowCursor cursor) {
    return new RowCursor() {
      private @Nullable Row rest;

      @Override
      public @Nullable Row next() {
        Row row = rest != null ? rest : cursor.next();
        rest = null;
        if (row == null) {
          return null;
        }
        int bytes = 0;
        int fitting = 0;
        while (fitting < row.size() && bytes < 1 << 20) {
          bytes += row.value(fitting++).length;
        }
        int most = fitting;
        if (most == row.size()) {
          return row;
        }
        rest = RowParts.kept(row, i -> i >= most);
        return RowParts.kept(row, i -> i < most);
      }

      @Override
      public void close() {
        cursor.close();
      }
    };
  }

  private RowFilter planted(RowFilter filter) {
    if (fault == SubtleFault.FUZZY_FIRST_64 && filter instanceof FuzzyRow fuzzy) {
      boolean[] fixed = fuzzy.fixed().clone();
      for (int i = 64; i < fixed.length; i++) {
        fixed[i] = false;
      }
      return new FuzzyRow(fuzzy.template(), fixed);
    }
    if (!(filter instanceof RowPattern pattern)) {
      return filter;
    }
    List<RowPattern.Term> terms = new ArrayList<>();
    for (RowPattern.Term term : pattern.terms()) {
      if (fault == SubtleFault.PATTERN_100_VALUES && term.values().size() > 100) {
        terms.add(new RowPattern.Term(term.key(), term.presence(), term.values().subList(0, 100)));
      } else if (fault != SubtleFault.PATTERN_FIRST_8_PAIRS || term.key()[0] < 8) {
        terms.add(term);
      }
    }
    return new RowPattern(
        pattern.skip(), pattern.keyWidth(), pattern.valueWidth(), terms, pattern.onlyTerms());
  }

  /** Waits until a count is reached, if it is soon: on a busy machine that takes a while. */
  private static boolean await(AtomicInteger count, int reached) {
    for (int i = 0; i < 200 && count.get() - reached < 0; i++) {
      LockSupport.parkNanos(10_000);
    }
    return count.get() - reached >= 0;
  }

  @Override
  public void mutate(Family named, List<RowMutation> batch) {
    Family family = stored(named);
    for (RowMutation mutation : batch) {
      if (!mutatedWrongly(family, mutation)) {
        super.mutate(family, List.of(mutation));
      }
      mutations.incrementAndGet();
    }
    if (batch.isEmpty()) {
      super.mutate(family, batch);
    }
  }

  /** Whether the planted fault has taken this mutation. */
  private boolean mutatedWrongly(Family family, RowMutation mutation) {
    List<Change> changes = mutation.changes();
    switch (fault) {
      case PIN_SKIPS_REST -> {
        Row present = super.get(family, mutation.row(), Columns.all());
        for (int i = 0; i < changes.size(); i++) {
          int at = present.indexOf(changes.get(i).qualifier());
          if (changes.get(i) instanceof Change.PutIfNewer dated
              && at >= 0
              && present.writeTime(at) > dated.writeTime()) {
            apply(family, mutation.row(), changes.subList(0, i));
            return true;
          }
        }
      }
      case PIN_RACE -> {
        if (changes.get(0) instanceof Change.PutIfNewer dated) {
          int before = mutations.get();
          Row present = super.get(family, mutation.row(), Columns.exactly(dated.qualifier()));
          await(mutations, before + 1);
          if (present.isEmpty() || present.writeTime(0) <= dated.writeTime()) {
            apply(family, mutation.row(), List.of(new Change.Delete(dated.qualifier()), dated));
          }
          return true;
        }
      }
      case PIN_NOT_MONOTONE -> {
        if (changes.size() > 1 && changes.get(0) instanceof Change.PutIfNewer) {
          List<Change> dated = new ArrayList<>(changes.subList(0, 1));
          for (Change change : changes.subList(1, changes.size())) {
            byte[] value = ((Change.Put) change).value();
            dated.add(new Change.PutIfNewer(change.qualifier(), value, clock.millis()));
          }
          apply(family, mutation.row(), dated);
          return true;
        }
      }
      case ROW_SPLIT_20000 -> {
        for (int from = 0; from < changes.size(); from += 20_000) {
          apply(
              family,
              mutation.row(),
              changes.subList(from, Math.min(changes.size(), from + 20_000)));
        }
        return true;
      }
      case DELETEROW_STALE_LIST -> {
        if (changes.get(0) instanceof Change.DeleteRow) {
          deleteByStaleList(family, mutation);
        } else {
          writeListed(family, mutation);
        }
        return true;
      }
      default -> {}
    }
    return false;
  }

  /** Lists the cells after one more mutation and deletes them after another, until one has read. */
  private void deleteByStaleList(Family family, RowMutation deletion) {
    int before;
    synchronized (this) {
      super.mutate(family, List.of(deletion));
      listed = null;
      before = mutations.get();
    }
    await(mutations, before + 2);
    synchronized (this) {
      Row stale = listed;
      if (stale != null && unread < 10) {
        apply(
            family,
            deletion.row(),
            IntStream.range(0, stale.size())
                .<Change>mapToObj(i -> new Change.Delete(stale.qualifier(i)))
                .toList());
        unread += await(reads, reads.get() + 2) ? 0 : 1;
      }
    }
  }

  private synchronized void writeListed(Family family, RowMutation written) {
    super.mutate(family, List.of(written));
    if (listed == null) {
      listed = super.get(family, written.row(), Columns.all());
    }
  }

  /** One after the other, so that a cell may be changed twice. */
  private void apply(Family family, byte[] row, List<Change> changes) {
    if (changes.size() == 2 && changes.get(0) instanceof Change.Delete) {
      changes.forEach(change -> super.mutate(family, List.of(new RowMutation(row, change))));
    } else if (!changes.isEmpty()) {
      super.mutate(family, List.of(new RowMutation(row, changes)));
    }
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    if (fault == SubtleFault.CAS_SAME_KEEPS_TIME
        && update != null
        && Arrays.equals(update, super.get(family, row, Columns.exactly(qualifier)).find(qualifier))
        && Arrays.equals(expected, update)) {
      return true;
    }
    return super.compareAndSet(family, row, qualifier, expected, update);
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    Row present = super.get(family, observed.key(), Columns.all());
    Row seen =
        switch (fault) {
          case REPLACE_COMPARES_1000 -> asPresent(observed, present, i -> i >= 1_000);
          case REPLACE_VALUE_FIRST_64 ->
              asPresent(observed, present, i -> sameStart(observed, present, i));
          case REPLACE_TIME_32_BITS ->
              asPresent(
                  observed,
                  present,
                  i -> (int) observed.writeTime(i) == (int) timeOf(observed, present, i));
          case REPLACE_TIME_NOT_LATER ->
              asPresent(
                  observed,
                  present,
                  i ->
                      timeOf(observed, present, i) >= 0
                          && timeOf(observed, present, i) <= observed.writeTime(i));
          default -> observed;
        };
    if (fault == SubtleFault.REPLACE_DONE_IS_TRUE && isThere(present, replacement)) {
      return new RowEdit(present, clock.millis()).replace(observed, replacement);
    }
    List<Cell> put = new ArrayList<>(replacement);
    if (fault == SubtleFault.REPLACE_DATED_ZERO_IS_NOW) {
      put.replaceAll(
          cell -> cell.writeTime() == 0 ? new Cell(cell.qualifier(), cell.value()) : cell);
    }
    return super.replaceCells(family, seen, put);
  }

  private static boolean isThere(Row present, List<Cell> cells) {
    return !cells.isEmpty()
        && cells.stream()
            .allMatch(cell -> Arrays.equals(present.find(cell.qualifier()), cell.value()));
  }

  private static long timeOf(Row observed, Row present, int i) {
    int at = present.indexOf(observed.qualifier(i));
    return at < 0 ? -1 : present.writeTime(at);
  }

  private static boolean sameStart(Row observed, Row present, int i) {
    byte[] now = present.find(observed.qualifier(i));
    return now != null
        && Arrays.equals(Arrays.copyOf(now, 64), Arrays.copyOf(observed.value(i), 64));
  }

  /** The row as it was observed, but some cells as they are now. */
  private static Row asPresent(Row observed, Row present, java.util.function.IntPredicate ignored) {
    int size = observed.size();
    byte[][] qualifiers = new byte[size][];
    byte[][] values = new byte[size][];
    long[] times = new long[size];
    for (int i : IntStream.range(0, size).toArray()) {
      int at = ignored.test(i) ? present.indexOf(observed.qualifier(i)) : -1;
      qualifiers[i] = observed.qualifier(i);
      values[i] = at < 0 ? observed.value(i) : present.value(at);
      times[i] = at < 0 ? observed.writeTime(i) : present.writeTime(at);
    }
    return Row.of(observed.key(), qualifiers, values, times);
  }
}
