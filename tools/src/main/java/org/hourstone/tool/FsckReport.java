package org.hourstone.tool;

import java.util.Map;

/**
 * What a run has seen.
 *
 * @param rows that were looked at
 * @param cells in them
 * @param points that can be read, those of one instant each counted
 * @param annotations cells
 * @param histograms cells
 * @param compactedRows rows that were compacted
 * @param found findings of each kind there is
 * @param fixed those of them that were mended
 */
public record FsckReport(
    long rows,
    long cells,
    long points,
    long annotations,
    long histograms,
    long compactedRows,
    Map<FsckKind, Long> found,
    Map<FsckKind, Long> fixed) {

  /** How many errors were found. */
  public long errors() {
    return sumOfErrors(found);
  }

  /** How many errors were not mended. */
  public long errorsLeft() {
    return errors() - sumOfErrors(fixed);
  }

  private static long sumOfErrors(Map<FsckKind, Long> counts) {
    return counts.entrySet().stream()
        .filter(count -> count.getKey().isError())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
