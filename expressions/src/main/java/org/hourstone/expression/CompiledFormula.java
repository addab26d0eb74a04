package org.hourstone.expression;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A formula ready to be computed. Immutable.
 *
 * @param variables the names of its variables
 * @param result computes it from their values, in the same order; 1 is true and 0 is false. It
 *     throws an {@link ExpressionException} if the result is not a number
 */
record CompiledFormula(List<String> variables, ToDoubleFunction<double[]> result) {
  /**
   * @throws ExpressionException if the formula is malformed; the message has the place
   */
  static CompiledFormula of(String text, ExpressionDialect dialect) {
    FormulaText formula = FormulaText.of(text);
    DoubleArithmetic arithmetic = dialect.arithmetic();
    FormulaParser.Part whole = FormulaParser.parse(formula, arithmetic);
    return new CompiledFormula(
        formula.variables(), values -> arithmetic.result(whole.of(values), formula));
  }
}
