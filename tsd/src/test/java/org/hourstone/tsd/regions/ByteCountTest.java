package org.hourstone.tsd.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hourstone.tsd.session.UsageException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteCountTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "500m, 524288000",
    "5g, 5368709120",
    "5G, 5368709120",
    "2k, 2048",
    "5368709120, 5368709120",
    "8388607t, 9223370937343148032"
  })
  void readsSizesWithUnits(String text, long bytes) {
    assertThat(ByteCount.parse("--larger-than", text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "g", "-1", "1.5g", "10gb", "10 g", "8388608t", "9999999999999999999", "٣"})
  void refusesWhatIsNoSizeOrTooLarge(String text) {
    assertThatThrownBy(() -> ByteCount.parse("--larger-than", text))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("--larger-than " + text);
  }
}
