package org.hourstone.expression;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;

/** Evaluates expressions over the results of queries. Thread-safe. */
public final class ExpressionEngine {
  private final Tsdb db;
  private final TagOrder order;
  private final ExpressionDialect dialect;
  private final UnaryOperator<Query> change;

  private ExpressionEngine(Tsdb db, UnaryOperator<Query> change) {
    this.db = db;
    this.change = change;
    this.order = new TagOrder(db.uids());
    this.dialect = ExpressionDialect.of(db.engine().options());
  }

  /** Expressions over the queries of a database, by its settings. */
  public static ExpressionEngine of(Tsdb db) {
    return of(db, UnaryOperator.identity());
  }

  /**
   * As {@link #of(Tsdb)}, with changed queries.
   *
   * @param change makes the query that is executed of each, such as one in another time zone
   */
  public static ExpressionEngine of(Tsdb db, UnaryOperator<Query> change) {
    return new ExpressionEngine(db, change);
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
    RequestBudget budget = db.begin(expression::toString);
    try {
      SeriesCursor series =
          evaluate(List.of(expression), startMillis, endMillis, budget, budget::close);
      budget.pause();
      return series;
    } catch (RuntimeException | Error e) {
      budget.close();
      throw e;
    }
  }

  /**
   * As {@link #evaluate(SeriesExpression, long, long)}, as a part of a request.
   *
   * @return the results, one after the other; their memory is the request's
   */
  public SeriesCursor evaluate(
      List<SeriesExpression> expressions, long startMillis, long endMillis, RequestBudget budget) {
    return evaluate(expressions, startMillis, endMillis, budget, () -> {});
  }

  private SeriesCursor evaluate(
      List<SeriesExpression> expressions,
      long startMillis,
      long endMillis,
      RequestBudget budget,
      Runnable onClose) {
    QueryReads reads = reads(budget);
    Evaluation evaluation =
        new Evaluation(reads::read, new HashMap<>(), order, startMillis, endMillis, budget);
    List<ResultSeries> series =
        expressions.stream()
            .flatMap(expression -> evaluation.of(expression.root(), budget.memory()).stream())
            .map(evaluation::trimmed)
            .toList();
    return new ComputedSeries(series, reads.corruption(), budget, onClose);
  }

  private QueryReads reads(RequestBudget budget) {
    return new QueryReads(
        query -> db.query(change.apply(query), budget),
        dialect.readsWholeHours(),
        WorkMeter.within(budget));
  }

  /**
   * Evaluates formulas. All queries are read before this returns; it throws as they do.
   *
   * @param budget of the request, which the tables use, too
   * @return a table for each metric and formula, by their names
   * @throws ExpressionException if names or formulas are wrong, or series can't be joined
   */
  public Map<String, ExpressionTable> evaluate(ExpressionQuery query, RequestBudget budget) {
    FormulaPlan plan = FormulaPlan.of(query, dialect);
    WorkMeter work = WorkMeter.within(budget);
    QueryReads reads = reads(budget);
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
      tables.put(metric.id(), new ExpressionTable(source, false, work));
    }
    for (ExpressionQuery.Formula formula : plan.order()) {
      Source source = source(query, formula, plan.compiled(formula), sources, work);
      sources.put(formula.id(), source);
      tables.put(formula.id(), new ExpressionTable(source, true, work));
    }
    return tables;
  }

  private Source source(
      ExpressionQuery query,
      ExpressionQuery.Formula formula,
      CompiledFormula compiled,
      Map<String, Source> sources,
      WorkMeter work) {
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
        dialect.absentIsZero(),
        work);
  }
}
