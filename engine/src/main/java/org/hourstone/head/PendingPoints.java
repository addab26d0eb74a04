package org.hourstone.head;

import java.util.Arrays;

/**
 * Collects points and adds them to their rows together, after reading the memory that this needs
 * for all of them. A processor waits for many independent reads at the same time, but for each
 * separately if work on the point follows. For one thread.
 */
final class PendingPoints {
  /** The number of rows, with the ends of their bytes, that fit in a processor's cache. */
  private static final int MOST = 1024;

  private static final int BYTES = 1 << 14;

  private final OpenRow[] rows = new OpenRow[MOST];
  private final int[] ends = new int[MOST];
  private byte[] bytes = new byte[BYTES];
  private int size;
  private long grown;

  /** The sum of what {@link OpenRow#touch} returned, so that the compiler keeps the reads. */
  @SuppressWarnings("unused")
  private int touched;

  private int end() {
    return size == 0 ? 0 : ends[size - 1];
  }

  /** Adds points of a row: {@code count} bytes of a source. */
  void add(OpenRow row, byte[] source, int from, int count) {
    int start = end();
    if (size == MOST || (start > 0 && start + count > BYTES)) {
      apply();
      start = 0;
    }
    if (count > bytes.length) {
      bytes = new byte[count];
    }
    System.arraycopy(source, from, bytes, start, count);
    rows[size] = row;
    ends[size++] = start + count;
  }

  /** Appends the collected points to their rows. */
  void apply() {
    int sum = 0;
    for (int i = 0; i < size; i++) {
      sum += rows[i].touch();
    }
    touched = sum;
    int start = 0;
    for (int i = 0; i < size; i++) {
      grown += rows[i].append(bytes, start, ends[i] - start);
      start = ends[i];
    }
    Arrays.fill(rows, 0, size, null);
    size = 0;
  }

  /** How much more memory the rows take by what was applied since this was called last. */
  long grown() {
    long more = grown;
    grown = 0;
    return more;
  }
}
