package org.hourstone.tool;

/**
 * The counts of missing metadata.
 *
 * @param rows of data that were read
 * @param names how many UIDMeta were created
 * @param series how many TSMeta were created
 * @param counters how many counters of points were created
 * @param dated how many times of creation were after the first point, and were corrected
 * @param replaced how many could not be read, and were created again
 * @param skipped how many rows and series could not be used
 */
public record MetaSyncReport(
    long rows, long names, long series, long counters, long dated, long replaced, long skipped) {}
