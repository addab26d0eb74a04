package org.hourstone.kv;

import org.jspecify.annotations.Nullable;

/** The failure of a store operation. The caller decides by {@link #outcome()}, not by class. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The effect of the change that failed. */
  public enum Outcome {
    /**
     * Nothing was changed; the call may be repeated. All read errors are NOT_APPLIED or REJECTED.
     */
    NOT_APPLIED,
    /**
     * The change may or may not have been applied. Repeat only idempotent changes; otherwise read
     * first.
     */
    UNKNOWN,
    /** Nothing was changed, and the same call will always fail. */
    REJECTED
  }

  private final Outcome outcome;

  public StoreException(Outcome outcome, String message) {
    this(outcome, message, null);
  }

  public StoreException(Outcome outcome, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.outcome = outcome;
  }

  public final Outcome outcome() {
    return outcome;
  }
}
