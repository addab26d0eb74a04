package org.hourstone.head;

import java.util.Arrays;

/**
 * Points that are added to their rows many at a time: first what that needs is read for all of
 * them. A processor reads many places of memory at once, but one after another if each is followed
 * by the work on it. For one thread.
 */
final class PendingPoints {
  /** The number of rows, with the ends of their bytes, that fit in a processor's cache. */
  private static final int MOST = 1024;

  private static final int BYTES = 1 << 14;

  private final OpenRow[] rows = new OpenRow[MOST];
  private final int[] ends = new int[MOST];
  private byte[] bytes = new byte[BYTES];
  private int size;

  /** What {@link OpenRow#touch} has returned, so that it is not left out. */
  @SuppressWarnings("unused")
  private int touched;

  private int end() {
    return size == 0 ? 0 : ends[size - 1];
  }

  /** Points of a row, {@code count} bytes of a source. */
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

  /** Adds them to their rows. */
  void apply() {
    int sum = 0;
    for (int i = 0; i < size; i++) {
      sum += rows[i].touch();
    }
    touched = sum;
    int start = 0;
    for (int i = 0; i < size; i++) {
      rows[i].append(bytes, start, ends[i] - start);
      start = ends[i];
    }
    Arrays.fill(rows, 0, size, null);
    size = 0;
  }
}
