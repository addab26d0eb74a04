package org.hourstone.uid;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.hourstone.internal.CellEditor;
import org.hourstone.kv.Family;

/** Numbers from a counter that all processes share: nobody gets one that was handed out before. */
final class CountedNumbers implements NumberSource {
  /** Row of the counters, in the family of the forward map. */
  private static final byte[] COUNTER_ROW = {0};

  /** More than one only where the counter is behind, as after restoring an old one. */
  private static final int ATTEMPTS = 100;

  private final CellEditor cells;
  private final Family forward;
  private final boolean exhaustionMovesCounter;

  /**
   * @param exhaustionMovesCounter whether the counter moves even if no number is left
   */
  CountedNumbers(CellEditor cells, Family forward, boolean exhaustionMovesCounter) {
    this.cells = cells;
    this.forward = forward;
    this.exhaustionMovesCounter = exhaustionMovesCounter;
  }

  @Override
  public byte[] next(UidKind kind, int width) {
    long maximum = NumberSource.maximum(width);
    if (!exhaustionMovesCounter && last(kind) >= maximum) {
      throw noneLeft(kind, width);
    }
    long id = cells.increment(forward, COUNTER_ROW, kind.qualifierBytes());
    if (id <= 0) {
      throw new UidAssignmentException(
          "the counter of " + kind.qualifier() + " is not positive: " + id);
    }
    if (id > maximum) {
      throw noneLeft(kind, width);
    }
    byte[] wide = ByteBuffer.allocate(Long.BYTES).putLong(id).array();
    return Arrays.copyOfRange(wide, Long.BYTES - width, Long.BYTES);
  }

  /** The highest number handed out so far. */
  long last(UidKind kind) {
    byte[] counter = cells.read(forward, COUNTER_ROW, kind.qualifierBytes());
    if (counter == null) {
      return 0;
    }
    if (counter.length != Long.BYTES) {
      throw new UidAssignmentException(
          "the counter of " + kind.qualifier() + " has " + counter.length + " bytes instead of 8");
    }
    return ByteBuffer.wrap(counter).getLong();
  }

  @Override
  public int attempts() {
    return ATTEMPTS;
  }

  @Override
  public String exhausted(UidKind kind, String name) {
    return "no UID for "
        + kind.qualifier()
        + " '"
        + name
        + "': the "
        + ATTEMPTS
        + " numbers after the counter are all taken; the counter is behind, which uid fsck mends";
  }

  private static UidAssignmentException noneLeft(UidKind kind, int width) {
    return new UidAssignmentException(
        "All Unique IDs for " + kind.qualifier() + " on " + width + " bytes are already assigned!");
  }
}
