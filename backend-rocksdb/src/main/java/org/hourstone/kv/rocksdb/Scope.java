package org.hourstone.kv.rocksdb;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps calls away from freed native memory: the calls running inside of a store, or of a snapshot
 * of it, and the native resources that were opened there and are still open.
 *
 * <ul>
 *   <li>Whoever touches a native object does so between {@link #enter} and {@link #leave}.
 *   <li>{@link #close} refuses calls from then on, waits for those that run, and only then releases
 *       the resources, so that nothing is freed under a running call.
 *   <li>A resource is released either by its user, inside of the scope, or by the scope's close,
 *       when no call is left; it has to bear both. What is opened is opened inside of the scope, so
 *       the close misses none.
 * </ul>
 *
 * <p>A scope within another one enters that too: it cannot outlive it.
 */
final class Scope {
  /** Added to the number of calls once the scope is closed, which makes it negative. */
  private static final long CLOSED = Long.MIN_VALUE;

  private final @Nullable Scope outer;
  private final String name;
  private final AtomicLong calls = new AtomicLong();
  private final CountDownLatch drained = new CountDownLatch(1);
  private final Set<Resource> open = ConcurrentHashMap.newKeySet();

  /** Something native that is released once, no matter how often that is asked for. */
  interface Resource {
    /** Frees the native objects unless that was done; called from inside, or when drained. */
    void release();
  }

  /**
   * @param name for the message "{@code name} is closed"
   */
  Scope(@Nullable Scope outer, String name) {
    this.outer = outer;
    this.name = name;
  }

  /**
   * Begins a call.
   *
   * @throws IllegalStateException if the scope or one around it is closed
   */
  void enter() {
    Scope refusing = refusing();
    if (refusing != null) {
      throw new IllegalStateException(refusing.name + " is closed");
    }
  }

  /** Begins a call unless the scope or one around it is closed. */
  boolean tryEnter() {
    return refusing() == null;
  }

  /** Ends a call that was begun. */
  void leave() {
    if (calls.decrementAndGet() == CLOSED) {
      drained.countDown();
    }
    if (outer != null) {
      outer.leave();
    }
  }

  /** To be called inside of the scope. */
  void opened(Resource resource) {
    open.add(resource);
  }

  /** The user is done with a resource: releases it, unless the scope's close does. */
  void release(Resource resource) {
    if (tryEnter()) {
      try {
        open.remove(resource);
        resource.release();
      } finally {
        leave();
      }
    }
  }

  /** Refuses calls, waits for those running and releases what is open. May be repeated. */
  void close() {
    long before = calls.getAndUpdate(running -> running < 0 ? running : running + CLOSED);
    if (before == 0) {
      drained.countDown();
    }
    awaitDrained();
    synchronized (open) {
      open.forEach(Resource::release);
      open.clear();
    }
  }

  /** The scope that does not let a call in, or null if the call has begun. */
  private @Nullable Scope refusing() {
    Scope refusing = outer == null ? null : outer.refusing();
    if (refusing != null) {
      return refusing;
    }
    if (calls.incrementAndGet() >= 0) {
      return null;
    }
    leave();
    return this;
  }

  private void awaitDrained() {
    boolean interrupted = false;
    while (true) {
      try {
        drained.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
