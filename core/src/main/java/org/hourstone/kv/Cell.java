package org.hourstone.kv;

/**
 * One cell outside a {@link Row}: {@link KeyValueStore#replaceCells} puts such cells.
 *
 * @param writeTime milliseconds since the epoch, 0 to 2^44 - 1, lowered to the time the store would
 *     assign if it is later; or {@link #STORE_TIME}
 */
public record Cell(byte[] qualifier, byte[] value, long writeTime) {
  /** Lets the store assign the write time. */
  public static final long STORE_TIME = -1;

  public Cell {
    if (writeTime < STORE_TIME || writeTime > Change.MAX_WRITE_TIME) {
      throw new IllegalArgumentException("write time " + writeTime + " is not in [0, 2^44)");
    }
  }

  public Cell(byte[] qualifier, byte[] value) {
    this(qualifier, value, STORE_TIME);
  }

  /** The change that puts this cell; if it is dated, only if no later value is present. */
  public Change put() {
    return writeTime == STORE_TIME
        ? new Change.Put(qualifier, value)
        : new Change.PutIfNewer(qualifier, value, writeTime);
  }
}
