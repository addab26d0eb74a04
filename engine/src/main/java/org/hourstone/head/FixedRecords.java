package org.hourstone.head;

import org.hourstone.internal.Retry;

/**
 * Records that are only read, so that their rows are sealed. That this is done needs no record:
 * whoever repeats it writes the same cells, and all records are deleted together afterwards, by
 * whoever reads them.
 */
interface FixedRecords extends Records {
  @Override
  default void begin() {
    // Nothing is written.
  }

  @Override
  default void clean() {
    // What is not needed is deleted with the rest.
  }

  @Override
  default boolean areOrdered() {
    return false;
  }

  @Override
  default long put(long number, long needed, byte[] value, Retry retry) {
    return number;
  }

  @Override
  default long time() {
    return 0;
  }

  @Override
  default long skipToNow() {
    return 0;
  }

  @Override
  default long mark(long needed) {
    return 0;
  }

  @Override
  default void end() {
    // They stay until they are deleted.
  }
}
