package org.hourstone.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesExpressionTest {
  @Test
  void queriesAreFoundWhereverTheyAreNested() {
    SeriesExpression expression =
        SeriesExpression.parse(
            " scale( sumSeries(sum:a{host=literal_or(x|y),dc=*}{dc=l} , alias(max:1m-avg:b,'x, (y)')) ,2)");

    assertThat(expression.queries())
        .containsExactly("sum:a{host=literal_or(x|y),dc=*}{dc=l}", "max:1m-avg:b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scale(sum:m,2)",
        "scale(sum:m,-2)",
        "scale(sum:m,.5)",
        "scale(sum:m,\"2\")",
        "absolute(sum:m)",
        "movingAverage(sum:m,3)",
        "movingAverage(sum:m,'3day')",
        "movingAverage(sum:m,3hr)",
        "highestMax(sum:m,1)",
        "shift(sum:m,'10min')",
        "timeShift(sum:m,1d)",
        "firstDiff(sum:m)",
        "divide(sum:m,sum:n)"
      })
  void theseAreExpressions(String text) {
    assertThat(SeriesExpression.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "sum:m | no function; an expression is such as scale(sum:my.metric,2), at character 1 of sum:m",
        "scale(sum:m,2 | missing ) after scale, at character 6 of scale(sum:m,2",
        "scale(sum:m,2)) | unexpected ')' after the end, at character 15 of scale(sum:m,2))",
        "scale(sum:m,2) x | unexpected 'x' after the end, at character 16 of scale(sum:m,2) x",
        "scale(sum:m,) | an argument is missing, at character 13 of scale(sum:m,)",
        "scale() | an argument is missing, at character 7 of scale()",
        "scale(sum:m,'2) | unterminated quote, at character 13 of scale(sum:m,'2)",
        "scale(sum:m,'2'3) | unexpected '3'; a comma or ) must follow, at character 16 of scale(sum:m,'2'3)",
        "scale(sum:m) | scale needs a factor, such as 2 or 0.5, at character 1 of scale(sum:m)",
        "scale(sum:m,x) | scale: 'x' is not a factor such as 2 or 0.5, at character 13 of scale(sum:m,x)",
        "scale(sum:m,1-2) | scale: '1-2' is not a factor such as 2 or 0.5, at character 13 of scale(sum:m,1-2)",
        "scale(m,2) | scale: 'm' is not a factor such as 2 or 0.5, at character 7 of scale(m,2)",
        "absolute(m) | absolute needs a query, such as sum:my.metric, at character 1 of absolute(m)",
        "alias(sum:m) | alias needs a name, at character 1 of alias(sum:m)",
        "movingAverage(sum:m,0) | movingAverage: a mean of 0 points, at character 21 of movingAverage(sum:m,0)",
        "movingAverage(sum:m,'5 x') | movingAverage: '5 x' is neither a number of points nor a span such as '10min', at character 21 of movingAverage(sum:m,'5 x')",
        "highestMax(sum:m,-1) | highestMax: -1 is not a number of series, at character 18 of highestMax(sum:m,-1)",
        "shift(sum:m,10) | shift: '10' is not a time span such as '10min', at character 13 of shift(sum:m,10)",
        "sum(sum:m) | sum needs 2 to 26 series as arguments, not 1, at character 1 of sum(sum:m)"
      })
  void whatIsWrongIsSaidAndWhere(String text, String message) {
    assertThatThrownBy(() -> SeriesExpression.parse(text)).hasMessage(message);
  }

  @Test
  void anUnknownFunctionIsNamedWithThoseThereAre() {
    assertThatThrownBy(() -> SeriesExpression.parse("scale(nosuch(sum:m),2)"))
        .hasMessageStartingWith("no function 'nosuch' (known: absolute, alias, ")
        .hasMessageEndingWith(", at character 7 of scale(nosuch(sum:m),2)");
  }

  @Test
  void aWrongQueryIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> SeriesExpression.parse("scale(nosuch:m,2)"))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining("No such aggregation function: nosuch")
        .hasMessageEndingWith(", at character 7 of scale(nosuch:m,2)");
  }

  @Test
  void callsMayBeNestedOnlySoDeep() {
    assertThat(SeriesExpression.parse("absolute(".repeat(64) + "sum:m" + ")".repeat(64)).queries())
        .hasSize(1);
    assertThatThrownBy(
            () -> SeriesExpression.parse("absolute(".repeat(65) + "sum:m" + ")".repeat(65)))
        .hasMessageStartingWith("more than 64 nested calls");
    assertThatThrownBy(() -> SeriesExpression.parse("(".repeat(60_000)))
        .isInstanceOf(ExpressionException.class);
    assertThatThrownBy(() -> SeriesExpression.parse("a".repeat(70_000)))
        .hasMessage("expression of 70000 characters; at most 65536 are read");
  }
}
