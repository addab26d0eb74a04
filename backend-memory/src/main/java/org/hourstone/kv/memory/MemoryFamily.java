package org.hourstone.kv.memory;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowEdit;
import org.hourstone.kv.memory.MemoryRow.Edit;
import org.hourstone.kv.memory.MemoryStore.Promises;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one family: a concurrent sorted map of immutable rows. Every change goes through
 * {@link #update}, which puts a new row in the place of the one it was made from, and makes it
 * again if another thread was faster. Therefore the four atomic primitives are atomic, blind writes
 * included, and what makes a row must be pure.
 */
final class MemoryFamily {
  private static final int STRIPES = 1 << 8;
  private static final Comparator<Edit> BY_QUALIFIER =
      (one, other) -> Arrays.compareUnsigned(one.qualifier(), other.qualifier());

  private final Family family;
  private final boolean likeHbase;
  private final ConcurrentSkipListMap<byte[], MemoryRow> rows =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /**
   * By the row key's hash, the latest time assigned to a row that is gone: one that is written
   * again must get later ones.
   */
  private final AtomicLongArray lastOfForgotten = new AtomicLongArray(STRIPES);

  MemoryFamily(Family family, Promises promises) {
    this.family = family;
    this.likeHbase = promises == Promises.LIKE_HBASE;
  }

  /** Makes a new row of the present one; pure, since it may be called more than once. */
  private interface RowChange {
    /**
     * @param now the time to assign to what is written
     * @return the present row itself if nothing changes
     */
    MemoryRow apply(MemoryRow present, long now);
  }

  private void update(byte[] row, InstantSource clock, RowChange change) {
    rows.compute(
        row.clone(),
        (key, found) -> {
          MemoryRow present = found == null ? MemoryRow.ABSENT : found;
          MemoryRow next = change.apply(present, nextTime(key, present, clock));
          if (next == present) {
            return found;
          }
          return next.isForgettable() ? forget(key, next) : next;
        });
  }

  private long nextTime(byte[] key, MemoryRow present, InstantSource clock) {
    if (likeHbase) {
      return clock.millis();
    }
    long last = present == MemoryRow.ABSENT ? lastOfForgotten.get(stripe(key)) : present.lastTime();
    return Math.max(clock.millis(), last + 1);
  }

  /** Not pure, but raising a maximum twice is raising it once. */
  private @Nullable MemoryRow forget(byte[] key, MemoryRow gone) {
    lastOfForgotten.accumulateAndGet(stripe(key), gone.lastTime(), Math::max);
    return null;
  }

  private static int stripe(byte[] key) {
    int hash = Arrays.hashCode(key);
    return (hash ^ hash >>> 16) & STRIPES - 1;
  }

  Row get(byte[] row, Columns columns) {
    return rows.getOrDefault(row, MemoryRow.ABSENT).read(row.clone(), columns);
  }

  /** The rows from {@code start} on, to {@code stop}, exclusive, or the last if that is null. */
  NavigableMap<byte[], MemoryRow> range(byte[] start, byte @Nullable [] stop) {
    return stop == null ? rows.tailMap(start, true) : rows.subMap(start, true, stop, false);
  }

  void mutate(byte[] row, List<Change> changes, InstantSource clock) {
    edit(
        row,
        columns(changes),
        clock,
        edit -> {
          edit.apply(changes);
          return true;
        });
  }

  private static Columns columns(List<Change> changes) {
    return changes.get(0) instanceof Change.DeleteRow
        ? Columns.all()
        : Columns.exactly(changes.stream().map(Change::qualifier).toArray(byte[][]::new));
  }

  long increment(byte[] row, byte[] qualifier, long delta, InstantSource clock) {
    return edit(row, Columns.exactly(qualifier), clock, edit -> edit.increment(qualifier, delta));
  }

  boolean compareAndSet(
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update,
      InstantSource clock) {
    return edit(
        row,
        Columns.exactly(qualifier),
        clock,
        edit -> edit.compareAndSet(qualifier, expected, update));
  }

  boolean replaceCells(Row observed, List<Cell> replacement, InstantSource clock) {
    return edit(observed.key(), Columns.all(), clock, edit -> edit.replace(observed, replacement));
  }

  /**
   * @param columns the cells the operation names
   * @param operation pure, since it may be called more than once
   */
  private <T> T edit(
      byte[] row, Columns columns, InstantSource clock, Function<RowEdit, T> operation) {
    AtomicReference<@Nullable T> result = new AtomicReference<>();
    update(
        row,
        clock,
        (present, now) -> {
          RowEdit edit = new RowEdit(present.read(row, columns), now);
          result.set(operation.apply(edit));
          return edit.isEmpty() ? present : present.with(edits(edit));
        });
    return Objects.requireNonNull(result.get());
  }

  private static List<Edit> edits(RowEdit edit) {
    List<Edit> edits = new ArrayList<>();
    edit.puts().forEach(put -> edits.add(new Edit(put.qualifier(), put.value(), put.writeTime())));
    edit.deletions().forEach(qualifier -> edits.add(new Edit(qualifier, null, 0)));
    edits.sort(BY_QUALIFIER);
    return edits;
  }
}
