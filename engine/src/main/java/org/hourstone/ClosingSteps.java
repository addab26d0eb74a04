package org.hourstone;

import com.google.common.base.Throwables;
import java.util.List;

/** Closes the parts of a database. No part stays open because another one failed to close. */
final class ClosingSteps {
  private ClosingSteps() {}

  /** Runs every step, even if another throws; then throws the first exception. */
  static void run(List<Runnable> steps) {
    Throwable first = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException | Error e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      Throwables.throwIfUnchecked(first);
    }
  }
}
