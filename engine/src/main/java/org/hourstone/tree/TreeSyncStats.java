package org.hourstone.tree;

/**
 * The results for new series, counted once for each enabled tree.
 *
 * @param placed the number that have a leaf
 * @param unplaced the number that matched no rule or whose place was taken by another series
 * @param failed the number that could not be added; see {@link TreeSync#lastFailure}
 */
public record TreeSyncStats(long placed, long unplaced, long failed) {}
