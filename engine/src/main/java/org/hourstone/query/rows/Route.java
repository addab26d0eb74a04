package org.hourstone.query.rows;

import org.hourstone.query.Query;

/**
 * One way to read a segment of a query.
 *
 * @param source the rows to read
 * @param query the query to run on their values
 * @param range the hours to read
 * @param own the hours of the query's range or its buckets: a series with points only before or
 *     only after them is not in the result
 */
public record Route(RowSource source, Query query, ScanRange range, ScanRange own) {
  /**
   * Reads the time that a query needs.
   *
   * @param alone whether only its own hours are read, whatever interpolation needs
   */
  public static Route of(RowSource source, Query query, boolean alone) {
    ScanRange own = ScanRange.of(NeededTime.ofRange(query), source.span());
    ScanRange all = ScanRange.of(NeededTime.around(query), source.span());
    if (alone) {
      return of(source, query, own);
    }
    // A filled series has values in all buckets of the hours read.
    return new Route(source, query, all, NeededTime.isFilled(query) ? all : own);
  }

  /** Reads certain hours. */
  public static Route of(RowSource source, Query query, ScanRange range) {
    return new Route(source, query, range, range);
  }
}
