package org.hourstone.retention;

import java.util.List;
import java.util.Set;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;

/** Is asked, and notified, before rows of points are deleted that have expired. */
public interface ExpiringPoints {
  /**
   * The keys of those rows that must not be deleted yet, as they are still needed.
   *
   * @param rows keys, ascending, all with the same salt and metric; at least one
   */
  Set<Bytes> awaited(List<byte[]> rows);

  /** Points of hours before this base time are about to be deleted. */
  void expire(long hour);

  /**
   * These rows of points are deleted next, if the store does not fail.
   *
   * @param rows as for {@link #awaited}
   */
  void deleting(List<byte[]> rows);

  /** Whether a table has rolled-up values that the database computes, and reads unasked. */
  boolean isComputed(Family family);

  /** Whether the rolled-up values of days are computed from those of this table. */
  boolean feedsDays(Family family);
}
