package org.hourstone.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The results of a formula: a column for each row of its join, at the timestamps of the joined
 * series' values. All are computed, once, when the first is requested: formulas in a chain cost as
 * much as separate ones.
 */
final class FormulaSource implements Source {
  private static final int VALUES_PER_CHECK = 1024;

  private final CompiledFormula formula;
  private final List<Source> variables;
  private final List<TagJoin.Row> rows;
  private final double fillOfMissing;
  private final double fillOfNan;
  private final boolean absentIsZero;
  private final long[] times;
  private final List<Column> columns;
  private final WorkMeter work;

  /** By column and row; null until they are computed. */
  private double @Nullable [][] results;

  /**
   * @param variables in the order of the formula's
   * @param rows the columns that belong together
   * @param absentIsZero whether a variable without a column in a row is 0
   */
  FormulaSource(
      CompiledFormula formula,
      List<Source> variables,
      List<TagJoin.Row> rows,
      long start,
      long end,
      double fillOfMissing,
      double fillOfNan,
      boolean absentIsZero,
      WorkMeter work) {
    this.formula = formula;
    this.variables = variables;
    this.rows = rows;
    this.fillOfMissing = fillOfMissing;
    this.fillOfNan = fillOfNan;
    this.absentIsZero = absentIsZero;
    this.work = work;
    this.columns = rows.stream().map(TagJoin.Row::column).toList();
    List<long[]> joined = new ArrayList<>();
    for (TagJoin.Row row : rows) {
      for (int v = 0; v < variables.size(); v++) {
        if (row.columns()[v] >= 0) {
          joined.add(variables.get(v).times(row.columns()[v]));
        }
      }
    }
    this.times = Instants.within(Instants.unionOf(joined), start, end);
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public Set<String> queryTags() {
    Set<String> tags = new TreeSet<>();
    variables.forEach(variable -> tags.addAll(variable.queryTags()));
    return tags;
  }

  @Override
  public long[] times() {
    return times;
  }

  @Override
  public long[] times(int column) {
    return times;
  }

  @Override
  public Values values(int column) {
    double[] values = results()[column];
    return new Values(times.length, i -> times[i], i -> values[i]);
  }

  private double[][] results() {
    double[][] computed = results;
    if (computed == null) {
      long values = (long) rows.size() * times.length;
      work.values(values);
      work.hold(Double.BYTES * values);
      computed = rows.stream().map(this::compute).toArray(double[][]::new);
      results = computed;
    }
    return computed;
  }

  private double[] compute(TagJoin.Row row) {
    double[] operands = new double[variables.size()];
    List<@Nullable Values> inputs = new ArrayList<>();
    for (int v = 0; v < operands.length; v++) {
      int column = row.columns()[v];
      inputs.add(column < 0 ? null : variables.get(v).values(column));
    }
    double[] values = new double[times.length];
    for (int i = 0; i < values.length; i++) {
      if (i % VALUES_PER_CHECK == 0) {
        work.check();
      }
      for (int v = 0; v < operands.length; v++) {
        operands[v] = operand(variables.get(v), inputs.get(v), times[i]);
      }
      values[i] = formula.result().applyAsDouble(operands);
    }
    return values;
  }

  private double operand(Source variable, @Nullable Values input, long millis) {
    if (input == null && absentIsZero) {
      return 0;
    }
    if (input == null || !input.moveTo(millis)) {
      return variable.fillOfMissing();
    }
    double value = input.value();
    return Double.isNaN(value) ? variable.fillOfNan() : value;
  }

  @Override
  public double shown(Values column, long millis) {
    return column.moveTo(millis) ? column.value() : Double.NaN;
  }

  @Override
  public double fillOfMissing() {
    return fillOfMissing;
  }

  @Override
  public double fillOfNan() {
    return fillOfNan;
  }
}
