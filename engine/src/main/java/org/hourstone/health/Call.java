package org.hourstone.health;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A call of the store, or a cursor that is called many times, by one thread at a time. The watch
 * reads it concurrently and may see a change late.
 */
final class Call {
  private static final long NONE = Long.MIN_VALUE;
  private static final VarHandle SINCE;

  static {
    try {
      SINCE = MethodHandles.lookup().findVarHandle(Call.class, "since", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final CallKind kind;
  final int rows;

  @SuppressWarnings("unused") // by its handle
  private long since;

  /**
   * @param rows how many rows it writes
   */
  Call(CallKind kind, int rows, long now) {
    this.kind = kind;
    this.rows = rows;
    begin(now);
  }

  /** It is being called, or has shown that it makes progress. */
  void begin(long now) {
    SINCE.setOpaque(this, now);
  }

  /** The store has returned. */
  void end() {
    SINCE.setOpaque(this, NONE);
  }

  /** Whether the store has not returned yet. */
  boolean isWaiting() {
    return (long) SINCE.getOpaque(this) != NONE;
  }

  /** For how long it has waited; 0 if it doesn't. */
  long waited(long now) {
    long begun = (long) SINCE.getOpaque(this);
    return begun == NONE ? 0 : Math.max(0, now - begun);
  }
}
