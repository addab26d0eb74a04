package org.hourstone.tool;

import java.util.Arrays;
import org.hourstone.kv.Scan;

/**
 * A part of the table that is checked by one thread, with its progress. Guarded by the {@link
 * FsckParts} it belongs to.
 */
final class FsckPart {
  final Scan scan;

  /** Every row of the part before this key is complete. */
  private byte[] next;

  private boolean done;

  FsckPart(Scan scan) {
    this.scan = scan;
    this.next = scan.start();
  }

  void did(byte[] key) {
    next = Arrays.copyOf(key, key.length + 1);
  }

  void finish() {
    done = true;
  }

  boolean isDone() {
    return done;
  }

  byte[] next() {
    return next;
  }
}
