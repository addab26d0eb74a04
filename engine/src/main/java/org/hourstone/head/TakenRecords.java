package org.hourstone.head;

import java.util.function.BooleanSupplier;
import org.hourstone.codec.CorruptDataException;
import org.jspecify.annotations.Nullable;

/**
 * The records of a log that is fenced: whoever repeats its takeover writes the same cells with the
 * same times.
 *
 * @param last the number of the last record
 * @param isOpen whether the log is not closed, so that no record has been deleted that is needed
 */
record TakenRecords(WriterLog log, long last, BooleanSupplier isOpen) implements FixedRecords {
  /** Another process has sealed all rows of the log, and deletes its records. */
  static final class ClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClosedException() {
      super("another process has sealed the rows of the journal", null, false, false);
    }
  }

  /**
   * @throws ClosedException if records may be missing, since they are needed no more
   */
  @Override
  public long replay(Journal.Replay replay) {
    try {
      log.replay(last, replay);
    } catch (CorruptDataException e) {
      if (isOpen.getAsBoolean()) {
        throw e;
      }
    }
    if (!isOpen.getAsBoolean()) {
      throw new ClosedException();
    }
    return last + 1;
  }

  @Override
  public byte[] key(long number) {
    return log.key(number);
  }

  @Override
  public @Nullable String lost() {
    return null;
  }
}
