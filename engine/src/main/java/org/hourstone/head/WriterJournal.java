package org.hourstone.head;

/**
 * A writer of a shared store, and its journal.
 *
 * @param name of the writer
 * @param state whether its journal may have points that are not in the data table
 * @param epoch how often it has begun; 0 if that is not known
 * @param renewed when its lease was renewed last, in milliseconds by the store's clock
 * @param leaseEnd when its lease runs out, by the same clock
 * @param sealedUntil the time, in milliseconds, up to which its points are in the data table: rows
 *     with newer cells are not compacted while it is not {@link State#CLOSED}. 0 if that is not
 *     known
 * @param records of its journal
 * @param bytes of these
 */
public record WriterJournal(
    String name,
    State state,
    long epoch,
    long renewed,
    long leaseEnd,
    long sealedUntil,
    long records,
    long bytes) {
  /** Whether a journal may have points that are not in the data table. */
  public enum State {
    OPEN,
    /** It has none. */
    CLOSED,
    /** What is stored of the writer can't be read. */
    CORRUPT
  }

  /**
   * A journal that is deleted although it may have points that are not in the data table.
   *
   * @param records how many it has
   * @param unreadable how many of these can't be read
   * @param missing how many are missing between the first and the last
   * @param bytes of the records
   * @param points of those that can be read, without those of rows that are in the data table
   */
  public record Loss(long records, long unreadable, long missing, long bytes, long points) {}
}
