package org.hourstone.rewrite;

/**
 * The state of background compaction.
 *
 * @param backlog rows that wait, most of them for the end of their hour
 * @param behindSeconds for how long the first due row has been due; 0 if none is
 * @param compacted rows rewritten so far
 * @param unchanged rows checked that needed no change
 * @param failed rows given up because they are corrupt, have conflicting points, are too large for
 *     the memory, or the store refused; they are not changed
 * @param forgotten how often the queue was full when a row was written; such rows are not compacted
 *     until they are written to again, or a {@link TableCompactor} finds them
 * @param running whether the thread that compacts in the background is alive
 */
public record CompactionStats(
    long backlog,
    long behindSeconds,
    long compacted,
    long unchanged,
    long failed,
    long forgotten,
    boolean running) {}
