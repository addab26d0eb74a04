package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.series.Downsample;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScanRangeTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "1356998400000, 1357002000000, -, 1356998400, 1357005600",
        "1357001000000, 1357001999000, -, 1356998400, 1357005600",
        "1357001000000, 1357001998000, -, 1356998400, 1357002000",
        "1357001000000, 1357041998000, 7h-sum, 1356994800, 1357045200",
        "1357001000000, 1357001998000, 1d-sum, 1356998400, 1357084800",
        "1357001000000, 1357001998000, 1dc-sum, 1356998400, 1357084800",
        "1357001000000, 1357001998000, 1n-sum, 1355616000, 1358208000",
        "1357001000000, 1357001998000, 0all-sum, 1356998400, 1357002000",
      })
  void theRowsReadAreWholeHoursAroundTheRange(
      long start, long end, String downsample, long first, long stop) {
    Downsample how = downsample == null ? null : Downsample.parse(downsample);
    assertThat(ScanRange.of(start, end, how)).isEqualTo(new ScanRange(first, stop));
  }
}
