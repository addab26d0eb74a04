package org.hourstone.expression;

import java.util.List;
import java.util.Map;
import org.hourstone.StrictSubject;
import org.hourstone.TsdbOptions;
import org.hourstone.expression.Arguments.Word;
import org.hourstone.query.QueryDialect;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;
import org.jspecify.annotations.Nullable;

/**
 * How expressions are read and computed ({@code hourstone.strict=expressions}). See {@code
 * docs/expressions.md}.
 */
public enum ExpressionDialect {
  HOURSTONE(QueryDialect.HOURSTONE),
  OPENTSDB(QueryDialect.OPENTSDB) {
    /** OpenTSDB computes as an older interpreter does. */
    @Override
    DoubleArithmetic arithmetic() {
      return new OpenTsdbArithmetic();
    }

    /** OpenTSDB ignores text after the last parenthesis. */
    @Override
    boolean ignoresRest() {
      return true;
    }

    /** OpenTSDB keeps the quotes of factors and counts, and rejects them. */
    @Override
    boolean readsNumber(Word word) {
      return !word.quoted();
    }

    /** OpenTSDB requires quotes around the span of a moving average. */
    @Override
    boolean readsSpan(Word word) {
      return word.quoted();
    }

    /** OpenTSDB's shift always fails: it takes the quote for a part of the unit. */
    @Override
    void checkShift(Arguments call, Word span) {
      String message =
          span.quoted()
              ? "unknown time unit=" + Window.unit(span.text()) + "'"
              : "Invalid timeshift parameter: eg '10min'";
      throw call.wrong(span, message, message);
    }

    /** OpenTSDB drops the bits of a product beyond 64. */
    @Override
    boolean wrapsIntegers() {
      return true;
    }

    /** OpenTSDB takes the signs from the values of a series that it renames. */
    @Override
    void copyRenamed(ResultSeries series, SeriesBuilder to) {
      Absolute.copy(series, to, true);
    }

    /** OpenTSDB divides by 0 with the result 0. */
    @Override
    double quotient(double left, double right) {
      return right == 0 ? 0 : left / right;
    }

    /** OpenTSDB returns no tags if the first argument has no series. */
    @Override
    Map<String, String> tags(@Nullable ResultSeries first, ResultSeries present) {
      return first == null ? Map.of() : first.tags();
    }

    /** OpenTSDB returns no TSUIDs of joined series. */
    @Override
    boolean keepsTsuids() {
      return false;
    }

    /** OpenTSDB ranks series by their points' positions, whatever their times. */
    @Override
    double[] ranks(List<ResultSeries> series, boolean current, Evaluation evaluation) {
      HighestByPosition values = new HighestByPosition(series, evaluation);
      return current ? values.current() : values.maxima();
    }

    @Override
    TagJoin join(TagOrder order) {
      return new OpenTsdbTagJoin(order);
    }

    /** OpenTSDB uses 0 for a variable that has no series in a row, whatever its fill policy. */
    @Override
    boolean absentIsZero() {
      return true;
    }

    /** OpenTSDB shows 0 for missing values of metrics, whatever their fill policy. */
    @Override
    double shownFill(double fill) {
      return 0;
    }

    /** OpenTSDB restricts only its output to the range: some functions see whole hours. */
    @Override
    boolean readsWholeHours() {
      return true;
    }

    /** OpenTSDB reads it, and doesn't use it. */
    @Override
    public boolean fillsBuckets() {
      return false;
    }

    /** OpenTSDB reads those that it needs. */
    @Override
    boolean ignoresMoreWords() {
      return true;
    }

    /** OpenTSDB accepts GET for formulas. */
    @Override
    public boolean allowsGet() {
      return true;
    }

    @Override
    public boolean saysLessOfErrors() {
      return true;
    }

    /** OpenTSDB omits outputs that don't exist. */
    @Override
    public boolean allowsUnknownOutputs() {
      return true;
    }

    /** OpenTSDB shows 0 for a formula's last timestamp if it is the only one. */
    @Override
    public long lastTimestamp(ExpressionTable table, long last) {
      return table.isFormula() && table.rows() == 1 ? 0 : last;
    }
  };

  private final QueryDialect queries;

  ExpressionDialect(QueryDialect queries) {
    this.queries = queries;
  }

  /** By the settings. */
  public static ExpressionDialect of(TsdbOptions options) {
    return options.dialect(StrictSubject.EXPRESSIONS, HOURSTONE, OPENTSDB);
  }

  /** How the queries of expressions are read. */
  public QueryDialect queries() {
    return queries;
  }

  /** How formulas compute. */
  DoubleArithmetic arithmetic() {
    return new DoubleArithmetic();
  }

  /** Whether a call may be followed by other text. */
  boolean ignoresRest() {
    return false;
  }

  /** Whether an argument can be a number; its text is checked elsewhere. */
  boolean readsNumber(Word word) {
    return true;
  }

  /** Whether the argument of a moving average can be a time span; its text is checked elsewhere. */
  boolean readsSpan(Word word) {
    return true;
  }

  /**
   * @throws ExpressionException if series can't be shifted
   */
  void checkShift(Arguments call, Word span) {}

  /** Whether integers that do not fit in 64 bits become others, else decimals. */
  boolean wrapsIntegers() {
    return false;
  }

  /** Copies the values of a series that gets an alias. */
  void copyRenamed(ResultSeries series, SeriesBuilder to) {
    for (int i = 0; i < series.size(); i++) {
      to.add(series, i);
    }
  }

  /** The result of a division of values of series. */
  double quotient(double left, double right) {
    return left / right;
  }

  /**
   * The tags of a result of joined series.
   *
   * @param first the series of the first argument, if it has one
   * @param present the first series there is
   */
  Map<String, String> tags(@Nullable ResultSeries first, ResultSeries present) {
    return present.tags();
  }

  /** Whether results of joined series list the TSUIDs of those. */
  boolean keepsTsuids() {
    return true;
  }

  /**
   * The numbers by which the highest series are selected.
   *
   * @param current whether by their last values, otherwise by their maxima
   */
  double[] ranks(List<ResultSeries> series, boolean current, Evaluation evaluation) {
    return Highest.ranks(series, current);
  }

  /** How the columns of a formula's variables are joined. */
  TagJoin join(TagOrder order) {
    return new TagJoin(order);
  }

  /** Whether a variable without a column in a row is 0; otherwise its fill policy applies. */
  boolean absentIsZero() {
    return false;
  }

  /** The value shown for missing values of a metric. */
  double shownFill(double fill) {
    return fill;
  }

  /** Whether all points of the hours that overlap the range are read. */
  boolean readsWholeHours() {
    return false;
  }

  /** Whether the fill policy of a downsampler has an effect. */
  public boolean fillsBuckets() {
    return true;
  }

  /** Whether words that a function does not need have no effect, else they are refused. */
  boolean ignoresMoreWords() {
    return false;
  }

  /** Whether formulas may be requested by GET. */
  public boolean allowsGet() {
    return false;
  }

  /** Whether errors have OpenTSDB's status and message, which often says less. */
  public boolean saysLessOfErrors() {
    return false;
  }

  /** Whether a request may name an output that is neither a metric nor a formula. */
  public boolean allowsUnknownOutputs() {
    return false;
  }

  /** The last timestamp that is shown of a table. */
  public long lastTimestamp(ExpressionTable table, long last) {
    return last;
  }
}
