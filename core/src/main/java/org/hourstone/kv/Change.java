package org.hourstone.kv;

/** A change to one row; the parts of a {@link RowMutation}. */
public sealed interface Change {
  /** The largest write time a cell can carry, 2^44 - 1: in the year 2527. */
  long MAX_WRITE_TIME = (1L << 44) - 1;

  /** The qualifier of the cell it changes; empty for {@link DeleteRow}, which changes all cells. */
  byte[] qualifier();

  /**
   * Sets a cell, whatever its present value. The store assigns the write time: its clock, at the
   * moment it applies the change.
   *
   * @param value may be empty, except in a cell that is used with compare-and-set
   */
  record Put(byte[] qualifier, byte[] value) implements Change {}

  /**
   * Sets a cell with a write time in the past, unless the cell is present with a later one: then
   * nothing is changed. A cell with the same time is replaced. For restoring cells, and for cells
   * dated by the points they contain.
   *
   * <p>A write time later than the one the store would assign is lowered to that, so that no cell
   * is ever dated in the future, where it would take precedence over later writes.
   *
   * <p>If a deletion dated later would hide the cell (HBase), or it is older than the store keeps
   * cells, the mutation is REJECTED, whichever client made the deletion; {@link
   * HiddenPutsException} says so if it is the only one of its call. If another client deletes the
   * cell at the same time, the outcome may be UNKNOWN.
   *
   * @param value may be empty
   * @param writeTime milliseconds since the epoch, 0 to 2^44 - 1
   */
  record PutIfNewer(byte[] qualifier, byte[] value, long writeTime) implements Change {
    public PutIfNewer {
      if (writeTime < 0 || writeTime > MAX_WRITE_TIME) {
        throw new IllegalArgumentException("write time " + writeTime + " is not in [0, 2^44)");
      }
    }
  }

  /**
   * Adds bytes to the end of a cell, which is created if absent. Concurrent appends are neither
   * lost nor mixed; the appends of one thread keep their order. The cell's write time becomes that
   * of the newest append. <strong>Not idempotent</strong>: after UNKNOWN the cell may already
   * contain the suffix.
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

  /**
   * Removes a cell, whatever its write time; nothing is changed if it is absent. A store that can't
   * remove a cell that another client has dated in the future (HBase) rejects the mutation.
   */
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
