package org.hourstone.tree;

/**
 * What became of new series, once for each enabled tree.
 *
 * @param placed have a leaf
 * @param unplaced matched no rule, or found another series at their place
 * @param failed could not be sorted in; see {@link TreeSync#lastFailure}
 */
public record TreeSyncStats(long placed, long unplaced, long failed) {}
