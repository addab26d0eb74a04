package org.hourstone.head;

import java.nio.ByteBuffer;
import java.time.Duration;
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
 * @param lease for how long its journal is left to it after a change, in milliseconds, as its
 *     process had it set; 0 if that is not known: of a state that was lost or is of an older build
 */
record WriterState(boolean isOpen, long epoch, long count, long token, long time, long lease) {
  private static final int LENGTH_WITHOUT_LEASE = 1 + 4 * Long.BYTES;
  private static final int LENGTH = LENGTH_WITHOUT_LEASE + Long.BYTES;

  /** As many seconds as the setting can have, in milliseconds. */
  private static final long MOST_LEASE = Integer.MAX_VALUE * 1000L;

  /**
   * A process begins as the writer.
   *
   * @param last the time of the last record of the epochs before; 0 if there was none
   */
  static WriterState next(@Nullable WriterState before, long token, long last, Duration lease) {
    if (before == null) {
      return new WriterState(true, 1, 0, token, last, lease.toMillis());
    }
    return new WriterState(
        true, before.last() + 1, 0, token, Math.max(last, before.lost()), lease.toMillis());
  }

  /**
   * In place of a state that was lost. A process of an epoch that is not known may be paused: once
   * this is closed, its log and its records' times are those of no later one.
   *
   * @param epoch the greatest one that has a log
   * @param lost when it was, in milliseconds
   */
  static WriterState derived(long epoch, long token, long lost) {
    return new WriterState(true, epoch, -Math.max(1, lost), token, 0, 0);
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
        isOpen, epoch, count < 0 ? count - 1 : count + 1, by, Math.max(time, sealed), lease);
  }

  /**
   * All rows of the log are sealed.
   *
   * @param last the time of its last record; 0 if it has none
   */
  WriterState closed(long by, long last) {
    return new WriterState(
        false, last(), Math.max(0, count) + 1, by, Math.max(Math.max(time, last), lost()), lease);
  }

  /** As one that is {@link #derived}, since records of its log are lost. */
  WriterState withLoss(long lost) {
    return new WriterState(isOpen, epoch, Math.min(count, -lost), token, time, lease);
  }

  /**
   * For how long the journal is left to its writer.
   *
   * @param otherwise if the state does not say it
   */
  Duration lease(Duration otherwise) {
    return lease > 0 ? Duration.ofMillis(lease) : otherwise;
  }

  /** As it is stored: of a state that was read, the same bytes, which a change compares. */
  byte[] value() {
    ByteBuffer value =
        ByteBuffer.allocate(lease > 0 ? LENGTH : LENGTH_WITHOUT_LEASE)
            .put((byte) (isOpen ? 1 : 0))
            .putLong(epoch)
            .putLong(count)
            .putLong(token)
            .putLong(time);
    return lease > 0 ? value.putLong(lease).array() : value.array();
  }

  /**
   * @throws CorruptDataException if the bytes are not a state
   */
  static WriterState of(byte[] value) {
    boolean hasLease = value.length == LENGTH;
    if ((!hasLease && value.length != LENGTH_WITHOUT_LEASE) || value[0] < 0 || value[0] > 1) {
      throw new CorruptDataException("not the state of a writer: " + value.length + " bytes");
    }
    ByteBuffer fields = ByteBuffer.wrap(value, 1, value.length - 1);
    WriterState state =
        new WriterState(
            value[0] == 1,
            fields.getLong(),
            fields.getLong(),
            fields.getLong(),
            fields.getLong(),
            hasLease ? fields.getLong() : 0);
    if (hasLease && (state.lease < 1 || state.lease > MOST_LEASE)) {
      throw new CorruptDataException("not the state of a writer: a lease of " + state.lease);
    }
    return state;
  }
}
