package org.hourstone.write;

import java.time.InstantSource;

/**
 * The latest time for something. A clock that was put back doesn't make it later than it was meant:
 * then it is over.
 *
 * @param from when it was set, in milliseconds since the epoch
 * @param until when it is over
 */
record Deadline(long from, long until) {
  static Deadline in(long millis, InstantSource clock) {
    long now = clock.millis();
    return new Deadline(now, now + millis);
  }

  boolean isOver(InstantSource clock) {
    long now = clock.millis();
    return now < from || now >= until;
  }
}
