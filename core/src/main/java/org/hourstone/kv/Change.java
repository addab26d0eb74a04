package org.hourstone.kv;

/** A change to one row; the parts of a {@link RowMutation}. */
public sealed interface Change {
  /** The largest write time a cell can carry, 2^44 - 1: in the year 2527. */
  long MAX_WRITE_TIME = (1L << 44) - 1;

  /** The cell it changes; empty for {@link DeleteRow}, which changes all. */
  byte[] qualifier();

  /** Sets a cell. */
  record Put(byte[] qualifier, byte[] value, long writeTime) implements Change {
    /** Lets the store assign the write time: its clock, at the moment it applies the change. */
    public static final long STORE_TIME = -1;

    /**
     * @param value may be empty, except in a cell that is used with compare-and-set
     * @param writeTime milliseconds since the epoch, 0 to 2^44 - 1, or {@link #STORE_TIME}. The
     *     cell is replaced whatever time the present one has; on a {@link Trait#SHARED} store a put
     *     dated before the present cell may stay hidden behind it.
     */
    public Put {
      if (writeTime < STORE_TIME || writeTime > MAX_WRITE_TIME) {
        throw new IllegalArgumentException("write time " + writeTime + " is not in [0, 2^44)");
      }
    }

    public Put(byte[] qualifier, byte[] value) {
      this(qualifier, value, STORE_TIME);
    }
  }

  /**
   * Adds bytes to the end of a cell, which is created if absent. Concurrent appends are neither
   * lost nor torn; one thread's appends keep their order. The cell's write time becomes that of the
   * newest append. <strong>Not idempotent</strong>: after UNKNOWN the suffix may be there already.
   *
   * @param suffix not empty
   */
  record Append(byte[] qualifier, byte[] suffix) implements Change {
    public Append {
      if (suffix.length == 0) {
        throw new IllegalArgumentException("empty suffix");
      }
    }
  }

  /** Removes a cell; nothing happens if it is absent. */
  record Delete(byte[] qualifier) implements Change {}

  /** Removes every cell of the row in this family; must be the only change of its mutation. */
  record DeleteRow() implements Change {
    private static final byte[] NONE = new byte[0];

    @Override
    public byte[] qualifier() {
      return NONE;
    }
  }
}
