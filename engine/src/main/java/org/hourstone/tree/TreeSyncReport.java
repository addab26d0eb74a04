package org.hourstone.tree;

import java.util.List;

/**
 * What became of many series.
 *
 * @param series how many were looked at
 * @param placed how many leaves they have now, over all trees
 * @param unplaced how often one matched no rule, or found another series at its place
 * @param failed how often one could not be sorted in; a tree that can't be used counts once
 * @param failures the first of the reasons for that
 */
public record TreeSyncReport(
    long series, long placed, long unplaced, long failed, List<String> failures) {
  public TreeSyncReport {
    failures = List.copyOf(failures);
  }
}
