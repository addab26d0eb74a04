package org.hourstone.tool;

import java.util.Map;

/**
 * The counts of a run.
 *
 * @param rows that were checked
 * @param cells in them
 * @param points that can be read; points that share a timestamp are counted separately
 * @param annotations cells
 * @param histograms cells
 * @param compactedRows rows that were compacted
 * @param found the number of findings of each kind
 * @param fixed those of them that were repaired
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

  /** The number of errors found. */
  public long errors() {
    return sumOfErrors(found);
  }

  /** The number of errors that were not repaired. */
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
