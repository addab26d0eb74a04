package org.hourstone.query.rows;

/**
 * When cells were read last that are not kept, by their hashes. Time is counted in cells read.
 *
 * <p>Written by any thread without a lock. A trace is one {@code long}, which JVMs of 64 bits write
 * as one: a reader finds a hash with the time that was left with it, or another trace. A lost trace
 * is left again.
 */
final class ReadingTraces {
  /** Spreads numbers over all bits. */
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  /** The hash of a cell, and the time of its reading. */
  private final long[] traces;

  /**
   * @param most how many there are at most
   */
  ReadingTraces(long most) {
    traces = new long[(int) Long.highestOneBit(most)];
  }

  int size() {
    return traces.length;
  }

  /**
   * Leaves a trace of a cell; returns how long ago the cell was read before, or 0 if that is not
   * known. The trace of another cell is replaced half of the time; otherwise neither of two cells
   * that are read in turn would ever be kept.
   */
  long leave(int hash, long now) {
    int at = (hash ^ (hash >>> 16)) & (traces.length - 1);
    long before = traces[at];
    boolean same = (int) (before >>> Integer.SIZE) == hash;
    if (same || before == 0 || (hash + now) * SPREAD < 0) {
      traces[at] = ((long) hash << Integer.SIZE) | (now & 0xFFFF_FFFFL);
    }
    return same ? (int) now - (int) before : 0;
  }
}
