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
import org.hourstone.kv.Row;
import org.hourstone.kv.RowEdit;
import org.hourstone.kv.memory.MemoryRow.Edit;
import org.hourstone.kv.memory.MemoryStore.Promises;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one family: a concurrent sorted map of immutable rows. Every change is made by {@link
 * #update}, which replaces a row by one computed from it, and computes it again if another thread
 * was faster. Therefore the four atomic primitives and blind writes are atomic, and the function
 * that computes a row must be pure.
 */
final class MemoryFamily {
  private static final int STRIPES = 1 << 8;
  private static final Comparator<Edit> BY_QUALIFIER =
      (one, other) -> Arrays.compareUnsigned(one.qualifier(), other.qualifier());

  private final boolean likeHbase;
  private final ConcurrentSkipListMap<byte[], MemoryRow> rows =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  /**
   * By the row key's hash, the latest write time of a removed row: if the row is written again, it
   * must get later times.
   */
  private final AtomicLongArray latestOfForgotten = new AtomicLongArray(STRIPES);

  MemoryFamily(Promises promises) {
    this.likeHbase = promises == Promises.LIKE_HBASE;
  }

  /** Computes a new row from the current one; pure, since it may be called more than once. */
  private interface RowChange {
    /**
     * @return the current row itself if nothing changes
     */
    MemoryRow apply(MemoryRow present, Times times);
  }

  /**
   * @param assigned the write time of undated cells: later than all times of the row, unless times
   *     are like HBase's
   * @param latest the maximum time of a cell, to which later given times are lowered: the clock's
   *     time or the row's latest. It is not {@code assigned}, since otherwise many cells dated in
   *     the future would make their row run ahead of the clock.
   */
  private record Times(long assigned, long latest) {}

  private void update(byte[] row, InstantSource clock, RowChange change) {
    rows.compute(
        row.clone(),
        (key, found) -> {
          MemoryRow present =
              found == null ? MemoryRow.absentSince(latestOfForgotten.get(stripe(key))) : found;
          MemoryRow next = change.apply(present, times(present, clock.millis()));
          if (next == present) {
            return found;
          }
          return next.isForgettable() ? forget(key, next) : next;
        });
  }

  private Times times(MemoryRow present, long now) {
    if (likeHbase) {
      return new Times(now, now);
    }
    return new Times(Math.max(now, present.latestTime() + 1), Math.max(now, present.latestTime()));
  }

  /** Not pure, but raising a maximum twice has the same effect as raising it once. */
  private @Nullable MemoryRow forget(byte[] key, MemoryRow gone) {
    latestOfForgotten.accumulateAndGet(stripe(key), gone.latestTime(), Math::max);
    return null;
  }

  private static int stripe(byte[] key) {
    int hash = Arrays.hashCode(key);
    return (hash ^ hash >>> 16) & STRIPES - 1;
  }

  Row get(byte[] row, Columns columns) {
    return rows.getOrDefault(row, MemoryRow.ABSENT).read(row.clone(), columns);
  }

  /**
   * The rows from {@code start} to {@code stop}, exclusive, or to the last row if {@code stop} is
   * null.
   */
  NavigableMap<byte[], MemoryRow> range(byte[] start, byte @Nullable [] stop) {
    return stop == null ? rows.tailMap(start, true) : rows.subMap(start, true, stop, false);
  }

  void mutate(byte[] row, List<Change> changes, InstantSource clock) {
    update(row, clock, (present, times) -> changed(present, changes, times));
  }

  private static MemoryRow changed(MemoryRow present, List<Change> changes, Times times) {
    if (changes.get(0) instanceof Change.DeleteRow) {
      return present.emptied();
    }
    List<Edit> edits = new ArrayList<>(changes.size());
    for (Change change : changes) {
      Edit edit = edit(present, change, times);
      if (edit != null) {
        edits.add(edit);
      }
    }
    return with(present, edits);
  }

  /** The change of a cell; null if it stays unchanged. */
  private static @Nullable Edit edit(MemoryRow present, Change change, Times times) {
    byte[] qualifier = change.qualifier();
    if (change instanceof Change.Put put) {
      return new Edit(qualifier, put.value().clone(), times.assigned());
    }
    if (change instanceof Change.PutIfNewer put) {
      long time = Math.min(put.writeTime(), times.latest());
      return present.isLater(qualifier, time)
          ? null
          : new Edit(qualifier, put.value().clone(), time);
    }
    if (change instanceof Change.Append append) {
      return new Edit(
          qualifier, joined(present.find(qualifier), append.suffix()), times.assigned());
    }
    return new Edit(qualifier, null, 0);
  }

  private static byte[] joined(byte @Nullable [] first, byte[] second) {
    if (first == null) {
      return second.clone();
    }
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  long increment(byte[] row, byte[] qualifier, long delta, InstantSource clock) {
    return edit(row, List.of(qualifier), clock, edit -> edit.increment(qualifier, delta));
  }

  boolean compareAndSet(
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update,
      InstantSource clock) {
    return edit(
        row, List.of(qualifier), clock, edit -> edit.compareAndSet(qualifier, expected, update));
  }

  boolean replaceCells(Row observed, List<Cell> replacement, InstantSource clock) {
    List<byte[]> named = new ArrayList<>(observed.size() + replacement.size());
    for (int i = 0; i < observed.size(); i++) {
      named.add(observed.qualifier(i));
    }
    replacement.forEach(cell -> named.add(cell.qualifier()));
    return edit(observed.key(), named, clock, edit -> edit.replace(observed, replacement));
  }

  /**
   * @param named the cells the operation needs to know
   * @param operation pure, since it may be called more than once
   */
  private <T> T edit(
      byte[] row, List<byte[]> named, InstantSource clock, Function<RowEdit, T> operation) {
    AtomicReference<@Nullable T> result = new AtomicReference<>();
    update(
        row,
        clock,
        (present, times) -> {
          RowEdit edit = new RowEdit(present.pick(row, named), times.assigned());
          result.set(operation.apply(edit));
          List<Edit> edits = new ArrayList<>();
          edit.puts()
              .forEach(put -> edits.add(new Edit(put.qualifier(), put.value(), put.writeTime())));
          edit.deletions().forEach(qualifier -> edits.add(new Edit(qualifier, null, 0)));
          return with(present, edits);
        });
    return Objects.requireNonNull(result.get());
  }

  private static MemoryRow with(MemoryRow present, List<Edit> edits) {
    if (edits.isEmpty()) {
      return present;
    }
    edits.sort(BY_QUALIFIER);
    return present.with(edits);
  }
}
