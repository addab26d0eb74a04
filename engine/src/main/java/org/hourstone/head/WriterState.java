package org.hourstone.head;

import java.nio.ByteBuffer;
import org.hourstone.codec.CorruptDataException;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a writer: who has its journal, and until when. No value of it is ever repeated,
 * so whoever has set one knows that.
 *
 * @param isOpen whether the log of this epoch may have records of rows that are not sealed
 * @param epoch how often the writer has begun
 * @param count how often the state was changed in this epoch; negative if it is derived, and then
 *     its amount is at least when the state was lost, in milliseconds
 * @param token of the process that has changed it
 * @param time up to which all is sealed, for ever: every record that is not, in this epoch or a
 *     later one, is dated after it, whatever clock its process has
 */
record WriterState(boolean isOpen, long epoch, long count, long token, long time) {
  private static final int LENGTH = 1 + 4 * Long.BYTES;

  /**
   * A process begins as the writer.
   *
   * @param last the time of the last record of the epochs before; 0 if there was none
   */
  static WriterState next(@Nullable WriterState before, long token, long last) {
    if (before == null) {
      return new WriterState(true, 1, 0, token, last);
    }
    return new WriterState(true, before.last() + 1, 0, token, Math.max(last, before.lost()));
  }

  /**
   * In place of a state that was lost. A process of an epoch that is not known may be paused: once
   * this is closed, its log and its records' times are those of no later one.
   *
   * @param epoch the greatest one that has a log
   * @param lost when it was, in milliseconds
   */
  static WriterState derived(long epoch, long token, long lost) {
    return new WriterState(true, epoch, -Math.max(1, lost), token, 0);
  }

  /** When a state was lost in place of which this is; 0 if it is in place of none. */
  private long lost() {
    return Math.max(0, -count);
  }

  /** The greatest epoch that there may be: they are counted, and never as large as a time. */
  private long last() {
    return Math.max(epoch, lost());
  }

  /** The lease begins again, for a process that takes over. */
  WriterState renewed(long by) {
    return renewed(by, time);
  }

  /**
   * The lease begins again, for a process.
   *
   * @param sealed a time up to which all is sealed
   */
  WriterState renewed(long by, long sealed) {
    return new WriterState(
        isOpen, epoch, count < 0 ? count - 1 : count + 1, by, Math.max(time, sealed));
  }

  /**
   * All rows of the log are sealed.
   *
   * @param last the time of its last record; 0 if it has none
   */
  WriterState closed(long by, long last) {
    return new WriterState(
        false, last(), Math.max(0, count) + 1, by, Math.max(Math.max(time, last), lost()));
  }

  /** As one that is {@link #derived}, since records of its log are lost. */
  WriterState withLoss(long lost) {
    return new WriterState(isOpen, epoch, Math.min(count, -lost), token, time);
  }

  byte[] value() {
    return ByteBuffer.allocate(LENGTH)
        .put((byte) (isOpen ? 1 : 0))
        .putLong(epoch)
        .putLong(count)
        .putLong(token)
        .putLong(time)
        .array();
  }

  /**
   * @throws CorruptDataException if the bytes are not a state
   */
  static WriterState of(byte[] value) {
    if (value.length != LENGTH || value[0] < 0 || value[0] > 1) {
      throw new CorruptDataException("not the state of a writer: " + value.length + " bytes");
    }
    ByteBuffer fields = ByteBuffer.wrap(value, 1, LENGTH - 1);
    return new WriterState(
        value[0] == 1, fields.getLong(), fields.getLong(), fields.getLong(), fields.getLong());
  }
}
