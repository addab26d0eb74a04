package org.hourstone.write;

/**
 * How background compaction is doing.
 *
 * @param backlog rows that wait, most of them for their hour to be over
 * @param compacted rows rewritten so far
 * @param failed rows given up because they are damaged or the store refused
 * @param forgotten rows that found no room in the queue; they stay as they are until somebody has
 *     them compacted
 */
public record CompactionStats(long backlog, long compacted, long failed, long forgotten) {}
