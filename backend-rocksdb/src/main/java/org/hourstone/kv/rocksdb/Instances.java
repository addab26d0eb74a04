package org.hourstone.kv.rocksdb;

import java.util.function.Function;
import java.util.function.Supplier;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The database of a store, which is replaced if the store is opened again. A call works on one
 * instance from its begin to its end: an instance is ended only when no call is in progress. Calls
 * that begin during the replacement wait for it.
 */
final class Instances {
  /**
   * An attempt to open a store again.
   *
   * @param opened null if it can't even be read
   * @param failure why it can't be written, or not even read; null if it can be written
   */
  record Attempt(@Nullable Opened opened, @Nullable StoreException failure) {}

  private final String name;
  private final RocksDbErrors errors;
  private volatile @Nullable Opened opened;
  private boolean isReplacing;
  private boolean isClosed;

  /** Why there is no instance, if there is none. */
  private String reason = "";

  /**
   * @param name for the message "{@code name} is closed"
   */
  Instances(String name, RocksDbErrors errors, Opened first) {
    this.name = name;
    this.errors = errors;
    this.opened = first;
  }

  /**
   * Makes a call, within the scope of the instance.
   *
   * @throws IllegalStateException if the store is closed
   */
  <T extends @Nullable Object> T call(Function<Opened, T> call) {
    while (true) {
      Opened now = opened;
      if (now != null && now.scope().tryEnter()) {
        try {
          return call.apply(now);
        } finally {
          now.scope().leave();
        }
      }
      awaitNext(now);
    }
  }

  /** As {@link #call}; null if there is no instance at present, or no more. */
  <T> @Nullable T peek(Function<Opened, @Nullable T> call) {
    Opened now = opened;
    if (now == null || !now.scope().tryEnter()) {
      return null;
    }
    try {
      return call.apply(now);
    } finally {
      now.scope().leave();
    }
  }

  private synchronized void awaitNext(@Nullable Opened former) {
    while (isReplacing && opened == former) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw errors.unreadable("interrupted while it is opened again");
      }
    }
    if (isClosed) {
      throw new IllegalStateException(name + " is closed");
    }
    if (opened == null) {
      throw errors.unreadable(reason);
    }
  }

  /** The instance of the calls in progress; must be called within one of them. */
  Opened current() {
    Opened now = opened;
    if (now == null) {
      throw new IllegalStateException("not within a call");
    }
    return now;
  }

  /**
   * Ends the instance, without flushing it, and sets another one. Not during {@link #close}.
   *
   * @return why the new one can't be written; null if it can
   */
  @Nullable StoreException replace(Supplier<Attempt> opening) {
    Opened old = opened;
    synchronized (this) {
      isReplacing = true;
    }
    Opened fresh = null;
    StoreException failure = null;
    try {
      if (old != null) {
        old.merge().cancel();
        old.scope().close();
        end(old);
      }
      Attempt attempt = opening.get();
      fresh = attempt.opened();
      failure = attempt.failure();
      return failure;
    } finally {
      synchronized (this) {
        opened = fresh;
        reason = failure == null ? "" : errors.reason(failure);
        isReplacing = false;
        notifyAll();
      }
    }
  }

  private static void end(Opened old) {
    try {
      old.end(Opened.End.UNFLUSHED);
    } catch (RuntimeException e) {
      // It had failed before. What it acknowledged is in its log, which is read next.
    }
  }

  /** Refuses further calls and waits for those in progress. Idempotent. */
  @Nullable Opened close() {
    synchronized (this) {
      isClosed = true;
    }
    Opened last = opened;
    if (last != null) {
      last.merge().cancel();
      last.scope().close();
    }
    return last;
  }
}
