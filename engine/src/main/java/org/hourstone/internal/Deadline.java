package org.hourstone.internal;

import java.time.InstantSource;

/**
 * A deadline. If the clock is set back to before the deadline was set, the deadline counts as
 * passed, so it is never extended.
 *
 * @param from the time at which it was set, in milliseconds since the epoch
 * @param until the time at which it passes, in milliseconds since the epoch
 */
public record Deadline(long from, long until) {
  private static final long JOIN_MILLIS = 100;

  public static Deadline in(long millis, InstantSource clock) {
    long now = clock.millis();
    return new Deadline(now, now + millis);
  }

  public boolean isOver(InstantSource clock) {
    long now = clock.millis();
    return now < from || now >= until;
  }

  /**
   * Waits until a thread has ended. After the deadline, interrupts it repeatedly, so that no call
   * of the store keeps it running. The calling thread's interrupt is restored.
   */
  public void join(Thread thread, InstantSource clock) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join(JOIN_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true; // work must not be abandoned halfway; the flag is restored below
      }
      if (isOver(clock)) {
        thread.interrupt();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
