package org.hourstone.kv.rocksdb;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prevents access to freed native memory: tracks the running calls of a store, and its native
 * resources that are still open.
 *
 * <ul>
 *   <li>Native objects are accessed only by calls within the scope.
 *   <li>{@link #close} refuses further calls, waits for running calls, and only then releases the
 *       resources, so that nothing is freed during a call.
 *   <li>A resource is released either by its user, within the scope, or by closing the scope, when
 *       no call is running; it must support both. Resources are opened within the scope, so closing
 *       releases all of them.
 * </ul>
 */
final class Scope {
  /** Added to the number of calls once the scope is closed, which makes it negative. */
  private static final long CLOSED = Long.MIN_VALUE;

  private final String name;
  private final AtomicLong calls = new AtomicLong();
  private final CountDownLatch drained = new CountDownLatch(1);
  private final Set<Resource> open = ConcurrentHashMap.newKeySet();

  /** A native resource that is released once, even if its release is requested several times. */
  interface Resource {
    /**
     * Frees the native objects unless they are already freed; called within the scope, or when no
     * call is running.
     */
    void release();
  }

  /**
   * @param name for the message "{@code name} is closed"
   */
  Scope(String name) {
    this.name = name;
  }

  /**
   * Makes a call within the scope.
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

  /** Registers a resource. Must be called within the scope. */
  void opened(Resource resource) {
    open.add(resource);
  }

  /** Releases a resource that its user no longer needs, unless closing the scope releases it. */
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

  /** Refuses further calls, waits for running ones and releases the open resources. Idempotent. */
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
