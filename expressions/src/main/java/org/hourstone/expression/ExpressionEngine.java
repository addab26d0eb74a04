package org.hourstone.expression;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.uid.UidTable;

/** Evaluates expressions over the results of queries. Thread-safe. */
public final class ExpressionEngine {
  private final Function<Query, SeriesCursor> queries;
  private final TagOrder order;
  private final ExpressionDialect dialect;
  private final long maxValues;

  /**
   * @param queries executes a query
   * @param dialect how expressions are read and computed
   * @param maxValues how many values a table may have, 0 for any number
   */
  public ExpressionEngine(
      Function<Query, SeriesCursor> queries,
      UidTable uids,
      ExpressionDialect dialect,
      long maxValues) {
    this.queries = queries;
    this.order = new TagOrder(uids);
    this.dialect = dialect;
    this.maxValues = maxValues;
  }

  /** Expressions over the queries of a database, by its settings. */
  public static ExpressionEngine of(Tsdb db) {
    TsdbOptions options = db.engine().options();
    return new ExpressionEngine(
        db::query,
        db.uids(),
        ExpressionDialect.of(options),
        options.get(Settings.EXPRESSION_MAX_VALUES));
  }

  /** How expressions are read and computed. */
  public ExpressionDialect dialect() {
    return dialect;
  }

  /**
   * Evaluates functions of queries, such as {@code scale(sum:sys.cpu.user{host=*},2)}. Throws as
   * the queries in it do.
   *
   * @param start first timestamp, inclusive
   * @param end last timestamp, inclusive
   * @throws ExpressionException if the expression is invalid, or series can't be joined
   */
  public SeriesCursor evaluate(String expression, Instant start, Instant end) {
    return evaluate(
        SeriesExpression.parse(expression, dialect), start.toEpochMilli(), end.toEpochMilli());
  }

  /**
   * Evaluates a series expression. Throws as the queries in it do.
   *
   * @param startMillis first timestamp, inclusive, in milliseconds since the epoch
   * @param endMillis last timestamp, inclusive
   * @return the results, computed so far
   * @throws ExpressionException if series can't be joined
   */
  public SeriesCursor evaluate(SeriesExpression expression, long startMillis, long endMillis) {
    QueryReads reads = new QueryReads(queries, dialect.readsWholeHours(), maxValues);
    Evaluation evaluation =
        new Evaluation(reads::read, new HashMap<>(), order, startMillis, endMillis);
    List<ResultSeries> series =
        evaluation.of(expression.root()).stream().map(evaluation::trimmed).toList();
    return new ComputedSeries(series, reads.damage(), reads.used());
  }

  /**
   * Evaluates formulas. All queries are started before this returns; it throws as they do.
   *
   * @return a table for each metric and formula, by their names
   * @throws ExpressionException if names or formulas are wrong, or series can't be joined
   */
  public Map<String, ExpressionTable> evaluate(ExpressionQuery query) {
    FormulaPlan plan = FormulaPlan.of(query, dialect);
    QueryReads reads = new QueryReads(queries, dialect.readsWholeHours(), maxValues);
    Map<String, Source> sources = new HashMap<>();
    Map<String, ExpressionTable> tables = new HashMap<>();
    for (ExpressionQuery.Metric metric : query.metrics()) {
      Query ranged = metric.query().betweenMillis(query.startMillis(), query.endMillis());
      Source source =
          new MetricSource(
              reads.read(ranged),
              metric.queryTags(),
              metric.fill(),
              dialect.shownFill(metric.fill()));
      sources.put(metric.id(), source);
      tables.put(metric.id(), new ExpressionTable(source, false, maxValues));
    }
    for (ExpressionQuery.Formula formula : plan.order()) {
      Source source = source(query, formula, plan.compiled(formula), sources);
      sources.put(formula.id(), source);
      tables.put(formula.id(), new ExpressionTable(source, true, maxValues));
    }
    return tables;
  }

  private Source source(
      ExpressionQuery query,
      ExpressionQuery.Formula formula,
      CompiledFormula compiled,
      Map<String, Source> sources) {
    List<Source> variables = new ArrayList<>();
    for (String id : compiled.variables()) {
      variables.add(Objects.requireNonNull(sources.get(id), id));
    }
    Double fill = formula.fill();
    return new FormulaSource(
        compiled,
        variables,
        dialect.join(order).rows(formula, compiled.variables(), variables),
        query.startMillis(),
        query.endMillis(),
        fill == null ? 0 : fill,
        fill == null ? Double.NaN : fill,
        dialect.absentIsZero());
  }
}
