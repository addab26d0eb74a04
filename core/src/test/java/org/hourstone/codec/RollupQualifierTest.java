package org.hourstone.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RollupQualifierTest {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final byte[] SUM = "sum:".getBytes(ISO_8859_1);

  @ParameterizedTest
  @CsvSource({
    "0, 10,   11, 0000AB",
    "1, 10,   0,  0100A0",
    "0, 168,  11, 000A8B",
    "1, 7,    0,  010070",
    "127, 4095, 15, 7FFFFF",
  })
  void idIndexAndFlagsStandInThreeBytes(int id, int index, int flags, String hex) {
    byte[] qualifier = RollupQualifier.encode(id, index, flags);

    assertThat(HEX.formatHex(qualifier)).isEqualTo(hex);
    assertThat(RollupQualifier.isOf(qualifier, id, SUM)).isTrue();
    assertThat(RollupQualifier.isOf(qualifier, id + 1, SUM)).isFalse();
    assertThat(RollupQualifier.index(qualifier)).isEqualTo(index);
    assertThat(RollupQualifier.flags(qualifier)).isEqualTo(flags);
  }

  @Test
  void theNameOfTheAggregationMayStandInPlaceOfItsId() {
    byte[] qualifier = HEX.parseHex("73756D3A0A8B");

    assertThat(RollupQualifier.isOf(qualifier, 9, SUM)).isTrue();
    assertThat(RollupQualifier.isOf(qualifier, 9, "max:".getBytes(ISO_8859_1))).isFalse();
    assertThat(RollupQualifier.index(qualifier)).isEqualTo(168);
    assertThat(RollupQualifier.flags(qualifier)).isEqualTo(11);
  }

  /** The first letter of a name is no id: 's' is 115. */
  @Test
  void aNameIsNotTakenForAnId() {
    assertThat(RollupQualifier.isOf(HEX.parseHex("73756D3A0A8B"), 0x73, new byte[] {'x', ':'}))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "128, 0", "0, -1", "0, 4096"})
  void whatDoesNotFitIsRefused(int id, int index) {
    assertThatIllegalArgumentException().isThrownBy(() -> RollupQualifier.encode(id, index, 0));
  }
}
