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
 * @param count how often the state was changed in this epoch
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
    return new WriterState(true, before == null ? 1 : before.epoch + 1, 0, token, last);
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
    return new WriterState(isOpen, epoch, count + 1, by, Math.max(time, sealed));
  }

  /**
   * All rows of the log are sealed.
   *
   * @param last the time of its last record; 0 if it has none
   */
  WriterState closed(long by, long last) {
    return new WriterState(false, epoch, count + 1, by, Math.max(time, last));
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
