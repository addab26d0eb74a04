package org.hourstone.tool;

/**
 * The counts of missing metadata.
 *
 * @param rows the number of data rows read
 * @param names the number of UIDMeta created
 * @param series the number of TSMeta created
 * @param counters the number of counters of points created
 * @param dated the number of corrected creation times, which were after the first point
 * @param replaced the number of unreadable metadata that were created again
 * @param skipped the number of rows and series that could not be used
 */
public record MetaSyncReport(
    long rows, long names, long series, long counters, long dated, long replaced, long skipped) {}
