package org.hourstone.query.rows;

/**
 * Whether a series has rows in a query's own hours, or in those before and after them, which are
 * read for interpolation. For one thread.
 */
public final class RowPlaces {
  private boolean before;
  private boolean within;
  private boolean after;

  /** A row has points. */
  public void add(long baseTime, ScanRange own) {
    before |= baseTime < own.startSeconds();
    within |= own.contains(baseTime);
    after |= baseTime >= own.stopSeconds();
  }

  void addAll(RowPlaces other) {
    before |= other.before;
    within |= other.within;
    after |= other.after;
  }

  /** Whether the series has points in the own hours. */
  boolean areInOwnHours() {
    return within;
  }

  /** Whether the series can have a value in the own hours. */
  boolean reachOwnHours() {
    return within || (before && after);
  }
}
