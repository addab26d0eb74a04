package org.hourstone.expression;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.hourstone.expression.ExpressionException.Kind;

/** The functions of series expressions by their names. */
final class Functions {
  private static final Map<String, Function<Arguments, SeriesFunction>> BY_NAME =
      Map.ofEntries(
          entry("absolute", arguments -> new Absolute(arguments.dialect().wrapsIntegers())),
          entry("alias", Alias::of),
          entry("diffSeries", arguments -> Arithmetic.of(arguments, Arithmetic.Operator.MINUS)),
          entry("difference", arguments -> Arithmetic.of(arguments, Arithmetic.Operator.MINUS)),
          entry("divide", arguments -> Arithmetic.of(arguments, Arithmetic.Operator.BY)),
          entry("divideSeries", arguments -> Arithmetic.of(arguments, Arithmetic.Operator.BY)),
          entry("firstDiff", arguments -> new FirstDifference()),
          entry("highestCurrent", arguments -> Highest.of(arguments, true)),
          entry("highestMax", arguments -> Highest.of(arguments, false)),
          entry("movingAverage", MovingAverage::of),
          entry("multiply", arguments -> Arithmetic.of(arguments, Arithmetic.Operator.TIMES)),
          entry("multiplySeries", arguments -> Arithmetic.of(arguments, Arithmetic.Operator.TIMES)),
          entry("scale", Scale::of),
          entry("shift", TimeShift::of),
          entry("sum", arguments -> Arithmetic.of(arguments, Arithmetic.Operator.PLUS)),
          entry("sumSeries", arguments -> Arithmetic.of(arguments, Arithmetic.Operator.PLUS)),
          entry("timeShift", TimeShift::of));

  /** Those that take one word; {@code alias} takes any, the others none. */
  private static final Set<String> OF_ONE_WORD =
      Set.of("highestCurrent", "highestMax", "movingAverage", "scale", "shift", "timeShift");

  private Functions() {}

  static Term call(Arguments arguments, List<Term> series) {
    String name = arguments.function();
    Function<Arguments, SeriesFunction> function = BY_NAME.get(name);
    if (function == null) {
      throw new ExpressionException(
          "no function '"
              + name
              + "' (known: "
              + String.join(", ", new TreeSet<>(BY_NAME.keySet()))
              + ")"
              + SeriesExpression.place(arguments.text(), arguments.position()),
          Kind.FAILED,
          "Function " + name + " has not been implemented");
    }
    SeriesFunction made = function.apply(arguments);
    if (series.isEmpty()) {
      throw arguments.wrong("Missing sub queries", "needs a query, such as sum:my.metric");
    }
    int most = name.equals("alias") ? Integer.MAX_VALUE : OF_ONE_WORD.contains(name) ? 1 : 0;
    if (arguments.words().size() > most && !arguments.dialect().ignoresMoreWords()) {
      Arguments.Word more = arguments.words().get(most);
      throw arguments.wrong(more, "", "'" + more.text() + "' is one argument too many");
    }
    return new Term.Call(made, series);
  }
}
