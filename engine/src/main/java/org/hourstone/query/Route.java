package org.hourstone.query;

/**
 * One way to read a segment of a query.
 *
 * @param source the rows to read
 * @param query the query to run on their values
 * @param range the hours to read
 */
record Route(RowSource source, Query query, ScanRange range) {}
