package org.hourstone.series;

import java.util.function.LongConsumer;

/**
 * The memory of one holder, in bytes, until the lease is closed. A holder grows its lease before it
 * allocates; the last holder of the data closes it. A child's bytes count as its parent's, too, so
 * that closing a lease gives back the bytes of all its children. Thread-safe.
 */
public final class MemoryLease implements AutoCloseable {
  private final LongConsumer lender;
  private long bytes;
  private boolean closed;

  /**
   * @param lender is called with the bytes before they are taken, and with a negative number when
   *     they are given back. If it throws, they are not taken
   */
  public MemoryLease(LongConsumer lender) {
    this.lender = lender;
  }

  /** A lease of memory that is not accounted for. */
  public static MemoryLease untracked() {
    return new MemoryLease(bytes -> {});
  }

  /** A lease for a part of this one's memory. */
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
   * Takes memory. Throws what the lender throws.
   *
   * @throws IllegalStateException if this lease or one above it is closed
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

  /** How many bytes are taken, including those of its children. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Gives back all that is left, once. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      shrink(bytes);
    }
  }
}
