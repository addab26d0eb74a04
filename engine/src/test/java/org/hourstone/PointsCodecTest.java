package org.hourstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.hourstone.kv.CellCodec;
import org.hourstone.kv.FamilyCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PointsCodecTest {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final CellCodec codec = new PointsCodec();

  @ParameterizedTest
  @ValueSource(strings = {"000000100020", "F00000000010", "F000000000100020", "060000000000"})
  void cellsOfSeveralPointsAreCoded(String qualifier) {
    assertThat(codec.codes(HEX.parseHex(qualifier))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0000", "00000010", "F0000000", "0100000000", "050000", "06000000000000"})
  void cellsOfAPointAndOtherCellsAreNot(String qualifier) {
    assertThat(codec.codes(HEX.parseHex(qualifier))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"000000100020,07080900", "000000100020,070809", "000000100020,07", "060000000000,''"})
  void whatIsDecodedIsWhatWasEncoded(String qualifier, String value) {
    byte[] coded = codec.encode(HEX.parseHex(qualifier), HEX.parseHex(value));

    FamilyCodec.Decoded decoded = codec.decode(coded, 0, coded.length);

    assertThat(HEX.formatHex(decoded.qualifier())).isEqualTo(qualifier);
    assertThat(HEX.formatHex(decoded.value())).isEqualTo(value);
  }

  @Test
  void otherBytesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> codec.decode(HEX.parseHex("FF0102"), 0, 3))
        .withMessage("a coded cell of unknown version, header 255");
  }
}
