package org.hourstone.table;

/** Receives the events of a run over tables; called by several threads, one at a time. */
public interface TableListener {
  /** A listener that does nothing. */
  TableListener NONE = new TableListener() {};

  /**
   * The next row is about to be processed. Called by several threads at the same time; an exception
   * ends the run before that row.
   */
  default void nextRow() {}

  /**
   * A row could not be processed and is left as it is.
   *
   * @param why names the row, in one line
   */
  default void skipped(String why) {}

  /** More rows are complete. */
  default void progress(TableProgress progress) {}

  /**
   * Saves a checkpoint from which the run can be continued. The run goes on when this has returned;
   * an exception ends it. Only some runs have checkpoints.
   *
   * @param text a few lines
   */
  default void checkpoint(String text) {}
}
