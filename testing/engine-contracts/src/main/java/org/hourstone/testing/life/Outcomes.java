package org.hourstone.testing.life;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.write.Receipt;

/** Expects that all points are stored. Thread-safe. */
final class Outcomes implements Receipt {
  private final List<RuntimeException> failures = new ArrayList<>();
  private int stored;

  @Override
  public synchronized void stored(long token) {
    stored++;
  }

  @Override
  public synchronized void failed(long token, RuntimeException reason) {
    failures.add(reason);
  }

  @Override
  public boolean isAwaited() {
    return true;
  }

  /**
   * @throws RuntimeException the first failure
   * @throws AssertionError if a point has no outcome
   */
  synchronized void check(int points) {
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
    if (stored != points) {
      throw new AssertionError(stored + " of " + points + " points were stored");
    }
  }
}
