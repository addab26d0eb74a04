package org.hourstone.internal;

import java.time.InstantSource;

/**
 * A deadline. If the clock is set back before its start, the deadline counts as passed, so it is
 * never extended.
 *
 * @param from when it was set, in milliseconds since the epoch
 * @param until when it passes
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
   * Waits until a thread has ended. Interrupts it, again and again, once the deadline is over, so
   * that no call of the store keeps it. The calling thread's interrupt is restored.
   */
  public void join(Thread thread, InstantSource clock) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join(JOIN_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true; // work must not be abandoned half-way; the flag is restored below
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
