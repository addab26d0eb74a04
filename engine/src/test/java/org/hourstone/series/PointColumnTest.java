package org.hourstone.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PointColumnTest {
  @Test
  void integersAndDoublesAreKeptApart() {
    PointColumn column = Columns.of("1=5 2=5.0 3=NaN");
    assertThat(Columns.text(column)).isEqualTo("1=5 2=5.0 3=NaN");
    assertThat(column.doubleValue(0)).isEqualTo(5.0);
    assertThat(column.doubles()).startsWith(5.0, 5.0, Double.NaN);
  }

  @Test
  void pointsAreFoundByTimeAlsoAfterSomeWereDropped() {
    PointColumn column = Columns.of("1=1 2=2 4=4 8=8");
    column.dropFirst(2);
    assertThat(column.firstFrom(0)).isZero();
    assertThat(column.firstFrom(4001)).isEqualTo(1);
    assertThat(column.firstFrom(9000)).isEqualTo(2);
    assertThat(Columns.text(column)).isEqualTo("4=4 8=8");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whateverIsAddedAndDroppedWhatIsLeftIsRight(long seed) {
    Random random = new Random(seed);
    PointColumn column = new PointColumn();
    Deque<Long> expected = new ArrayDeque<>();
    long next = 0;
    for (int i = 0; i < 2000; i++) {
      if (random.nextInt(3) == 0) {
        int drop = random.nextInt(column.size() + 1);
        column.dropFirst(drop);
        for (int d = 0; d < drop; d++) {
          expected.remove();
        }
      } else {
        PointColumn more = new PointColumn();
        for (int m = random.nextInt(40); m > 0; m--) {
          more.addLong(next, next);
          expected.add(next++);
        }
        column.addAll(more);
      }
      List<Long> found = new ArrayList<>();
      for (int p = 0; p < column.size(); p++) {
        found.add(column.longValue(p));
        assertThat(column.millis(p)).isEqualTo(column.longValue(p));
      }
      assertThat(found).as("seed %d", seed).containsExactlyElementsOf(expected);
    }
  }

  @Test
  void memoryIsUsedAgainWhereAsManyAreDroppedAsAdded() {
    MemoryLease memory = MemoryLease.untracked();
    PointColumn column = new PointColumn(memory);
    for (int i = 0; i < 100; i++) {
      column.addLong(i, i);
    }
    long before = memory.bytes();
    for (int i = 100; i < 100_000; i++) {
      column.addLong(i, i);
      column.dropFirst(1);
    }
    assertThat(memory.bytes()).isLessThanOrEqualTo(3 * before);
    assertThat(column.millis(99)).isEqualTo(99_999);
  }

  @Test
  void pointsThatAreMovedToAnEmptyColumnAreAccountedForThere() {
    MemoryLease memory = MemoryLease.untracked();
    MemoryLease others = MemoryLease.untracked();
    PointColumn column = new PointColumn(memory);
    PointColumn other = new PointColumn(others);
    for (int i = 0; i < 100; i++) {
      other.addLong(i, i);
    }
    other.dropFirst(1);
    long bytes = others.bytes();
    column.moveAll(other);
    assertThat(memory.bytes()).isEqualTo(bytes);
    assertThat(others.bytes()).isZero();
    assertThat(other.size()).isZero();
    other.addLong(100, 100);
    column.moveAll(other);
    assertThat(column.size()).isEqualTo(100);
    for (int i = 0; i < 100; i++) {
      assertThat(column.millis(i)).isEqualTo(i + 1);
    }
  }
}
