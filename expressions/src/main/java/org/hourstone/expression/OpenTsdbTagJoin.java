package org.hourstone.expression;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.hourstone.expression.ExpressionException.Kind;
import org.hourstone.expression.ExpressionQuery.Formula;
import org.hourstone.expression.ExpressionQuery.Join;
import org.hourstone.kv.Bytes;

/** Joins as OpenTSDB does, whose output depends on the order of hash tables. */
final class OpenTsdbTagJoin extends TagJoin {
  OpenTsdbTagJoin(TagOrder order) {
    super(order);
  }

  /** OpenTSDB uses the last one. */
  @Override
  void ambiguous(Formula formula, String id, Source.Column one, Source.Column other) {}

  /** OpenTSDB fails. */
  @Override
  void nothingInCommon(Formula formula) {
    throw new ExpressionException(
        formula.id() + ": no intersections found",
        Kind.REFUSED,
        "No intersections found: " + formula.id());
  }

  /** OpenTSDB shows the tags of the variable that is first in a hash table, if it has a series. */
  @Override
  Source.Column column(Tags tags, int[] row, List<String> ids, List<Source> variables) {
    int first = ids.indexOf(new HashSet<>(ids).iterator().next());
    Map<String, String> shown =
        row[first] < 0 ? Map.of() : variables.get(first).columns().get(row[first]).tags();
    return new Source.Column(
        tags.metrics(), tags.metrics(), shown, tags.aggregated(), tags.identity());
  }

  /** OpenTSDB orders by the shown tags of other formulas, and shows the first row's metrics. */
  @Override
  List<Row> ordered(List<Row> rows, List<Source> variables, Join join) {
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
