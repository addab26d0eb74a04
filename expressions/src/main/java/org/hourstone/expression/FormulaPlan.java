package org.hourstone.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.hourstone.expression.ExpressionException.Kind;
import org.hourstone.expression.ExpressionQuery.Formula;
import org.hourstone.expression.ExpressionQuery.Metric;

/**
 * The formulas of a query, checked and ordered so that each follows those it uses.
 *
 * @param compiled by the formulas' names
 */
record FormulaPlan(List<Formula> order, Map<String, CompiledFormula> compiled) {
  private static final int MAX_FORMULAS = 256;

  /**
   * @throws ExpressionException if names are not unique or unknown, a formula is malformed, or one
   *     uses itself
   */
  static FormulaPlan of(ExpressionQuery query, ExpressionDialect dialect) {
    if (query.formulas().size() > MAX_FORMULAS) {
      throw wrong(Kind.REFUSED, "more than " + MAX_FORMULAS + " expressions in one query");
    }
    Set<String> ids = new HashSet<>();
    for (Metric metric : query.metrics()) {
      if (!ids.add(metric.id())) {
        throw wrong(Kind.FAILED, "duplicated metric id: " + metric.id());
      }
    }
    Map<String, Formula> formulas = new LinkedHashMap<>();
    for (Formula formula : query.formulas()) {
      if (!ids.add(formula.id())) {
        throw wrong(Kind.FAILED, "Duplicated variable or expression id: " + formula.id());
      }
      formulas.put(formula.id(), formula);
    }
    Map<String, CompiledFormula> compiled = new HashMap<>();
    for (Formula formula : query.formulas()) {
      compiled.put(formula.id(), compiled(formula, ids, dialect));
    }
    List<Formula> order = new ArrayList<>();
    Map<String, Boolean> placed = new HashMap<>();
    for (Formula formula : formulas.values()) {
      if (!placed.containsKey(formula.id())) {
        place(formula, formulas, compiled, placed, order);
      }
    }
    return new FormulaPlan(order, compiled);
  }

  private static CompiledFormula compiled(
      Formula formula, Set<String> ids, ExpressionDialect dialect) {
    CompiledFormula compiled = CompiledFormula.of(formula.text(), dialect);
    if (compiled.variables().isEmpty()) {
      throw new ExpressionException(
          "expression " + formula.id() + " has no variables: " + formula.text(),
          Kind.FAILED,
          "The expression didn't appear to have any variables");
    }
    for (String variable : compiled.variables()) {
      if (!ids.contains(variable)) {
        throw new ExpressionException(
            "expression "
                + formula.id()
                + " uses '"
                + variable
                + "', which is neither a metric nor an expression: "
                + formula.text(),
            Kind.FAILED,
            "Expression [" + formula.text() + "] was missing input " + variable);
      }
      if (variable.equals(formula.id())) {
        throw wrong(Kind.REFUSED, "Self referencing expression found: " + formula.id());
      }
    }
    return compiled;
  }

  /**
   * @param placed false while a formula's dependencies are being placed, true afterwards
   */
  private static void place(
      Formula formula,
      Map<String, Formula> formulas,
      Map<String, CompiledFormula> compiled,
      Map<String, Boolean> placed,
      List<Formula> order) {
    placed.put(formula.id(), false);
    for (String variable : Objects.requireNonNull(compiled.get(formula.id())).variables()) {
      Formula used = formulas.get(variable);
      if (used != null && Boolean.FALSE.equals(placed.get(variable))) {
        throw wrong(Kind.REFUSED, "Circular reference found: " + formula.id());
      }
      if (used != null && !placed.containsKey(variable)) {
        place(used, formulas, compiled, placed, order);
      }
    }
    placed.put(formula.id(), true);
    order.add(formula);
  }

  private static ExpressionException wrong(Kind kind, String message) {
    return new ExpressionException(message, kind, message);
  }

  CompiledFormula compiled(Formula formula) {
    return Objects.requireNonNull(compiled.get(formula.id()));
  }
}
