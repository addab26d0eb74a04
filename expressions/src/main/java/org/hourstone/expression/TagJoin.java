package org.hourstone.expression;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hourstone.expression.ExpressionQuery.Formula;
import org.hourstone.expression.ExpressionQuery.Join;
import org.hourstone.kv.Bytes;

/**
 * Finds the columns of a formula's variables that have the same tags. Rows are in the order of the
 * tags' UIDs.
 *
 * @param openTsdb whether tags and metrics in the output are OpenTSDB's
 */
record TagJoin(TagOrder order, boolean openTsdb) {
  private static final int BAD_REQUEST = 400;

  /**
   * Columns that belong together.
   *
   * @param columns the column's index for each variable, -1 if it has none
   */
  record Row(int[] columns, Source.Column column) {}

  /**
   * @param ids the variables' names
   */
  List<Row> rows(Formula formula, List<String> ids, List<Source> variables) {
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
        if (row[v] >= 0 && !openTsdb) { // which takes the last one
          throw ambiguous(formula, ids.get(v), columns.get(row[v]), column);
        }
        row[v] = c;
      }
    }
    if (formula.join().intersection()) {
      joined.values().removeIf(row -> Arrays.stream(row).anyMatch(c -> c < 0));
      if (joined.isEmpty() && openTsdb) {
        throw new ExpressionException(
            formula.id() + ": no intersections found",
            BAD_REQUEST,
            "No intersections found: " + formula.id());
      }
    }
    List<Row> rows = new ArrayList<>();
    joined.values().forEach(row -> rows.add(new Row(row, column(row, ids, variables))));
    return openTsdb ? asOpenTsdb(rows, variables, formula.join()) : rows;
  }

  private Bytes key(Source.Column column, Map<String, String> of, Source variable, Join join) {
    Map<String, String> tags = new LinkedHashMap<>(of);
    if (join.byQueryTags()) {
      tags.keySet().retainAll(variable.queryTags());
    }
    return order.key(tags, join.withAggregatedTags() ? column.aggregatedTags() : List.of());
  }

  private static ExpressionException ambiguous(
      Formula formula, String id, Source.Column one, Source.Column other) {
    String message =
        formula.id()
            + ": two series of "
            + id
            + ", "
            + one.identity()
            + " and "
            + other.identity()
            + ", have the same tags to join by";
    return new ExpressionException(message, BAD_REQUEST, message);
  }

  /** Tags that have one value wherever they occur stay; the others are aggregated. */
  private Source.Column column(int[] row, List<String> ids, List<Source> variables) {
    TreeSet<String> metrics = new TreeSet<>();
    Map<String, String> tags = new TreeMap<>();
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
                  String other = tags.putIfAbsent(tagk, tagv);
                  if (other != null && !other.equals(tagv)) {
                    aggregated.add(tagk);
                  }
                });
      }
    }
    Map<String, String> identity = new TreeMap<>(tags);
    tags.keySet().removeAll(aggregated);
    Map<String, String> shown = openTsdb ? shownByOpenTsdb(row, ids, variables) : tags;
    return new Source.Column(
        List.copyOf(metrics),
        List.copyOf(metrics),
        shown,
        List.copyOf(aggregated),
        openTsdb ? identity : tags);
  }

  /** Those of the variable that is first in a hash table, and none if it has no series. */
  private static Map<String, String> shownByOpenTsdb(
      int[] row, List<String> ids, List<Source> variables) {
    int first = ids.indexOf(new HashSet<>(ids).iterator().next());
    return row[first] < 0 ? Map.of() : variables.get(first).columns().get(row[first]).tags();
  }

  /** Ordered by what is shown of other formulas, and all with the metrics of the first row. */
  private List<Row> asOpenTsdb(List<Row> rows, List<Source> variables, Join join) {
    List<Row> sorted = new ArrayList<>(rows);
    sorted.sort(Comparator.comparing(row -> shownKey(row, variables, join)));
    return sorted.stream()
        .map(
            row ->
                new Row(
                    row.columns(),
                    new Source.Column(
                        row.column().metrics(),
                        sorted.get(0).column().metrics(),
                        row.column().tags(),
                        row.column().aggregatedTags(),
                        row.column().identity())))
        .toList();
  }

  private Bytes shownKey(Row row, List<Source> variables, Join join) {
    int first = 0;
    while (row.columns()[first] < 0) {
      first++;
    }
    Source.Column column = variables.get(first).columns().get(row.columns()[first]);
    return key(column, column.tags(), variables.get(first), join);
  }
}
