package org.hourstone.rewrite;

/**
 * The state of background compaction.
 *
 * @param backlog the number of waiting rows; most wait for the end of their hour
 * @param behindSeconds for how long the first due row has been due; 0 if no row is due
 * @param compacted the number of rows rewritten so far
 * @param unchanged the number of rows checked that needed no change
 * @param failed the number of rows not changed because they are corrupt, have conflicting points,
 *     are too large for the memory, or the store refused
 * @param forgotten how often the queue was full when a row was written; such a row is not compacted
 *     until it is written again or a {@link TableCompactor} finds it
 * @param unsealed how often a row was left for later, since a writer's journal on a shared store
 *     may have older points that are not in the table yet
 * @param running whether the thread that compacts in the background is alive
 */
public record CompactionStats(
    long backlog,
    long behindSeconds,
    long compacted,
    long unchanged,
    long failed,
    long forgotten,
    long unsealed,
    boolean running) {}
