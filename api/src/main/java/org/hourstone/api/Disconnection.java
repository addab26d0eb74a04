package org.hourstone.api;

import java.util.ArrayList;
import java.util.List;

/**
 * Tells that the client of a request has gone, so that what is being done for it can end. A
 * transport hands one in with the {@linkplain ApiCall call} and keeps it until the answer is
 * written. Thread-safe.
 */
public final class Disconnection {
  private final List<Runnable> actions = new ArrayList<>();
  private boolean gone;

  /** The client has gone: its queries end, and the thread that answers it gets an error answer. */
  public void gone() {
    List<Runnable> due;
    synchronized (this) {
      gone = true;
      due = List.copyOf(actions);
      actions.clear();
    }
    due.forEach(Runnable::run);
  }

  /** What is to be done once the client has gone; at once if it has. */
  void onGone(Runnable action) {
    synchronized (this) {
      if (!gone) {
        actions.add(action);
        return;
      }
    }
    action.run();
  }
}
