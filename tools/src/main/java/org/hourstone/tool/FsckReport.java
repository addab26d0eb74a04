package org.hourstone.tool;

import java.util.EnumMap;
import java.util.Map;

/**
 * The counts of a run.
 *
 * @param rows the number of rows checked
 * @param cells the number of cells in them
 * @param points the number of readable points; points that share a timestamp are counted separately
 * @param annotations the number of cells with annotations
 * @param histograms the number of cells with histograms
 * @param compactedRows the number of rows compacted
 * @param found the number of findings of each kind
 * @param fixed the number of repaired findings of each kind
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
  static final FsckReport NOTHING = new FsckReport(0, 0, 0, 0, 0, 0, Map.of(), Map.of());

  /** The number of errors found. */
  public long errors() {
    return sumOfErrors(found);
  }

  /** The number of errors that were not repaired. */
  public long errorsLeft() {
    return errors() - sumOfErrors(fixed);
  }

  FsckReport plus(FsckReport more) {
    return new FsckReport(
        rows + more.rows,
        cells + more.cells,
        points + more.points,
        annotations + more.annotations,
        histograms + more.histograms,
        compactedRows + more.compactedRows,
        sum(found, more.found),
        sum(fixed, more.fixed));
  }

  private static Map<FsckKind, Long> sum(Map<FsckKind, Long> one, Map<FsckKind, Long> other) {
    if (other.isEmpty()) {
      return one;
    }
    Map<FsckKind, Long> sum = new EnumMap<>(FsckKind.class);
    sum.putAll(one);
    other.forEach((kind, count) -> sum.merge(kind, count, Long::sum));
    return sum;
  }

  private static long sumOfErrors(Map<FsckKind, Long> counts) {
    return counts.entrySet().stream()
        .filter(count -> count.getKey().isError())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
