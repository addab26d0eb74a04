package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventQualifierTest {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  @ParameterizedTest
  @CsvSource({
    "1356998400,    060000,     0",
    "1356998430,    06001E,     30000",
    "1357001999,    060E0F,     3599000",
    "1356998400500, 06000001F4, 500",
    "1500001220005, 0600004E25, 20005",
    "1357001999999, 060036EE7F, 3599999",
  })
  void theOffsetFollowsThePrefixUnshifted(long timestamp, String hex, long offsetMillis) {
    byte[] qualifier = EventQualifier.encode(EventQualifier.HISTOGRAM, timestamp);

    assertThat(HEX.formatHex(qualifier)).isEqualTo(hex);
    assertThat(EventQualifier.offsetMillis(qualifier)).isEqualTo(offsetMillis);
    assertThat(CellKind.of(qualifier)).isEqualTo(CellKind.HISTOGRAM);
  }

  @ParameterizedTest
  @CsvSource({"06FFFF, 65535000", "06FFFFFFFF, 4294967295"})
  void offsetsBeyondTheHourAreReadUnsigned(String hex, long offsetMillis) {
    assertThat(EventQualifier.offsetMillis(HEX.parseHex(hex))).isEqualTo(offsetMillis);
  }
}
