package org.hourstone.tree;

import java.util.List;

/**
 * The result of syncing many series.
 *
 * @param series the number of processed series
 * @param placed the number of leaves they have now, in all trees
 * @param unplaced how often a series matched no rule or its place was taken by another series
 * @param failed how often a series could not be added; a tree that can't be used counts once
 * @param failures the reasons of the first failures
 */
public record TreeSyncReport(
    long series, long placed, long unplaced, long failed, List<String> failures) {
  public TreeSyncReport {
    failures = List.copyOf(failures);
  }
}
