package org.hourstone.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateStepTest {
  private static String rates(String options, String points) {
    return rates(RateOptions.parse(options), false, points);
  }

  private static String rates(RateOptions options, boolean held, String points) {
    return Columns.text(
        Columns.through(
            Columns.of(points),
            new RateStep(options, held ? Set.of(NumberQuirk.HELD_FIRST_RATE) : Set.of())));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "rate; 1010=-6552.5 1020=4.5",
        "rate{counter,65535}; 1010=1.0 1020=4.5",
        "rate{counter,,100}; 1010=0.0 1020=4.5",
        "rate{counter,65535,100}; 1010=1.0 1020=4.5",
        "rate{counter}; 1010=9.2233720368547098E17 1020=4.5",
        "rate{dropcounter}; 1020=4.5",
        "rate{dropcounter,65535,100}; 1020=4.5",
      })
  void aCounterThatStartsAgainIsTakenAsTheOptionsSay(String options, String expected) {
    assertThat(rates(options, "1000=65530 1010=5 1020=50")).isEqualTo(expected);
  }

  @Test
  void ratesArePerSecondAndTheFirstPointGivesNone() {
    assertThat(rates("rate", "1=5 1.5=6 4=1")).isEqualTo("1.500=2.0 4=-2.0");
    assertThat(rates("rate", "1=5")).isEmpty();
    assertThat(rates("rate", "")).isEmpty();
  }

  @Test
  void changesOfIntegersAreTakenAsIntegers() {
    assertThat(rates("rate", "1=9007199254740992 2=9007199254740993")).isEqualTo("2=1.0");
    assertThat(rates("rate", "1=9007199254740992 2=9007199254740993.0")).isEqualTo("2=0.0");
    assertThat(rates("rate{counter,100}", "1=90.5 2=10")).isEqualTo("2=19.5");
  }

  @Test
  void whatIsNotANumberGivesNoNumber() {
    assertThat(rates("rate", "1=1.0 2=NaN 3=1.0 4=2.0")).isEqualTo("2=NaN 3=NaN 4=1.0");
    assertThat(rates("rate{dropcounter}", "1=1.0 2=NaN 3=1.0")).isEqualTo("2=NaN 3=NaN");
  }

  @Test
  void aRateToBeHeldIsTheFirstValueOverTheTimeSinceTheEpoch() {
    assertThat(rates(RateOptions.DEFAULT, true, "1000=5000 1020=5020"))
        .isEqualTo("1000=5.0 1020=1.0");
    RateOptions dropping = RateOptions.parse("rate{dropcounter}");
    assertThat(rates(dropping, true, "1000=-5 1020=15")).isEqualTo("1020=1.0");
  }

  @Test
  void pointsInDifferentPartsGiveTheSameRates() {
    RateStep step = new RateStep(RateOptions.DEFAULT, Set.of());
    PointColumn out = new PointColumn();
    step.accept(Columns.of("1=1"), out);
    step.accept(Columns.of(""), out);
    step.settle(2000, out);
    step.accept(Columns.of("2=3 3=4"), out);
    step.finish(out);
    assertThat(Columns.text(out)).isEqualTo("2=2.0 3=1.0");
  }

  @Test
  void timesMustAscend() {
    assertThatThrownBy(() -> rates("rate", "2=1 2=1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("2000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "rate; false; 9223372036854775807; 0; false",
        "rate{}; false; 9223372036854775807; 0; false",
        "rate{counter}; true; 9223372036854775807; 0; false",
        "rate{counter,65535}; true; 65535; 0; false",
        "rate{counter,,7}; true; 9223372036854775807; 7; false",
        "rate{counter,65535,7}; true; 65535; 7; false",
        "rate{dropcounter}; true; 9223372036854775807; 0; true",
        "rate{dropcounter,1,2}; true; 1; 2; true",
      })
  void optionsAreWrittenInBraces(
      String text, boolean counter, long max, long reset, boolean dropResets) {
    assertThat(RateOptions.parse(text)).isEqualTo(new RateOptions(counter, max, reset, dropResets));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "rate{; Invalid rate options specification: rate{",
        "rate{counter,x}; Max value of counter was not a number, received 'x'",
        "rate{counter,1,y}; Reset value of counter was not a number, received 'y'",
        "rate{counter,1,2,3}; Incorrect number of values in rate options specification, must be"
            + " counter[,counter max value,reset value], received: 4 parts",
      })
  void whatIsWrongWithOptionsIsNamed(String text, String message) {
    assertThatThrownBy(() -> RateOptions.parse(text))
        .isInstanceOf(RequestException.class)
        .hasMessage(message);
  }
}
