package org.hourstone.series;

import java.util.function.LongConsumer;

/**
 * An amount of memory, in bytes, that is reserved for one holder until the lease is closed. A
 * holder grows its lease before it allocates; the last holder of the data closes it. A child's
 * bytes are also counted in its parent, so closing a lease gives back the bytes of all its
 * children. Thread-safe.
 */
public final class MemoryLease implements AutoCloseable {
  private final LongConsumer lender;
  private long bytes;
  private boolean closed;

  /**
   * @param lender called with the number of bytes before they are reserved, and with a negative
   *     number when they are given back. If it throws, nothing is reserved
   */
  public MemoryLease(LongConsumer lender) {
    this.lender = lender;
  }

  /** A lease without accounting. */
  public static MemoryLease untracked() {
    return new MemoryLease(bytes -> {});
  }

  /** A child lease; its bytes are also counted here. */
  public MemoryLease child() {
    return new MemoryLease(this::lend);
  }

  private synchronized void lend(long delta) {
    if (delta > 0) {
      grow(delta);
    } else if (!closed) { // else the child's bytes have been given back already
      shrink(-delta);
    }
  }

  /**
   * Reserves memory. Passes on exceptions of the lender.
   *
   * @throws IllegalStateException if this lease or an ancestor is closed
   */
  public synchronized void grow(long more) {
    if (closed) {
      throw new IllegalStateException("a closed lease can't grow");
    }
    lender.accept(more);
    bytes += more;
  }

  /**
   * Gives back memory.
   *
   * @throws IllegalArgumentException if the lease has less
   */
  public synchronized void shrink(long less) {
    if (less > bytes) {
      throw new IllegalArgumentException("gives back " + less + " of " + bytes + " bytes");
    }
    bytes -= less;
    lender.accept(-less);
  }

  /** The number of reserved bytes, including those of its children. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Gives back all reserved bytes. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      shrink(bytes);
    }
  }
}
