package org.hourstone.tool;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts for a {@link FsckReport}. Thread-safe. */
final class FsckTally {
  final LongAdder rows = new LongAdder();
  final LongAdder cells = new LongAdder();
  final LongAdder points = new LongAdder();
  final LongAdder annotations = new LongAdder();
  final LongAdder histograms = new LongAdder();
  final LongAdder compactedRows = new LongAdder();
  private final Map<FsckKind, Long> found = new EnumMap<>(FsckKind.class);
  private final Map<FsckKind, Long> fixed = new EnumMap<>(FsckKind.class);

  synchronized void count(FsckFinding finding) {
    found.merge(finding.kind(), 1L, Long::sum);
    if (finding.state() == FsckFinding.State.FIXED) {
      fixed.merge(finding.kind(), 1L, Long::sum);
    }
  }

  synchronized FsckReport report() {
    return new FsckReport(
        rows.sum(),
        cells.sum(),
        points.sum(),
        annotations.sum(),
        histograms.sum(),
        compactedRows.sum(),
        new EnumMap<>(found),
        new EnumMap<>(fixed));
  }
}
