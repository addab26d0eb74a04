package org.hourstone.retention;

/**
 * What runs of a process have done.
 *
 * @param runs the number of runs that deleted
 * @param refused the number of runs that were refused because of the clock
 * @param failed the number of runs in the background that have failed
 * @param deletedRows the number of rows
 * @param removedSeries the number of series without a row that left the index
 * @param waiting the number of expired rows of points that the last run kept until they are rolled
 *     up
 */
public record RetentionStats(
    long runs, long refused, long failed, long deletedRows, long removedSeries, long waiting) {}
