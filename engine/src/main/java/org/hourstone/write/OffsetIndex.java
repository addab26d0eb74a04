package org.hourstone.write;

/**
 * The position of each offset's point in its row: an open-addressing hash table of primitives, so
 * that a point out of order costs about as much as one in order. Not thread-safe.
 */
final class OffsetIndex {
  private static final int FIRST_SLOTS = 16;

  /** Offset and position + 1, one above the other; 0 where there is none. */
  private long[] slots = new long[FIRST_SLOTS];

  private int size;

  /** Allocates what the next {@link #put} of a new offset needs, which then can't fail. */
  void makeRoom() {
    if (size * 2 >= slots.length) {
      long[] old = slots;
      long[] more = new long[old.length * 2];
      for (long slot : old) {
        if (slot != 0) {
          more[slotOf(more, offset(slot))] = slot;
        }
      }
      slots = more;
    }
  }

  /** Enters an offset that is not in it. */
  void put(int offset, int position) {
    slots[slotOf(slots, offset)] = (long) offset << Integer.SIZE | (position + 1);
    size++;
  }

  /** The position of an offset; -1 if there is none. */
  int find(int offset) {
    return (int) slots[slotOf(slots, offset)] - 1;
  }

  /** How many slots are probed for an offset. */
  int steps(int offset) {
    int mask = slots.length - 1;
    return ((slotOf(slots, offset) - home(offset, mask)) & mask) + 1;
  }

  /** The slot of an offset, or the empty one where it belongs. */
  private static int slotOf(long[] slots, int offset) {
    int mask = slots.length - 1;
    int at = home(offset, mask);
    while (slots[at] != 0 && offset(slots[at]) != offset) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** Where it is looked for first; neighbours end far from each other. */
  private static int home(int offset, int mask) {
    int mixed = offset * 0x9E3779B9;
    return (mixed ^ (mixed >>> 16)) & mask;
  }

  private static int offset(long slot) {
    return (int) (slot >>> Integer.SIZE);
  }
}
