package org.hourstone.rewrite;

import org.hourstone.table.TableListener;

/** Receives the events of a {@link TableCompactor}. */
public interface CompactionListener extends TableListener {
  /** A listener that does nothing. */
  CompactionListener NONE = new CompactionListener() {};

  /** The rows are compacted; the store now reclaims the space of the replaced cells. */
  default void reclaiming(CompactionReport soFar) {}
}
