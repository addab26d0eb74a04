package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.kv.Row;
import org.hourstone.rollup.RolledValue.Stored;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that another program has stored, of which those of days are computed. */
class IntervalCellsTest {
  private static final int SUM = 0;
  private static final int COUNT = 1;
  private static final int MIN = 2;
  private static final int MAX = 3;

  private static final RollupPlan.Ids IDS = new RollupPlan.Ids(SUM, COUNT, MIN, MAX);

  private IntervalCells cells = new IntervalCells(IDS, DuplicatePolicy.NEWEST_WINS);
  private final List<byte[]> qualifiers = new ArrayList<>();
  private final List<byte[]> values = new ArrayList<>();
  private final List<Long> times = new ArrayList<>();

  private void add(int id, int index, Stored value, long time) {
    qualifiers.add(RollupQualifier.encode(id, index, value.flags()));
    values.add(value.bytes());
    times.add(time);
  }

  private void add(int index, Stored sum, Stored count, Stored min, Stored max) {
    add(SUM, index, sum, 1);
    add(COUNT, index, count, 1);
    add(MIN, index, min, 1);
    add(MAX, index, max, 1);
  }

  /** Sum, count, minimum and maximum of the intervals, and those that can't be decoded. */
  private List<Double> summed() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < qualifiers.size(); i++) {
      order.add(i);
    }
    order.sort((a, b) -> Arrays.compareUnsigned(qualifiers.get(a), qualifiers.get(b)));
    Row row =
        Row.of(
            new byte[] {1},
            order.stream().map(qualifiers::get).toArray(byte[][]::new),
            order.stream().map(values::get).toArray(byte[][]::new),
            order.stream().mapToLong(times::get).toArray());
    RolledValue sum = new RolledValue();
    List<Double> all = new ArrayList<>();
    cells.sum(row, index -> true, sum, index -> all.add((double) index));
    for (Stored each : List.of(sum.sum(), sum.count(), sum.min(), sum.max())) {
      all.add(each.value());
    }
    return all;
  }

  @Test
  void aSumMayBeAnIntegerOfDecimals() {
    add(0, Stored.of(2), Stored.of(2), Stored.of(0.5), Stored.of(1.5));
    add(1, Stored.of(3), Stored.of(1), Stored.of(3), Stored.of(3));
    assertThat(summed()).containsExactly(5.0, 3.0, 0.5, 3.0);
  }

  @Test
  void aCountMayBeADecimalThatIsWhole() {
    add(0, Stored.of(2), Stored.of(2.0), Stored.of(1), Stored.of(1));
    add(1, Stored.of(7), Stored.of(1.5), Stored.of(1), Stored.of(1));
    assertThat(summed()).containsExactly(1.0, 2.0, 2.0, 1.0, 1.0);
  }

  @Test
  void theNewestCountsOfSeveralOfOtherLengths() {
    add(0, Stored.of(70_000), Stored.of(700), Stored.of(1), Stored.of(200));
    add(SUM, 0, Stored.of(99), 2);
    add(COUNT, 0, Stored.of(9), 2);
    assertThat(summed()).containsExactly(99.0, 9.0, 1.0, 200.0);
  }

  /** As in a query of the intervals themselves; which fails has its hour computed again. */
  @ParameterizedTest
  @CsvSource({
    "LARGEST_WINS, 70000 700 1 200",
    "SMALLEST_WINS, 99 9 1 200",
    "FAIL, 0 0 99 9 1 200",
  })
  void ofSeveralThatOfThePolicyCounts(DuplicatePolicy policy, String expected) {
    cells = new IntervalCells(IDS, policy);
    add(0, Stored.of(70_000), Stored.of(700), Stored.of(1), Stored.of(200));
    add(SUM, 0, Stored.of(99), 2);
    add(COUNT, 0, Stored.of(9), 2);
    assertThat(summed())
        .isEqualTo(Arrays.stream(expected.split(" ")).map(Double::valueOf).toList());
  }
}
