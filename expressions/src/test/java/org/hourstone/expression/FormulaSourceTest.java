package org.hourstone.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.hourstone.query.SeriesBuilder;
import org.junit.jupiter.api.Test;

class FormulaSourceTest {
  private static final int POINTS = 5000;

  /** A request that may have some values, and pass some checks. */
  private static final class Limited implements WorkMeter {
    private long valuesLeft;
    private long checksLeft;
    private long held;

    Limited(long values, long checks) {
      this.valuesLeft = values;
      this.checksLeft = checks;
    }

    @Override
    public void values(long more) {
      valuesLeft -= more;
      if (valuesLeft < 0) {
        throw new IllegalStateException("too many values");
      }
    }

    @Override
    public void hold(long bytes) {
      held += bytes;
    }

    @Override
    public void check() {
      if (checksLeft-- == 0) {
        throw new CancellationException();
      }
    }
  }

  private int evaluations;

  private static Source metric() {
    SeriesBuilder series = new SeriesBuilder("m", Map.of(), List.of(), List.of());
    for (int i = 0; i < POINTS; i++) {
      series.addLong(i, 7);
    }
    return new MetricSource(List.of(series.build()), Set.of(), 0, 0);
  }

  /** Adds 1 to a source. */
  private Source plusOne(Source of, WorkMeter work) {
    return new FormulaSource(
        new CompiledFormula(
            List.of("x"),
            values -> {
              evaluations++;
              return values[0] + 1;
            }),
        List.of(of),
        List.of(new TagJoin.Row(new int[] {0}, of.columns().get(0))),
        0,
        Long.MAX_VALUE,
        0,
        Double.NaN,
        false,
        work);
  }

  private List<ExpressionTable> chain(int formulas, WorkMeter work) {
    List<ExpressionTable> tables = new ArrayList<>();
    Source last = metric();
    for (int i = 0; i < formulas; i++) {
      last = plusOne(last, work);
      tables.add(new ExpressionTable(last, true, work));
    }
    return tables;
  }

  @Test
  void everyFormulaOfAChainIsComputedOnce() {
    Limited work = new Limited(Long.MAX_VALUE, Long.MAX_VALUE);
    List<ExpressionTable> tables = chain(256, work);
    for (int repeated = 0; repeated < 2; repeated++) {
      for (int i = 0; i < tables.size(); i++) {
        List<Double> values = new ArrayList<>();
        tables.get(i).open().forEach((millis, row) -> values.add(row[0]));
        assertThat(values).hasSize(POINTS).containsOnly(8.0 + i);
      }
    }
    assertThat(evaluations).isEqualTo(256 * POINTS);
    assertThat(work.held).isEqualTo(256L * POINTS * Double.BYTES);
  }

  @Test
  void allTablesCountTogether() {
    List<ExpressionTable> tables = chain(3, new Limited(3 * POINTS, Long.MAX_VALUE));
    tables.forEach(ExpressionTable::open);
    assertThatThrownBy(() -> tables.get(0).open()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nothingIsComputedOfAFormulaThatHasTooManyValues() {
    List<ExpressionTable> tables = chain(1, new Limited(POINTS - 1, Long.MAX_VALUE));
    assertThatThrownBy(() -> tables.get(0).open()).isInstanceOf(IllegalStateException.class);
    assertThat(evaluations).isZero();
  }

  @Test
  void computingAndReadingCanBeCancelled() {
    ExpressionTable computed = chain(1, new Limited(Long.MAX_VALUE, 2)).get(0);
    assertThatThrownBy(computed::open).isInstanceOf(CancellationException.class);
    assertThat(evaluations).isBetween(1, POINTS - 1);

    ExpressionTable.Rows read = chain(1, new Limited(Long.MAX_VALUE, 7)).get(0).open();
    List<Double> values = new ArrayList<>();
    assertThatThrownBy(() -> read.forEach((millis, row) -> values.add(row[0])))
        .isInstanceOf(CancellationException.class);
    assertThat(values).hasSizeBetween(1, POINTS - 1);
  }
}
