package org.hourstone.query.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.query.rows.HistogramSums;
import org.hourstone.series.MemoryLease;
import org.hourstone.series.PointColumn;
import org.junit.jupiter.api.Test;

class GroupResultTest {
  private static final int POINTS = 10_000;

  private final MemoryLease request = MemoryLease.untracked();

  private GroupResult part(int first) {
    MemoryLease memory = request.child();
    PointColumn points = new PointColumn(memory);
    HistogramSums histograms = new HistogramSums(memory);
    for (int i = first; i < first + POINTS; i++) {
      points.addLong(i, i);
    }
    for (int i = first; i < first + 10; i++) {
      histograms.add(i, SimpleHistogram.of(Map.of(new Bucket(0, 1), 5L)));
    }
    return new GroupResult(List.of(), points, 0, POINTS, histograms, List.of(memory));
  }

  @Test
  void theMemoryOfPartsThatAreJoinedIsThatOfTheirPoints() {
    GroupResult one = part(0);
    long ofOne = request.bytes();
    GroupResult joined = one.followedBy(part(POINTS)).followedBy(part(2 * POINTS));

    assertThat(joined.points().size()).isEqualTo(3 * POINTS);
    assertThat(joined.points().longValue(2 * POINTS)).isEqualTo(2 * POINTS);
    assertThat(joined.histograms().size()).isEqualTo(30);
    assertThat(request.bytes()).isBetween(5 * ofOne / 2, 9 * ofOne / 2);
    joined.close();
    assertThat(request.bytes()).isZero();
  }

  @Test
  void histogramsOutsideOfTheRangeAreGivenBack() {
    GroupResult part = part(0);
    long before = request.bytes();
    HistogramSums histograms = part.histograms();
    histograms.keep(3, 5);

    assertThat(histograms.all().keySet()).containsExactly(3L, 4L);
    assertThat(before - request.bytes()).isGreaterThan(8 * 200);
    histograms.clear();
    part.points().release();
    assertThat(request.bytes()).isZero();
  }
}
