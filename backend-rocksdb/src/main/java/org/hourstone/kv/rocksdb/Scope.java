package org.hourstone.kv.rocksdb;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps calls away from freed native memory: the calls running inside of a store, and the native
 * resources that were opened there and are still open.
 *
 * <ul>
 *   <li>Native objects are accessed only by calls inside of the scope.
 *   <li>{@link #close} refuses calls from then on, waits for those that run, and only then releases
 *       the resources, so that nothing is freed under a running call.
 *   <li>A resource is released either by its user, inside of the scope, or by the scope's close,
 *       when no call is left; it must support both. Resources are opened inside of the scope, so
 *       the close misses none.
 * </ul>
 */
final class Scope {
  /** Added to the number of calls once the scope is closed, which makes it negative. */
  private static final long CLOSED = Long.MIN_VALUE;

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
  Scope(String name) {
    this.name = name;
  }

  /**
   * Makes a call inside of the scope.
   *
   * @throws IllegalStateException if the scope is closed
   */
  <T extends @Nullable Object> T call(Supplier<T> call) {
    enter();
    try {
      return call.get();
    } finally {
      leave();
    }
  }

  /** As {@link #call}, without a result. */
  void run(Runnable call) {
    this.<@Nullable Object>call(
        () -> {
          call.run();
          return null;
        });
  }

  /**
   * Begins a call.
   *
   * @throws IllegalStateException if the scope is closed
   */
  void enter() {
    if (!tryEnter()) {
      throw new IllegalStateException(name + " is closed");
    }
  }

  /** Begins a call unless the scope is closed. */
  boolean tryEnter() {
    if (calls.incrementAndGet() >= 0) {
      return true;
    }
    leave();
    return false;
  }

  /** Ends a call that was begun. */
  void leave() {
    if (calls.decrementAndGet() == CLOSED) {
      drained.countDown();
    }
  }

  /** Must be called inside of the scope. */
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

  /** Refuses calls, waits for those running and releases what is open. May be called again. */
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
