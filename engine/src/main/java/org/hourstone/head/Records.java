package org.hourstone.head;

import org.hourstone.internal.Retry;
import org.jspecify.annotations.Nullable;

/**
 * How the records of a journal are stored, and on what condition. Numbers ascend. Thread-safe, if
 * {@link #put} is called as {@link #areOrdered} says.
 */
interface Records {
  /** How many records are deleted in a call: a small part of what a batch may have. */
  int DELETED_TOGETHER = 1000;

  /**
   * Must be called before any other method that writes.
   *
   * @throws org.hourstone.kv.StoreException REJECTED if the store is read-only
   */
  void begin();

  /**
   * Passes on all records that may be needed, ascending.
   *
   * @return the first number that no record has
   * @throws org.hourstone.codec.CorruptDataException if a record can't be read; it is named
   */
  long replay(Journal.Replay replay);

  /** Deletes records that an interrupted trim has left. */
  void clean();

  /**
   * Whether the place of a record depends on the one before: then one is put at a time, and the
   * number of a record that was not stored is used again.
   */
  boolean areOrdered();

  /**
   * Stores a record.
   *
   * @param needed the first record that is needed, or this one
   * @return its number, which is a later one if another record was found in its place
   * @throws org.hourstone.kv.StoreException if it isn't stored, or if that is unknown
   */
  long put(long number, long needed, byte[] value, Retry retry);

  /** By which rows that have points of the last record are dated; 0 if they are when written. */
  long time();

  /**
   * No record is stored at present, nor needed: the next one is dated after this time.
   *
   * @return a recent time; 0 if rows are dated when written
   */
  long skipToNow();

  /**
   * Records are going to be deleted.
   *
   * @param needed the first record that is needed
   * @return the first one that must be kept
   */
  long mark(long needed);

  /** The key of a record. */
  byte[] key(long number);

  /** Why no record is stored any more; null if they are. */
  @Nullable String lost();

  /** No row needs a record any more, and none will be stored. */
  void end();
}
