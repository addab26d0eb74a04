package org.hourstone.expression;

import static org.hourstone.expression.DoubleArithmetic.isTrue;

import java.util.List;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.hourstone.expression.FormulaText.Word;

/** Reads a formula by the precedence of its operators. For one thread. */
final class FormulaParser {
  /** A part of a formula, ready to be computed from the values of its variables. */
  interface Part {
    Object of(double[] values);
  }

  private static final Set<String> EQUALITY = Set.of("==", "!=");
  private static final Set<String> ORDER = Set.of("<", "<=", ">", ">=");

  /** The binary operators; those that are applied last come first. */
  private static final List<Set<String>> LEVELS =
      List.of(Set.of("||"), Set.of("&&"), EQUALITY, ORDER, Set.of("+", "-"), Set.of("*", "/", "%"));

  private final FormulaText formula;
  private final DoubleArithmetic arithmetic;
  private int next;

  private FormulaParser(FormulaText formula, DoubleArithmetic arithmetic) {
    this.formula = formula;
    this.arithmetic = arithmetic;
  }

  /**
   * @throws ExpressionException if the formula is malformed; the message has the place
   */
  static Part parse(FormulaText formula, DoubleArithmetic arithmetic) {
    FormulaParser parser = new FormulaParser(formula, arithmetic);
    Part whole = parser.choice();
    if (parser.next < formula.words().size()) {
      throw formula.misplaced(parser.next);
    }
    return whole;
  }

  private Part choice() {
    Part condition = operation(0);
    if (skip("?")) {
      Part one = choice();
      require(":");
      Part other = choice();
      return values -> (isTrue(condition.of(values)) ? one : other).of(values);
    }
    if (skip("?:")) {
      Part other = choice();
      return values -> {
        Object first = condition.of(values);
        return isTrue(first) ? first : other.of(values);
      };
    }
    return condition;
  }

  private Part operation(int level) {
    if (level == LEVELS.size()) {
      return operand();
    }
    Set<String> operators = LEVELS.get(level);
    Part left = operation(level + 1);
    while (next < formula.words().size() && operators.stream().anyMatch(word()::isOperator)) {
      String symbol = formula.words().get(next++).text();
      left = operation(symbol, left, operation(level + 1));
      if (operators == EQUALITY || operators == ORDER) {
        break; // a < b < c has no meaning
      }
    }
    return left;
  }

  private Part operation(String symbol, Part left, Part right) {
    if (symbol.equals("&&")) {
      return values -> isTrue(left.of(values)) && isTrue(right.of(values));
    }
    if (symbol.equals("||")) {
      return values -> isTrue(left.of(values)) || isTrue(right.of(values));
    }
    BinaryOperator<Object> operation = arithmetic.operation(symbol);
    return values -> operation.apply(left.of(values), right.of(values));
  }

  private Part operand() {
    if (skip("-")) {
      Part positive = operand();
      return values -> arithmetic.negated(positive.of(values));
    }
    if (skip("+")) {
      return operand();
    }
    if (skip("!")) {
      Part operand = operand();
      return values -> !isTrue(operand.of(values));
    }
    if (skip("(")) {
      Part inner = choice();
      require(")");
      return inner;
    }
    Word word = word();
    next++;
    return switch (word.kind()) {
      case NUMBER -> {
        if (!arithmetic.takes(word.text())) {
          throw formula.unheld(next - 1);
        }
        yield constant(arithmetic.number(word.text()));
      }
      case TRUTH -> constant(Boolean.valueOf(word.text()));
      case VARIABLE -> {
        int index = formula.variables().indexOf(word.text());
        yield values -> values[index];
      }
      case OPERATOR -> throw formula.misplaced(next - 1);
    };
  }

  private static Part constant(Object value) {
    return values -> value;
  }

  private Word word() {
    if (next == formula.words().size()) {
      throw formula.misplaced(next);
    }
    return formula.words().get(next);
  }

  private boolean skip(String symbol) {
    boolean skipped = next < formula.words().size() && word().isOperator(symbol);
    next += skipped ? 1 : 0;
    return skipped;
  }

  private void require(String symbol) {
    if (!skip(symbol)) {
      throw formula.misplaced(next);
    }
  }
}
