package org.hourstone.tree;

/**
 * The results of new series, once for each enabled tree.
 *
 * @param placed have a leaf
 * @param unplaced matched no rule, or their place was taken by another series
 * @param failed could not be added; see {@link TreeSync#lastFailure}
 */
public record TreeSyncStats(long placed, long unplaced, long failed) {}
