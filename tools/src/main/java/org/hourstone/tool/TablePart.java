package org.hourstone.tool;

import java.util.Arrays;
import org.hourstone.kv.Scan;

/**
 * A range of a table that is processed by one thread, with its progress. Guarded by the list it
 * belongs to.
 */
class TablePart {
  final Scan scan;

  /** Every row of the part before this key is complete. */
  byte[] next;

  boolean done;

  TablePart(Scan scan) {
    this.scan = scan;
    this.next = scan.start();
  }

  /** Records that all rows up to this one are complete. */
  final void did(byte[] key) {
    next = Arrays.copyOf(key, key.length + 1);
  }

  /** The remaining rows. */
  final Scan rest() {
    return scan.from(next);
  }
}
