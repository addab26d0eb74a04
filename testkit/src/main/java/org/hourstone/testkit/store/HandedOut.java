package org.hourstone.testkit.store;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Row;

/**
 * Remembers the rows a store has recently handed out and their contents, to detect modifications of
 * their arrays. Thread-safe.
 */
final class HandedOut {
  private static final int REMEMBERED = 1_000;

  /**
   * @param key as it was, for the message
   */
  private record Remembered(Row row, Bytes key, int hash) {}

  private final Queue<Remembered> rows = new ArrayDeque<>();

  synchronized Row remember(Row row) {
    rows.add(new Remembered(row, new Bytes(row.key().clone()), hash(row)));
    if (rows.size() > REMEMBERED) {
      check(rows.remove());
    }
    return row;
  }

  synchronized void checkAll() {
    rows.forEach(HandedOut::check);
    rows.clear();
  }

  private static void check(Remembered remembered) {
    if (hash(remembered.row()) != remembered.hash()) {
      throw new AssertionError(
          "an array of a row that was handed out has been modified: row " + remembered.key());
    }
  }

  private static int hash(Row row) {
    int hash = Arrays.hashCode(row.key());
    for (int i = 0; i < row.size(); i++) {
      hash = hash * 31 + Arrays.hashCode(row.qualifier(i));
      hash = hash * 31 + Arrays.hashCode(row.value(i));
    }
    return hash;
  }
}
