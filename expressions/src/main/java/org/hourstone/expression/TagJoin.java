package org.hourstone.expression;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hourstone.expression.ExpressionException.Kind;
import org.hourstone.expression.ExpressionQuery.Formula;
import org.hourstone.expression.ExpressionQuery.Join;
import org.hourstone.kv.Bytes;

/**
 * Finds the columns of a formula's variables that have the same tags. Rows are in the order of the
 * tags' UIDs.
 */
class TagJoin {
  private final TagOrder order;

  TagJoin(TagOrder order) {
    this.order = order;
  }

  /**
   * Columns that belong together.
   *
   * @param columns the column's index for each variable, -1 if it has none
   */
  record Row(int[] columns, Source.Column column) {}

  /**
   * Describes a row.
   *
   * @param metrics of its columns
   * @param identity the tags of its columns; the first value of those that have several
   * @param common the tags that have one value wherever they occur
   * @param aggregated the other tags
   */
  record Tags(
      List<String> metrics,
      Map<String, String> identity,
      Map<String, String> common,
      List<String> aggregated) {}

  /**
   * @param ids the variables' names
   */
  final List<Row> rows(Formula formula, List<String> ids, List<Source> variables) {
    TreeMap<Bytes, int[]> joined = new TreeMap<>();
    for (int v = 0; v < variables.size(); v++) {
      List<Source.Column> columns = variables.get(v).columns();
      for (int c = 0; c < columns.size(); c++) {
        Source.Column column = columns.get(c);
        Bytes key = key(column, column.identity(), variables.get(v), formula.join());
        int[] row = joined.get(key);
        if (row == null) {
          row = new int[variables.size()];
          Arrays.fill(row, -1);
          joined.put(key, row);
        }
        if (row[v] >= 0) {
          ambiguous(formula, ids.get(v), columns.get(row[v]), column);
        }
        row[v] = c;
      }
    }
    if (formula.join().intersection()) {
      joined.values().removeIf(row -> Arrays.stream(row).anyMatch(c -> c < 0));
      if (joined.isEmpty()) {
        nothingInCommon(formula);
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int[] row : joined.values()) {
      rows.add(new Row(row, column(tags(row, variables), row, ids, variables)));
    }
    return ordered(rows, variables, formula.join());
  }

  final Bytes key(Source.Column column, Map<String, String> of, Source variable, Join join) {
    Map<String, String> tags = new LinkedHashMap<>(of);
    if (join.byQueryTags()) {
      tags.keySet().retainAll(variable.queryTags());
    }
    return order.key(tags, join.withAggregatedTags() ? column.aggregatedTags() : List.of());
  }

  private static Tags tags(int[] row, List<Source> variables) {
    TreeSet<String> metrics = new TreeSet<>();
    Map<String, String> identity = new TreeMap<>();
    Set<String> aggregated = new LinkedHashSet<>();
    for (int v = 0; v < row.length; v++) {
      if (row[v] >= 0) {
        Source.Column column = variables.get(v).columns().get(row[v]);
        metrics.addAll(column.metrics());
        aggregated.addAll(column.aggregatedTags());
        column
            .identity()
            .forEach(
                (tagk, tagv) -> {
                  String other = identity.putIfAbsent(tagk, tagv);
                  if (other != null && !other.equals(tagv)) {
                    aggregated.add(tagk);
                  }
                });
      }
    }
    Map<String, String> common = new TreeMap<>(identity);
    common.keySet().removeAll(aggregated);
    return new Tags(List.copyOf(metrics), identity, common, List.copyOf(aggregated));
  }

  /**
   * Two columns of a variable have the same tags.
   *
   * @throws ExpressionException if that is an error
   */
  void ambiguous(Formula formula, String id, Source.Column one, Source.Column other) {
    String message =
        formula.id()
            + ": two series of "
            + id
            + ", "
            + one.identity()
            + " and "
            + other.identity()
            + ", have the same tags to join by";
    throw new ExpressionException(message, Kind.REFUSED, message);
  }

  /**
   * No tags are those of a column of every variable.
   *
   * @throws ExpressionException if that is an error
   */
  void nothingInCommon(Formula formula) {}

  /** The column of a formula for a row. */
  Source.Column column(Tags tags, int[] row, List<String> ids, List<Source> variables) {
    return new Source.Column(
        tags.metrics(), tags.metrics(), tags.common(), tags.aggregated(), tags.common());
  }

  /** The rows in the order in which they are returned. */
  List<Row> ordered(List<Row> rows, List<Source> variables, Join join) {
    return rows;
  }
}
