package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.tsd.view.BrailleCanvas;
import org.hourstone.tsd.view.ChartScale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChartTest {
  @Test
  void theEightDotsOfACharacterAreWhereUnicodeHasThem() {
    String[] shown = {"⡀", "⢀", "⠄", "⠠", "⠂", "⠐", "⠁", "⠈"};
    for (int dot = 0; dot < shown.length; dot++) {
      BrailleCanvas canvas = new BrailleCanvas(1, 1);
      canvas.dot(dot % 2, dot / 2);
      assertThat(canvas.row(0)).isEqualTo(shown[dot]);
    }
  }

  @Test
  void aLineConnectsItsEnds() {
    BrailleCanvas canvas = new BrailleCanvas(4, 1);
    canvas.line(7, 3, 0, 0);

    assertThat(canvas.row(0)).isEqualTo("⣀⠤⠒⠉");
  }

  @Test
  void rowsAreCountedFromTheTopAndBlanksAtTheEndAreLeftOut() {
    BrailleCanvas canvas = new BrailleCanvas(5, 2);
    canvas.dot(2, 7);

    assertThat(canvas.row(0)).isEqualTo(" ⠁");
    assertThat(canvas.row(1)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "42, 42",
    "1234567, 1234570",
    "0.1, 0.1",
    "0.30000000000000004, 0.3",
    "-17.75, -17.75",
    "0.000123456789, 0.000123457",
    "0.0000123456789, 0.0000123457",
    "1e300, 1E+300",
    "NaN, ''"
  })
  void labelsHaveSixDigits(double value, String label) {
    assertThat(ChartScale.label(value)).isEqualTo(label);
  }

  @Test
  void positionsSpanTheWholeRangeOfDoubles() {
    ChartScale widest = new ChartScale(-Double.MAX_VALUE, Double.MAX_VALUE);

    assertThat(widest.position(-Double.MAX_VALUE)).isEqualTo(0);
    assertThat(widest.position(0)).isEqualTo(0.5);
    assertThat(widest.position(Double.MAX_VALUE)).isEqualTo(1);
    assertThat(new ChartScale(3, 3).position(3)).isEqualTo(0.5);
  }
}
