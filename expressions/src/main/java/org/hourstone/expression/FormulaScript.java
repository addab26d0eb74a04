package org.hourstone.expression;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.jexl3.JexlArithmetic;
import org.apache.commons.jexl3.JexlBuilder;
import org.apache.commons.jexl3.JexlContext;
import org.apache.commons.jexl3.JexlEngine;
import org.apache.commons.jexl3.JexlException;
import org.apache.commons.jexl3.JexlExpression;
import org.apache.commons.jexl3.JexlFeatures;
import org.apache.commons.jexl3.introspection.JexlPermissions;

/**
 * A formula ready to be computed, by Apache Commons JEXL. Two barriers restrict formulas to
 * numbers: {@link FormulaText} rejects all other words, and the engine has neither features nor
 * permissions. Not thread-safe.
 */
final class FormulaScript {
  private static final int BAD_REQUEST = 400;

  private static final Map<ExpressionDialect, JexlEngine> ENGINES =
      Stream.of(ExpressionDialect.values())
          .collect(Collectors.toMap(dialect -> dialect, dialect -> engine(dialect.arithmetic())));

  private final FormulaText formula;
  private final JexlExpression expression;
  private final ExpressionDialect dialect;
  private final Operands operands = new Operands();

  private FormulaScript(FormulaText formula, JexlExpression expression, ExpressionDialect dialect) {
    this.formula = formula;
    this.expression = expression;
    this.dialect = dialect;
  }

  private static JexlEngine engine(JexlArithmetic arithmetic) {
    return new JexlBuilder()
        .features(JexlFeatures.createNone().comparatorNames(true))
        .permissions(JexlPermissions.NONE)
        .arithmetic(arithmetic)
        .strict(arithmetic.isStrict())
        .booleanLogical(true)
        .safe(false)
        .silent(false)
        .antish(false)
        .cache(0)
        .create();
  }

  /**
   * @throws ExpressionException if the formula is malformed, saying where
   */
  static FormulaScript of(FormulaText formula, ExpressionDialect dialect) {
    JexlEngine engine = Objects.requireNonNull(ENGINES.get(dialect));
    try {
      return new FormulaScript(formula, engine.createExpression(formula.normal()), dialect);
    } catch (JexlException e) {
      throw formula.malformed(e.getInfo() == null ? 1 : e.getInfo().getColumn());
    }
  }

  List<String> variables() {
    return formula.variables();
  }

  /**
   * The result; 1 for true and 0 for false.
   *
   * @param values of the variables in their order
   */
  double evaluate(double[] values) {
    operands.values = values;
    Object result;
    try {
      result = expression.evaluate(operands);
    } catch (JexlException e) {
      throw failed(String.valueOf(e.getMessage()));
    }
    if (result instanceof Boolean truth) {
      return truth ? 1 : 0;
    }
    if (result instanceof Number number && dialect.isResult(number)) {
      return number.doubleValue();
    }
    throw failed(
        "Expression returned a result of type: "
            + (result == null ? "null" : result.getClass().getName()));
  }

  private ExpressionException failed(String message) {
    return new ExpressionException(formula.text() + ": " + message, BAD_REQUEST, message);
  }

  /** The variables' values; a formula can access nothing else. */
  private static final class Operands implements JexlContext {
    private double[] values = {};

    @Override
    public Object get(String name) {
      return values[Integer.parseInt(name, 1, name.length(), 10)];
    }

    @Override
    public boolean has(String name) {
      return true;
    }

    @Override
    public void set(String name, Object value) {
      throw new UnsupportedOperationException("formulas assign nothing");
    }
  }
}
