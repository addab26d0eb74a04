package org.hourstone.query;

/**
 * A series as the scan found it.
 *
 * @param order the key that series are put in order by
 * @param tsuid of the series
 * @param points what its stage made of its points
 */
record FoundSeries(byte[] order, byte[] tsuid, PointColumn points) {}
