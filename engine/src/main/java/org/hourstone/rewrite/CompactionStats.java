package org.hourstone.rewrite;

/**
 * How background compaction is doing.
 *
 * @param backlog rows that wait, most of them for their hour to be over
 * @param behindSeconds for how long the row that should have come first has been due; 0 if none is
 * @param compacted rows rewritten so far
 * @param unchanged rows looked at that needed nothing
 * @param failed rows given up because they are damaged, have conflicting points, are too large for
 *     the memory, or the store refused; they stay as they are
 * @param forgotten how often a row found no room in the queue; such rows stay as they are until
 *     they are written to again, or a {@link TableCompactor} finds them
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
