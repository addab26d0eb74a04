package org.hourstone.tool;

/**
 * What metadata was missing.
 *
 * @param rows of data that were read
 * @param names how many UIDMeta were made
 * @param series how many TSMeta were made
 * @param counters how many counters of points were made
 * @param dated how often the time of creation was after the first point, and was corrected
 * @param replaced how many could not be read, and were made anew
 * @param skipped how many rows and series could not be used
 */
public record MetaSyncReport(
    long rows, long names, long series, long counters, long dated, long replaced, long skipped) {}
