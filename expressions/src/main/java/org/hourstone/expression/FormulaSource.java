package org.hourstone.expression;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The results of a formula: a column for each row of its join, at the timestamps of the joined
 * series' values.
 */
final class FormulaSource implements Source {
  private final CompiledFormula formula;
  private final List<Source> variables;
  private final List<TagJoin.Row> rows;
  private final double fillOfMissing;
  private final double fillOfNan;
  private final boolean absentIsZero;
  private final long[] times;
  private final List<Column> columns;

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
      boolean absentIsZero) {
    this.formula = formula;
    this.variables = variables;
    this.rows = rows;
    this.fillOfMissing = fillOfMissing;
    this.fillOfNan = fillOfNan;
    this.absentIsZero = absentIsZero;
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
  public Values open(Pass pass) {
    List<Values> inputs = variables.stream().map(pass::values).toList();
    return new Computed(inputs);
  }

  /** Computes a value when it is first requested at a timestamp. */
  private final class Computed implements Values {
    private final List<Values> inputs;
    private final double[] operands;
    private final double[] results = new double[rows.size()];
    private final long[] computedAt = new long[rows.size()];
    private int next;

    Computed(List<Values> inputs) {
      this.inputs = inputs;
      this.operands = new double[inputs.size()];
      Arrays.fill(computedAt, Long.MIN_VALUE);
    }

    @Override
    public boolean moveTo(int column, long millis) {
      while (next < times.length && times[next] < millis) {
        next++;
      }
      if (next == times.length || times[next] != millis) {
        return false;
      }
      if (computedAt[column] != millis) {
        computedAt[column] = millis;
        results[column] = compute(rows.get(column), millis);
      }
      return true;
    }

    private double compute(TagJoin.Row row, long millis) {
      for (int v = 0; v < operands.length; v++) {
        operands[v] = operand(v, row.columns()[v], millis);
      }
      return formula.result().applyAsDouble(operands);
    }

    private double operand(int v, int column, long millis) {
      Source variable = variables.get(v);
      if (column < 0 && absentIsZero) {
        return 0;
      }
      if (column < 0 || !inputs.get(v).moveTo(column, millis)) {
        return variable.fillOfMissing();
      }
      double value = inputs.get(v).value(column);
      return Double.isNaN(value) ? variable.fillOfNan() : value;
    }

    @Override
    public double value(int column) {
      return results[column];
    }
  }

  @Override
  public double shown(Values values, int column, long millis) {
    return values.moveTo(column, millis) ? values.value(column) : Double.NaN;
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
