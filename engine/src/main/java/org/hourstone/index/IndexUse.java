package org.hourstone.index;

/**
 * How the series index is used, since the database was opened.
 *
 * @param metrics the number of metrics in memory
 * @param bytes the approximate number of bytes they use
 * @param limit the number of bytes they may use
 * @param answered how often series were found in memory, read from the index table first if need be
 * @param unanswered how often the index was not complete or could not be read, or the metric does
 *     not fit in memory, so that rows had to be scanned
 * @param evicted how often a metric had to leave memory for another
 */
public record IndexUse(
    int metrics, long bytes, long limit, long answered, long unanswered, long evicted) {}
