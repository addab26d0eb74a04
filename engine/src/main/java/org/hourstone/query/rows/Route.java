package org.hourstone.query.rows;

import org.hourstone.query.Query;
import org.jspecify.annotations.Nullable;

/**
 * One way to read a segment of a query.
 *
 * @param source the rows to read
 * @param query the query to run on their values
 * @param range the hours to read
 * @param own the hours of the query's range or its buckets: a series with points only before or
 *     only after them is not in the result
 * @param rolled the part of the hours that is read from rollups of the database's own; null if none
 *     is
 */
public record Route(
    RowSource source, Query query, ScanRange range, ScanRange own, @Nullable RolledPart rolled) {
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
    return new Route(source, query, all, NeededTime.isFilled(query) ? all : own, null);
  }

  /** Reads certain hours. */
  public static Route of(RowSource source, Query query, ScanRange range) {
    return new Route(source, query, range, range, null);
  }

  /** The same route, with a part that is read from rollups. */
  public Route rolled(RolledPart part) {
    return new Route(source, query, range, own, part);
  }
}
