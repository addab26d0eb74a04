package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnnotationQualifierTest {
  @ParameterizedTest
  @CsvSource({
    "1356998400, 010000, 0",
    "1356998430, 01001E, 30000",
    "1356998400500, 01000001F4, 500",
    "1356998430000, 01001E, 30000",
    "1357001999999, 010036EE7F, 3599999",
    "1328141000, 010D0D, 3341000",
    "4294967295, 01069F, 1695000",
  })
  void theQualifierIsThatOfTheStartOrOfItsThousandth(long start, String hex, long offsetMillis) {
    byte[] qualifier = AnnotationQualifier.encode(start);
    assertThat(HexFormat.of().withUpperCase().formatHex(qualifier)).isEqualTo(hex);
    assertThat(CellKind.of(qualifier)).isEqualTo(CellKind.ANNOTATION);
    assertThat(AnnotationQualifier.offsetMillis(qualifier)).isEqualTo(offsetMillis);
  }
}
