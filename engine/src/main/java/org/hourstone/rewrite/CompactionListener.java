package org.hourstone.rewrite;

/** Receives the events of a {@link TableCompactor}, on the thread that runs it. */
public interface CompactionListener {
  /** A listener that does nothing. */
  CompactionListener NONE = new CompactionListener() {};

  /**
   * A row could not be compacted and is left as it is.
   *
   * @param reason names the row
   */
  default void skipped(String reason) {}

  /** One more row was checked. */
  default void progress(CompactionReport soFar) {}

  /** The rows are compacted; the store now reclaims the space of the replaced cells. */
  default void reclaiming(CompactionReport soFar) {}
}
