package org.hourstone.tool;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import org.hourstone.kv.Row;

/**
 * A row's contribution to a checksum. Contributions are summed, so the order and the division of
 * rows don't matter. It detects accidental differences, not forgeries.
 */
final class RowSum {
  private RowSum() {}

  /** The sum of all cells of a row. */
  static long of(Row row) {
    return of(row, row);
  }

  /** The sum of the cells that another row also has; 0 if there are none. */
  static long of(Row row, Row others) {
    Hasher hasher = Hashing.murmur3_128().newHasher();
    add(hasher, row.key());
    boolean any = false;
    for (int i = 0; i < others.size(); i++) {
      int at = row == others ? i : row.indexOf(others.qualifier(i));
      if (at >= 0) {
        add(hasher, row.qualifier(at));
        add(hasher, row.value(at));
        any = true;
      }
    }
    return any ? hasher.hash().asLong() : 0;
  }

  private static void add(Hasher hasher, byte[] bytes) {
    hasher.putInt(bytes.length).putBytes(bytes);
  }
}
