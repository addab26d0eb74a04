package org.hourstone.head;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The writer that a process is on a shared store.
 *
 * @param name by which its next start finds its journal; of one process at a time
 * @param lease how long its journal is left to it without a sign of life
 */
public record WriterOptions(String name, Duration lease) {
  private static final int MOST_BYTES = 100;

  public WriterOptions {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "the name of a writer has 1 to " + MOST_BYTES + " bytes, not " + bytes);
    }
    if (lease.toMillis() < 1) {
      throw new IllegalArgumentException("a lease of " + lease);
    }
  }

  /** How often the lease is renewed, and those of others are read. */
  public Duration period() {
    return lease.dividedBy(4);
  }
}
