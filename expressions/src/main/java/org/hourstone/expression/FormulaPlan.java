package org.hourstone.expression;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.hourstone.expression.ExpressionQuery.Formula;
import org.hourstone.expression.ExpressionQuery.Metric;

/**
 * The formulas of a query, checked and ordered so that each follows those it uses.
 *
 * @param scripts by the formulas' names
 */
record FormulaPlan(List<Formula> order, Map<String, FormulaScript> scripts) {
  private static final int BAD_REQUEST = 400;
  private static final int SERVER_ERROR = 500;
  private static final int MAX_FORMULAS = 256;

  /**
   * @throws ExpressionException if names are not unique or unknown, a formula is malformed, or one
   *     uses itself
   */
  static FormulaPlan of(ExpressionQuery query, ExpressionDialect dialect) {
    if (query.formulas().size() > MAX_FORMULAS) {
      throw wrong(BAD_REQUEST, "more than " + MAX_FORMULAS + " expressions in one query");
    }
    Set<String> ids = new HashSet<>();
    for (Metric metric : query.metrics()) {
      if (!ids.add(metric.id())) {
        throw wrong(SERVER_ERROR, "duplicated metric id: " + metric.id());
      }
    }
    Map<String, Formula> formulas = new LinkedHashMap<>();
    for (Formula formula : query.formulas()) {
      if (!ids.add(formula.id())) {
        throw wrong(SERVER_ERROR, "Duplicated variable or expression id: " + formula.id());
      }
      formulas.put(formula.id(), formula);
    }
    Map<String, FormulaScript> scripts = new HashMap<>();
    for (Formula formula : query.formulas()) {
      scripts.put(formula.id(), script(formula, ids, dialect));
    }
    List<Formula> order = new ArrayList<>();
    Map<String, Boolean> placed = new HashMap<>();
    for (Formula formula : formulas.values()) {
      if (!placed.containsKey(formula.id())) {
        place(formula, formulas, scripts, placed, order);
      }
    }
    return new FormulaPlan(order, scripts);
  }

  private static FormulaScript script(Formula formula, Set<String> ids, ExpressionDialect dialect) {
    FormulaText text = FormulaText.of(formula.text(), dialect);
    FormulaScript script = FormulaScript.of(text, dialect);
    if (script.variables().isEmpty()) {
      throw new ExpressionException(
          "expression " + formula.id() + " has no variables: " + formula.text(),
          SERVER_ERROR,
          "The expression didn't appear to have any variables");
    }
    for (String variable : script.variables()) {
      if (!ids.contains(variable)) {
        throw new ExpressionException(
            "expression "
                + formula.id()
                + " uses '"
                + variable
                + "', which is neither a metric nor an expression: "
                + formula.text(),
            SERVER_ERROR,
            "Expression [" + formula.text() + "] was missing input " + variable);
      }
      if (variable.equals(formula.id())) {
        throw wrong(BAD_REQUEST, "Self referencing expression found: " + formula.id());
      }
    }
    return script;
  }

  /**
   * @param placed false while a formula's dependencies are being placed, true afterwards
   */
  private static void place(
      Formula formula,
      Map<String, Formula> formulas,
      Map<String, FormulaScript> scripts,
      Map<String, Boolean> placed,
      List<Formula> order) {
    placed.put(formula.id(), false);
    for (String variable : Objects.requireNonNull(scripts.get(formula.id())).variables()) {
      Formula used = formulas.get(variable);
      if (used != null && Boolean.FALSE.equals(placed.get(variable))) {
        throw wrong(BAD_REQUEST, "Circular reference found: " + formula.id());
      }
      if (used != null && !placed.containsKey(variable)) {
        place(used, formulas, scripts, placed, order);
      }
    }
    placed.put(formula.id(), true);
    order.add(formula);
  }

  private static ExpressionException wrong(int openTsdbStatus, String message) {
    return new ExpressionException(message, openTsdbStatus, message);
  }

  FormulaScript script(Formula formula) {
    return Objects.requireNonNull(scripts.get(formula.id()));
  }
}
