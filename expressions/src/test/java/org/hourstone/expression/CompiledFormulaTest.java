package org.hourstone.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompiledFormulaTest {
  private static final Map<String, Double> VALUES =
      Map.of(
          "a", -7.0,
          "b", 3.0,
          "z", 0.0,
          "nan", Double.NaN,
          "inf", Double.POSITIVE_INFINITY,
          "size", 11.0,
          "1a", 13.0,
          "new", 17.0);

  private static Double evaluate(String formula, ExpressionDialect dialect) {
    CompiledFormula compiled = CompiledFormula.of(formula, dialect);
    return compiled
        .result()
        .applyAsDouble(compiled.variables().stream().mapToDouble(VALUES::get).toArray());
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      value = {
        "a + b | -4.0",
        "a - -b | -4.0",
        "a--b | -4.0",
        "a * b + 2 | -19.0",
        "a * (b + 2) | -35.0",
        "-a % b | 1.0",
        "a div b | -2.3333333333333335",
        "a mod b | -1.0",
        "1/2*a | -3.5",
        "010 + a | 3.0",
        "1e3 * b | 3000.0",
        ".5 * b | 1.5",
        "9223372036854775807 + 1 + z | 9.223372036854776E18",
        "a / z | -Infinity",
        "b / z | Infinity",
        "z / z | NaN",
        "a % z | NaN",
        "nan + 1 | NaN",
        "inf - inf | NaN",
        "a < b | 1.0",
        "a lt b and b le 3 | 1.0",
        "a > b || b > a | 1.0",
        "not a | 0.0",
        "!z | 1.0",
        "!nan | 1.0",
        "a and b | 1.0",
        "nan == nan | 0.0",
        "nan != nan | 1.0",
        "nan < 1 | 0.0",
        "nan >= 1 | 0.0",
        "inf > a | 1.0",
        "a == -7 | 1.0",
        "a > b ? 1 : 2 | 2.0",
        "a > b ? a : b | 3.0",
        "nan ? 1 : 2 | 2.0",
        "(a > b) + 1 | 1.0",
        "(a < b) * 5 | 5.0",
        "true ? a : b | -7.0",
        "z ?: b | 3.0",
        "size + new | 28.0",
        "1a * 2 | 26.0"
      })
  void formulasAreComputedInDoubles(String formula, double result) {
    assertThat(evaluate(formula, ExpressionDialect.HOURSTONE)).isEqualTo(Double.valueOf(result));
  }

  /** What JEXL 2.1.1 gave for these, where it gave a double or a truth value. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      value = {
        "a/z | 0.0",
        "z/z | 0.0",
        "a%z | 0.0",
        "1/0 + a | -7.0",
        "1/2*a | -0.0",
        "a+true | -6.0",
        "nan==nan | 1.0",
        "nan!=nan | 0.0",
        "nan<1 | 1.0",
        "a<nan | 0.0",
        "nan/z | 0.0",
        "inf-inf | NaN",
        "a+nan | NaN",
        "010+a | 1.0",
        "a>b?a:b | 3.0",
        "a and b | 1.0",
        "b*a>5 and a>1 or b>3 | 0.0",
        "a ?: b | -7.0",
        "0.1+0.2+z | 0.30000000000000004",
        "9223372036854775807+1+a | 9.223372036854776E18",
        "-a % b | 1.0",
        "(0-7) % 3 + z | 2.0",
        "7 % -3 + z | 0.0",
        "(a>b)+1.0 | 1.0",
        "true / a | -0.14285714285714285",
        "b % true | 0.0",
        "b / (a<b) | 3.0",
        "b / (a>b) | 0.0",
        "true / true | 0.0",
        "(a<b) / 1 | 0.0",
        "3 / true | 0.0",
        "true % 3 | 0.0",
        "7 % -3 | 0.0",
        "true < 2 | 1.0",
        "true == 2 | 1.0"
      })
  void strictModeComputesAsJexl21(String formula, double result) {
    assertThat(evaluate(formula, ExpressionDialect.OPENTSDB)).isEqualTo(Double.valueOf(result));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(true + 1) * a", "(a<b) - true + a", "2 * (a<b) + a"})
  void inStrictModeATruthIsANumberOnlyBesideADouble(String formula) {
    assertThatThrownBy(() -> evaluate(formula, ExpressionDialect.OPENTSDB))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining("beside a truth value");
  }

  @Test
  void inStrictModeAResultMustBeADoubleOrATruth() {
    assertThatThrownBy(() -> evaluate("a > b ? 1 : 2", ExpressionDialect.OPENTSDB))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining("a result of type: integer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "''.getClass()",
        "\"\".getClass()",
        "a.getClass()",
        "a.class",
        "a.b",
        "a?.b",
        "new('java.lang.String')",
        "new java.io.File('x')",
        "java.lang.System.exit(0)",
        "while(true) {}",
        "for(;;) {}",
        "if (a) b else z",
        "a = 5",
        "a += 5",
        "a++",
        "++a ;",
        "a; b",
        "var x = a",
        "abs(a)",
        "size(a)",
        "empty(a)",
        "a[0]",
        "[a, b]",
        "{a: b}",
        "() -> a",
        "a -> a",
        "`${a}`",
        "'x' =~ '(x+)+y'",
        "a =~ b",
        "~/x/",
        "a .. b",
        "a & b",
        "a | b",
        "a ^ b",
        "~a",
        "a << 2",
        "a === b",
        "a ?? b",
        "#pragma x 1",
        "@a b",
        "$1",
        "ns:f(a)",
        "a, b",
        "return a",
        "throw a",
        "a instanceof b",
        "true(a)",
        "1(a)",
        "1e(a)",
        "a\\u0028b",
        "a ** b",
        "a +",
        "* a",
        "(a",
        "a)",
        "()",
        "a b",
        "1.2.3"
      })
  void nothingButNumbersVariablesAndOperatorsIsUnderstood(String formula) {
    for (ExpressionDialect dialect : ExpressionDialect.values()) {
      assertThatThrownBy(() -> CompiledFormula.of(formula, dialect))
          .isInstanceOf(ExpressionException.class);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "a + 'b' | ''' is not allowed in a formula, at character 5 of a + 'b'",
        "a + abs(b) | functions are not allowed in a formula, at character 8 of a + abs(b)",
        "a + * b | malformed formula: misplaced '*', at character 5 of a + * b",
        "a + b) | malformed formula: misplaced ')', at character 6 of a + b)",
        "a < b < 3 | malformed formula: misplaced '<', at character 7 of a < b < 3",
        "a + | malformed formula: it ends too early, at character 4 of a +"
      })
  void whatIsWrongIsSaidAndWhere(String formula, String message) {
    assertThatThrownBy(() -> CompiledFormula.of(formula, ExpressionDialect.HOURSTONE))
        .hasMessage(message);
  }

  @Test
  void longAndDeepFormulasAreComputedOrRefusedButOverflowNothing() {
    String sum = "a" + " + a".repeat(499);
    assertThat(evaluate(sum, ExpressionDialect.HOURSTONE)).isEqualTo(-3500.0);
    assertThat(evaluate("- ".repeat(998) + "a", ExpressionDialect.HOURSTONE)).isEqualTo(-7.0);
    assertThat(evaluate("! ".repeat(998) + "a", ExpressionDialect.HOURSTONE)).isEqualTo(1.0);
    assertThat(evaluate("z ? a : ".repeat(240) + "b", ExpressionDialect.HOURSTONE)).isEqualTo(3.0);
    assertThat(evaluate("(".repeat(50) + "a" + ")".repeat(50), ExpressionDialect.HOURSTONE))
        .isEqualTo(-7.0);

    for (String formula :
        List.of(
            "(".repeat(51) + "a" + ")".repeat(51), "a" + " + a".repeat(500), "a".repeat(4097))) {
      assertThatThrownBy(() -> FormulaText.of(formula))
          .isInstanceOf(ExpressionException.class)
          .hasMessageContaining("formula of");
    }
  }

  @Test
  void whateverAFormulaIsItIsComputedOrRefused() {
    String[] words = {
      "a", "b", "1", "2.5", "+", "-", "*", "/", "%", "(", ")", "<", "==", "?", ":", "&&", "or",
      "not", "!", "=", ".", "'", "f(", "[", "]", "{", ";", "true", "$", "`", "new", "->"
    };
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int computed = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder formula = new StringBuilder();
      for (int n = random.nextInt(8); n >= 0; n--) {
        formula.append(words[random.nextInt(words.length)]).append(random.nextBoolean() ? " " : "");
      }
      try {
        evaluateAny(formula.toString());
        computed++;
      } catch (ExpressionException expected) {
        assertThat(expected).hasMessageContaining(formula.toString());
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + formula, e);
      }
    }
    assertThat(computed).as("seed %d", seed).isPositive();
  }

  private static double evaluateAny(String formula) {
    CompiledFormula compiled = CompiledFormula.of(formula, ExpressionDialect.HOURSTONE);
    return compiled.result().applyAsDouble(new double[compiled.variables().size()]);
  }
}
