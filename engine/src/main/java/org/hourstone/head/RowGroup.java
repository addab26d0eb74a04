package org.hourstone.head;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The open rows of one metric and hour, and one salt: found by their keys in a hash table, and in
 * order in an array that is brought up to date when readers ask for it. So a new row costs a writer
 * the same with few and with many rows. Thread-safe.
 *
 * <p>The array may still have rows that were removed: a reader finds that they are closed. It never
 * lacks one that was put before.
 */
final class RowGroup {
  private static final int FIRST_SLOTS = 4;
  private static final int MIX = 0x9E3779B9;
  private static final OpenRow[] NONE = {};
  private static final Comparator<OpenRow> BY_KEY =
      (one, other) -> Arrays.compareUnsigned(one.key(), other.key());

  // Guarded by this.

  /** At most half are used; a row is at its own slot or in the run after it. */
  private @Nullable OpenRow[] slots = new OpenRow[FIRST_SLOTS];

  /** The hashes of their keys: rows are in other places of memory. */
  private int[] hashes = new int[FIRST_SLOTS];

  private int used;

  /** By their keys; its array is not changed. */
  private OpenRow[] sorted = NONE;

  /** Rows that it lacks. */
  private List<OpenRow> added = new ArrayList<>(0);

  /** How many rows it may have that were removed. */
  private int removed;

  /** Counts how often they were replaced otherwise than by adding a row. */
  private int version;

  private boolean ended;

  @Nullable OpenRow find(byte[] key) {
    int hash = mixed(Arrays.hashCode(key));
    synchronized (this) {
      return slots[slot(key, hash)];
    }
  }

  /**
   * Puts a row. May be repeated after an error.
   *
   * @return false if the group has ended: another one must take its place
   * @throws IllegalStateException if another row with the same key is open, whose place it takes
   */
  @SuppressWarnings("ReferenceEquality")
  boolean put(OpenRow row) {
    int hash = mixed(row.hash());
    synchronized (this) {
      if (ended) {
        return false;
      }
      int slot = slot(row.key(), hash);
      OpenRow before = slots[slot];
      if (before == row) {
        return true;
      }
      added.add(row);
      if (before == null) {
        slot = used >= slots.length / 2 ? grow(hash) : slot;
        used++;
      } else {
        removed++;
      }
      hashes[slot] = hash;
      slots[slot] = row;
      if (before != null && before.isReadable()) {
        throw new IllegalStateException("a row is open twice");
      }
      return true;
    }
  }

  /** Doubles the slots; returns the free one for a hash. */
  private int grow(int added) {
    @Nullable OpenRow[] before = slots;
    int[] hashesBefore = hashes;
    @Nullable OpenRow[] more = new OpenRow[before.length * 2];
    hashes = new int[more.length]; // with the slots or not at all, if memory runs out
    slots = more;
    for (int i = 0; i < before.length; i++) {
      if (before[i] != null) {
        int slot = freeSlot(hashesBefore[i]);
        hashes[slot] = hashesBefore[i];
        slots[slot] = before[i];
      }
    }
    return freeSlot(added);
  }

  private int freeSlot(int hash) {
    int mask = slots.length - 1;
    int at = hash & mask;
    while (slots[at] != null) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /**
   * Removes a row, unless another has taken its place.
   *
   * @return whether the group has ended, as it has no more rows
   */
  @SuppressWarnings("ReferenceEquality")
  boolean remove(OpenRow row) {
    int hash = mixed(row.hash());
    synchronized (this) {
      int slot = slot(row, hash);
      if (slots[slot] == row) {
        free(slot);
        used--;
        removed++;
        forgetRemoved();
      }
      ended |= used == 0;
      return ended;
    }
  }

  /** Frees a slot; rows after it move up, so that each run stays without gaps. */
  private void free(int freed) {
    int mask = slots.length - 1;
    int gap = freed;
    slots[gap] = null;
    for (int at = (gap + 1) & mask; slots[at] != null; at = (at + 1) & mask) {
      int own = hashes[at] & mask;
      if (((at - own) & mask) >= ((at - gap) & mask)) {
        slots[gap] = slots[at];
        hashes[gap] = hashes[at];
        slots[at] = null;
        gap = at;
      }
    }
  }

  /** What was removed must not be kept for long. */
  private void forgetRemoved() {
    if (removed <= used + FIRST_SLOTS) {
      return;
    }
    added = new ArrayList<>(used);
    for (OpenRow row : slots) {
      if (row != null) {
        added.add(row);
      }
    }
    sorted = NONE;
    removed = 0;
    version++;
  }

  /** The slot of the row with a key, else the free one for it. */
  private int slot(byte[] key, int hash) {
    int mask = slots.length - 1;
    int at = hash & mask;
    for (OpenRow row = slots[at]; row != null; row = slots[at]) {
      if (hashes[at] == hash && Arrays.equals(row.key(), key)) {
        return at;
      }
      at = (at + 1) & mask;
    }
    return at;
  }

  /** The slot of a row, else a free one. */
  @SuppressWarnings("ReferenceEquality")
  private int slot(OpenRow row, int hash) {
    int mask = slots.length - 1;
    int at = hash & mask;
    while (slots[at] != null && slots[at] != row) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private static int mixed(int hash) {
    int mixed = hash * MIX;
    return mixed ^ (mixed >>> 16);
  }

  synchronized int size() {
    return used;
  }

  /** All rows, and perhaps some that were removed, by their keys, all different; not changed. */
  OpenRow[] sorted() {
    OpenRow[] before;
    OpenRow[] more;
    int seen;
    synchronized (this) {
      if (added.isEmpty()) {
        return sorted;
      }
      before = sorted;
      more = added.toArray(NONE);
      seen = version;
    }
    OpenRow[] merged = merge(before, more); // not under the lock: writers must not wait for it
    synchronized (this) {
      if (version == seen) {
        version++;
        sorted = merged;
        added = new ArrayList<>(added.subList(more.length, added.size()));
      }
    }
    return merged;
  }

  /**
   * Merges rows that are sorted with others that are not.
   *
   * @param added in the order in which they were put: of those with the same key the last one
   *     counts
   */
  private static OpenRow[] merge(OpenRow[] sorted, OpenRow[] added) {
    Arrays.sort(added, BY_KEY); // which keeps the order of those with the same key
    OpenRow[] merged = new OpenRow[sorted.length + added.length];
    int count = 0;
    int next = 0;
    for (OpenRow row : added) {
      int order = -1;
      while (next < sorted.length && (order = BY_KEY.compare(sorted[next], row)) < 0) {
        merged[count++] = sorted[next++];
      }
      if (next < sorted.length && order == 0) {
        next++;
      }
      count -= count > 0 && BY_KEY.compare(merged[count - 1], row) == 0 ? 1 : 0;
      merged[count++] = row;
    }
    System.arraycopy(sorted, next, merged, count, sorted.length - next);
    return Arrays.copyOf(merged, count + sorted.length - next);
  }
}
