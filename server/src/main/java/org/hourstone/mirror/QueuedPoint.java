package org.hourstone.mirror;

import java.util.Arrays;

/**
 * A point of the queue.
 *
 * @param tsuid of its series; not changed
 * @param timestamp seconds or milliseconds by its size
 * @param flags the type of the value, as in {@link org.hourstone.codec.Value}
 * @param raw the value, as there
 */
record QueuedPoint(byte[] tsuid, long timestamp, int flags, long raw) {
  boolean isOfSeries(QueuedPoint other) {
    return Arrays.equals(tsuid, other.tsuid);
  }
}
