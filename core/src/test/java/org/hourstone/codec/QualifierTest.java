package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QualifierTest {
  @ParameterizedTest
  @CsvSource({
    "1356998400, 0, 0000",
    "1356998401, 1, 0011",
    "1356998430, 7, 01E7",
    "1357001999, 11, E0FB",
    "1356998400000, 0, F0000000",
    "1356998400001, 11, F000004B",
    "1356998400500, 7, F0007D07",
    "1357001999999, 15, FDBB9FCF",
    "4294967295, 0, 69F0",
    "4294967296, 0, F0A36000",
  })
  void qualifierIsOffsetAndFlags(long timestamp, int flags, String hex) {
    byte[] qualifier = Qualifier.encode(timestamp, flags);
    assertThat(HexFormat.of().withUpperCase().formatHex(qualifier)).isEqualTo(hex);
    assertThat(Qualifier.flags(qualifier, 0)).isEqualTo(flags);
    assertThat(Qualifier.offsetMillis(qualifier, 0))
        .isEqualTo((int) (Timestamps.toMillis(timestamp) - Timestamps.baseTime(timestamp) * 1000));
    assertThat(Qualifier.isMillis(qualifier[0])).isEqualTo(Timestamps.isMillis(timestamp));
  }

  @Test
  void everyOffsetSurvivesTheRoundTrip() {
    for (int seconds = 0; seconds < 3600; seconds++) {
      byte[] qualifier = Qualifier.encodeSeconds(seconds, seconds & 0xF);
      assertThat(Qualifier.width(qualifier[0])).isEqualTo(2);
      assertThat(Qualifier.offsetMillis(qualifier, 0)).isEqualTo(seconds * 1000);
    }
    Random random = new Random(7);
    for (int i = 0; i < 100_000; i++) {
      int millis = random.nextInt(3_600_000);
      byte[] qualifier = Qualifier.encodeMillis(millis, millis & 0xF);
      assertThat(Qualifier.width(qualifier[0])).isEqualTo(4);
      assertThat(Qualifier.offsetMillis(qualifier, 0)).isEqualTo(millis);
      assertThat(Qualifier.flags(qualifier, 0)).isEqualTo(millis & 0xF);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3600, 3840, Integer.MAX_VALUE})
  void offsetsOutsideTheHourAreNeverWritten(int seconds) {
    assertThatThrownBy(() -> Qualifier.encodeSeconds(seconds, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Qualifier.encodeMillis(seconds < 0 ? seconds : 3_600_000, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0010, POINT",
    "F0000040, POINT",
    "00100020, COMPACTED",
    "F00000400010, COMPACTED",
    "010000, ANNOTATION",
    "01000001F4, ANNOTATION",
    "06001E, HISTOGRAM",
    "06000001F4, HISTOGRAM",
    "050000, APPEND",
    "050001, APPEND",
    "0500000000, UNKNOWN",
    "00, UNKNOWN",
    "01000000000000, UNKNOWN",
    "020000, UNKNOWN",
    "'', UNKNOWN",
  })
  void theQualifierDeterminesTheKindOfACell(String hex, CellKind kind) {
    assertThat(CellKind.of(HexFormat.of().parseHex(hex))).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    "0, false, 0",
    "4294967295, false, 4294965600",
    "4294967296, true, 4294800",
    "1357001999, false, 1356998400",
    "1356998400500, true, 1356998400",
    "9999999999999, true, 9999997200",
  })
  void secondsAndMillisecondsAreDistinguishedBySize(long timestamp, boolean millis, long base) {
    assertThat(Timestamps.isMillis(timestamp)).isEqualTo(millis);
    assertThat(Timestamps.baseTime(timestamp)).isEqualTo(base);
  }
}
