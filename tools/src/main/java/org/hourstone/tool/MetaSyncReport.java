package org.hourstone.tool;

/**
 * The counts of missing metadata.
 *
 * @param rows of data that were read
 * @param names the number of UIDMeta created
 * @param series the number of TSMeta created
 * @param counters the number of counters of points created
 * @param dated the number of times of creation that were after the first point, and were corrected
 * @param replaced the number of those that could not be read, and were created again
 * @param skipped the number of rows and series that could not be used
 */
public record MetaSyncReport(
    long rows, long names, long series, long counters, long dated, long replaced, long skipped) {}
