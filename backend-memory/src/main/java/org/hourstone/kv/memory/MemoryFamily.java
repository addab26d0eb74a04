package org.hourstone.kv.memory;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
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
    long last =
        present == MemoryRow.ABSENT ? lastOfForgotten.get(stripe(key)) : present.lastAssigned();
    return Math.max(clock.millis(), last + 1);
  }

  /** Not pure, but raising a maximum twice is raising it once. */
  private @Nullable MemoryRow forget(byte[] key, MemoryRow gone) {
    lastOfForgotten.accumulateAndGet(stripe(key), gone.lastAssigned(), Math::max);
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
    List<Change> own = changes.stream().map(MemoryFamily::copy).toList();
    update(row, clock, (present, now) -> changed(present, own, now));
  }

  private static Change copy(Change change) {
    if (change instanceof Change.Put put) {
      return new Change.Put(put.qualifier().clone(), put.value().clone(), put.writeTime());
    }
    if (change instanceof Change.Append append) {
      return new Change.Append(append.qualifier().clone(), append.suffix().clone());
    }
    return change instanceof Change.Delete delete
        ? new Change.Delete(delete.qualifier().clone())
        : change;
  }

  private MemoryRow changed(MemoryRow present, List<Change> changes, long now) {
    if (changes.get(0) instanceof Change.DeleteRow) {
      return present.deleted(now, likeHbase);
    }
    return present.with(
        edits(present, changes, now), lastAssigned(present, changes, now), likeHbase);
  }

  private static List<Edit> edits(MemoryRow present, List<Change> changes, long now) {
    List<Edit> edits = new ArrayList<>(changes.size());
    for (Change change : changes) {
      if (change instanceof Change.Put put) {
        boolean given = put.writeTime() != Change.Put.STORE_TIME;
        edits.add(new Edit(put.qualifier(), put.value(), given ? put.writeTime() : now));
      } else if (change instanceof Change.Append append) {
        byte[] old = present.find(append.qualifier());
        edits.add(new Edit(append.qualifier(), joined(old, append.suffix()), now));
      } else {
        edits.add(new Edit(change.qualifier(), null, now));
      }
    }
    edits.sort(BY_QUALIFIER);
    return edits;
  }

  /** Given times and deletions use up no time: a restored row must not run ahead of the clock. */
  private static long lastAssigned(MemoryRow present, List<Change> changes, long now) {
    for (Change change : changes) {
      boolean given = change instanceof Change.Put put && put.writeTime() != Change.Put.STORE_TIME;
      if (!given && !(change instanceof Change.Delete)) {
        return now;
      }
    }
    return present.lastAssigned();
  }

  private static byte[] joined(byte @Nullable [] first, byte[] second) {
    if (first == null) {
      return second;
    }
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  long increment(byte[] row, byte[] qualifier, long delta, InstantSource clock) {
    byte[] ownQualifier = qualifier.clone();
    long[] sum = new long[1];
    update(
        row,
        clock,
        (present, now) -> {
          byte[] old = present.find(ownQualifier);
          if (old != null && old.length != Long.BYTES) {
            throw new StoreException(
                StoreException.Outcome.REJECTED,
                "not a counter in " + family + ": the cell has " + old.length + " bytes, not 8");
          }
          sum[0] = (old == null ? 0 : ByteBuffer.wrap(old).getLong()) + delta;
          byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(sum[0]).array();
          return present.with(List.of(new Edit(ownQualifier, value, now)), now, likeHbase);
        });
    return sum[0];
  }

  boolean compareAndSet(
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update,
      InstantSource clock) {
    byte[] ownQualifier = qualifier.clone();
    byte[] ownUpdate = update == null ? null : update.clone();
    boolean[] set = new boolean[1];
    update(
        row,
        clock,
        (present, now) -> {
          set[0] = Arrays.equals(present.find(ownQualifier), expected);
          if (!set[0] || (expected == null && ownUpdate == null)) {
            return present;
          }
          long assigned = ownUpdate == null ? present.lastAssigned() : now;
          return present.with(List.of(new Edit(ownQualifier, ownUpdate, now)), assigned, likeHbase);
        });
    return set[0];
  }

  void replaceCells(Row observed, List<Cell> replacement, InstantSource clock) {
    List<Cell> own = replacement.stream().map(MemoryFamily::copy).toList();
    update(
        observed.key(),
        clock,
        (present, now) -> {
          List<Change> puts = puts(present, observed, own);
          List<Edit> edits = edits(present, puts, now);
          removeWhatIsAsObserved(present, observed, edits);
          edits.sort(BY_QUALIFIER);
          return present.with(edits, lastAssigned(present, puts, now), likeHbase);
        });
  }

  private static Cell copy(Cell cell) {
    return new Cell(cell.qualifier().clone(), cell.value().clone(), cell.writeTime());
  }

  /** The replacement without what a later cell, which was not observed, keeps out. */
  private static List<Change> puts(MemoryRow present, Row observed, List<Cell> replacement) {
    List<Change> puts = new ArrayList<>(replacement.size());
    for (Cell cell : replacement) {
      int at = observed.indexOf(cell.qualifier());
      boolean asObserved =
          at >= 0 && present.has(cell.qualifier(), observed.value(at), observed.writeTime(at));
      boolean keptOut =
          cell.writeTime() != Change.Put.STORE_TIME
              && present.isLater(cell.qualifier(), cell.writeTime());
      if (asObserved || !keptOut) {
        puts.add(new Change.Put(cell.qualifier(), cell.value(), cell.writeTime()));
      }
    }
    return puts;
  }

  /**
   * Adds the removals to the puts. Where HBase's deletions are copied, one hides only the version
   * observed.
   */
  private static void removeWhatIsAsObserved(MemoryRow present, Row observed, List<Edit> edits) {
    int puts = edits.size();
    for (int i = 0; i < observed.size(); i++) {
      Edit removal = new Edit(observed.qualifier(i), null, observed.writeTime(i));
      boolean replaced =
          Collections.binarySearch(edits.subList(0, puts), removal, BY_QUALIFIER) >= 0;
      if (!replaced
          && present.has(observed.qualifier(i), observed.value(i), observed.writeTime(i))) {
        edits.add(removal);
      }
    }
  }

  /** Removes the rows of a range one by one. */
  void deleteRange(byte[] start, byte @Nullable [] stop) {
    for (byte[] row : range(start, stop).keySet()) {
      rows.computeIfPresent(row, (key, present) -> forget(key, present));
    }
  }
}
