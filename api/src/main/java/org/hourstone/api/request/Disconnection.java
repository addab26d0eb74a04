package org.hourstone.api.request;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Signals that the client of a request has disconnected, so that its work can end, and to the
 * transport that the request waits for its turn, so that it can serve others. A transport passes
 * one with the {@linkplain ApiCall call} and keeps it until the response is written; one may serve
 * several requests, such as all of a connection. Thread-safe.
 */
public final class Disconnection {
  private final List<Runnable> actions = new ArrayList<>();
  private final String client;
  private final Consumer<Boolean> onWait;
  private boolean gone;

  /** Of a client that has no name. */
  public Disconnection() {
    this("");
  }

  /**
   * @param client its address and the request's id, for log lines
   */
  public Disconnection(String client) {
    this(client, waits -> {});
  }

  /**
   * @param client its address and the request's id, for log lines
   * @param onWait is called with true when a request begins to wait until others have worked, and
   *     with false when it goes on
   */
  public Disconnection(String client, Consumer<Boolean> onWait) {
    this.client = client;
    this.onWait = onWait;
  }

  /** A request waits for its turn, or no longer. */
  public void waitsForTurn(boolean waits) {
    onWait.accept(waits);
  }

  /** Whose it is. */
  public String client() {
    return client;
  }

  /**
   * The client has disconnected: its queries end, and the thread that handles the request gets an
   * error response.
   */
  public void gone() {
    List<Runnable> due;
    synchronized (this) {
      gone = true;
      due = List.copyOf(actions);
      actions.clear();
    }
    due.forEach(Runnable::run);
  }

  /** Whether the client has disconnected. */
  public synchronized boolean isGone() {
    return gone;
  }

  /** Registers an action for when the client disconnects; runs it at once if it already has. */
  public void onGone(Runnable action) {
    synchronized (this) {
      if (!gone) {
        actions.add(action);
        return;
      }
    }
    action.run();
  }

  /** The action is no longer due; nothing is kept of a request that has ended. */
  public synchronized void forget(Runnable action) {
    actions.remove(action);
  }

  /** Whether any action is due when the client disconnects. */
  public synchronized boolean isAwaited() {
    return !actions.isEmpty();
  }
}
