package org.hourstone.query;

import java.util.Set;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.series.NumberQuirk;

/**
 * How queries are run.
 *
 * @param filters how tag filters are interpreted
 * @param seriesBySalt whether salted series are ordered by their salt first, as in OpenTSDB
 * @param nominalHours whether the hours that are read are computed as in OpenTSDB, so that the
 *     values of a range depend on where in an hour it starts
 * @param numbers where numbers are formatted in the surprising way of OpenTSDB
 * @param limits the limits of queries
 */
public record QueryOptions(
    Cells cells,
    FilterOptions filters,
    boolean seriesBySalt,
    boolean nominalHours,
    Set<NumberQuirk> numbers,
    QueryLimits limits,
    Work work) {
  public QueryOptions {
    numbers = Set.copyOf(numbers);
  }

  /**
   * How stored points are read.
   *
   * @param duplicates the policy for two points of one series that share a timestamp
   * @param inStoredOrder whether the points of a cell are used in stored order, as in OpenTSDB;
   *     else they are sorted
   * @param skipCorruption whether rows and cells that can't be decoded are skipped; else they fail
   *     the query
   */
  public record Cells(DuplicatePolicy duplicates, boolean inStoredOrder, boolean skipCorruption) {}

  /**
   * How the work is divided and watched.
   *
   * @param threads how many threads read for all queries, at least 1
   * @param sliceRows about how many rows a thread decodes before their points are combined, at
   *     least 1
   * @param decodedBytes how much memory the cache of decoded cells takes at most; 0 for none
   * @param slowMillis the shortest duration, in milliseconds, that is logged as slow; 0 to log none
   */
  public record Work(int threads, int sliceRows, long decodedBytes, long slowMillis) {}
}
