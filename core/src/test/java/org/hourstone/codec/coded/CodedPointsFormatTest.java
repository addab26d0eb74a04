package org.hourstone.codec.coded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cells that were coded once are decoded forever. A failure of {@link #isDecoded} means that stored
 * data can't be read any more; one of {@link #isEncodedInTheSameForm} that new data gets another
 * form, which is allowed if it is intended.
 */
class CodedPointsFormatTest {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** Long cells are coded with a table. */
  private static final int LONG = 60;

  static Stream<Recorded> recorded() {
    return Stream.of(
        recorded("two widths", "0000 0010 0021", "07 08 0100 00", "9000037C00027D0E02F003"),
        recorded(
            "whole hour", "0000 2580 4B00 7080 9600 BB80", "010203040506 00", "800000D8047C0202"),
        recorded("equal", "0000 0010 0030", "070707 00", "9000037D0002047C0E00"),
        recorded(
            "decimals",
            "708F 834F 960F A8CB",
            "3FC0E5604189374C 3FC126E978D4FDF4 3FC126E978D4FDF4 42280000 00",
            "941B047C901CD8047D88020400948E05"),
        recorded(
            "doubles",
            "000F 001F 002F",
            "3FC0E5604189374C 3FC126E978D4FDF4 4045000000000000 00",
            "9419037C00027D880204948E05"),
        recorded("floats", "000B 001B 002B", "3DCCCCCD 3E4CCCCD 3E99999A 00", "940A037C00027C0202"),
        recorded(
            "numbers",
            "0000 001B 002F",
            "2A 3F000000 3FC0E5604189374C 00",
            "941C037C00027DA09005B78805DF05"),
        recorded(
            "near decimals",
            "000F 001F 002F",
            "4038A04189374BC6 4038A04189374BC7 4038A04189374BC4 00",
            "9819037C00027D0100057CE4800300"),
        recorded(
            "negative zero",
            "000F 001F 002F",
            "8000000000000000 3FF199999999999A 0000000000000000 00",
            "9809037C00027C01007D001615"),
        recorded(
            "bytes",
            "000F 001F 002F",
            "3FC0E56041893741 4038123456789ABC C00123456789ABCD 00",
            "9C01037C00023FC0E560418937414038123456789ABCC00123456789ABCD"),
        recorded(
            "milliseconds", "F0000000 F0007D00 F0010180", "010203 00", "9200037E00A4083B007C0202"),
        recorded(
            "mixed",
            "F0000007 0017 F001F40F",
            "0000000000000009 0000000000000008 4045000000000000 01",
            "9605037C00D00F170107011F017D120144"),
        recorded(
            "wide integers",
            "0007 0017 0027",
            "0000000000000009 0000000000000008 0000000000000007 00",
            "9005037C000207037C1201"),
        recorded("no metadata byte", "0000 0010 0020", "070809", "9100037C00027C0E02"),
        recorded("not in order", "0020 0000 0010 0010", "04050607 00", "9000047D040302007C0802"),
        recorded("wrong metadata byte", "0000 0010 0020", "070809 01", "B00600000010002007080901"),
        recorded("garbage", "F00102030405", "AB", "B006F00102030405AB"),
        recorded(
            "walk",
            (points, i) -> addInteger(points, i, 40 + i * i % 7),
            "4000003C111128EB84628E6CC600FCCAD41383FC735638AA992238000A59E3",
            "8000003C111F1309C140DE5D2EB2AB0F24C62A11131F3CABAD0138CF1D044CAA2B"),
        recorded(
            "large first number",
            (points, i) -> addInteger(points, i, (1L << 40) + i * i % 7),
            "4000003C91808080802041781BC8628A6CC600FCCAD41383FC735638AA992238000A59E3",
            "8000003C918080101F138B7340DE5D18B2AB0F24C62A11131F3CABAD0138CF1D044CAA2B"),
        recorded(
            "all options",
            (points, i) ->
                addInteger(
                    points, i, 1_000_000L + 5_000L * i + i * i % 977 + (i == 30 ? 1L << 40 : 0)),
            "4000003CFBC3F64E3DA2211AA2211AA2211AA221FAA2211AA2111AA22116A201908080"
                + "808040EBFFFFFFFF3F890FD50EAD0ECF1461E91E987E5EE29F1D641CAA5C54B355A938"
                + "F8AC17A527059647E5D265D00FFE152D",
            "8000003CFB43F64EA2211AA2211AA2211AA221FAA2211AA2111AA22116A20190808080"
                + "8040EBFFFFFFFF3F890FD50EAD0ECF14734AFE474E709E2B2D6CBCD95C2919E3EA6557"
                + "B5171BE67C362C556FD5B9001FE54000392537"),
        recorded(
            "times",
            (points, i) ->
                points.add(
                    60_000 * i + 100 + i * i % 97, true, Value.DOUBLE_FLAGS, Value.rawOf(i / 10.0)),
            "56093C9843CAA90739100DD1088DD0080BCDD78AB0D77AADCFFCACCF7AACCF00D8C648"
                + "7726FBA5CE83CC63B42F46C25AA20DED3EE0B9CC0A7B2B5A0838B10CB887F57C0002",
            "96093C9843CAA9073D100DD1088DD0080BCDD78AB0D77AADCFFCACCF7AACCF000038C8"
                + "47768315D7444E53B282CF5EE7CE3E314E70D15B306A2FB9E329000008C78E00C9587E"
                + "7C0002"),
        recorded(
            "units",
            (points, i) ->
                points.add(
                    60_000 * i,
                    false,
                    Value.DOUBLE_FLAGS,
                    Value.rawOf(i % 5 == 2 ? Math.nextUp(i / 10.0) : i / 10.0)),
            "4809003C030A6B73AEC3D3A90044690B7C0002",
            "8809003C030CC637ED45053D6FCC067A669E7C0002"));
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void isDecoded(Recorded recorded) {
    assertDecoded(recorded.coded, recorded.cell);
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void isDecodedFromVersion1(Recorded recorded) {
    assertDecoded(recorded.version1, recorded.cell);
  }

  private static void assertDecoded(String coded, CompactedCell cell) {
    byte[] bytes = HEX.parseHex(coded);

    CompactedCell decoded = CodedPoints.decode(bytes, 0, bytes.length);

    assertThat(hex(decoded.qualifier())).isEqualTo(hex(cell.qualifier()));
    assertThat(hex(decoded.value())).isEqualTo(hex(cell.value()));
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void isEncodedInTheSameForm(Recorded recorded) {
    byte[] coded = CodedPoints.encode(recorded.cell.qualifier(), recorded.cell.value());

    assertThat(hex(coded)).isEqualTo(recorded.coded);
  }

  @Test
  void theTablesDoNotChange() throws IOException {
    CRC32 checksum = new CRC32();
    try (InputStream tables =
        Objects.requireNonNull(FrequencyTables.class.getResourceAsStream("frequencies.txt"))) {
      checksum.update(tables.readAllBytes());
    }

    assertThat(checksum.getValue()).isEqualTo(0xC5C5F61FL);
  }

  /** A cell without symbols: the versions differ in the highest two bits. */
  private static Recorded recorded(String name, String qualifier, String value, String coded) {
    int header = Integer.parseInt(coded, 0, 2, 16);
    return new Recorded(
        name,
        new CompactedCell(
            HEX.parseHex(qualifier.replace(" ", "")), HEX.parseHex(value.replace(" ", ""))),
        HEX.toHexDigits((byte) (header - 0x40)) + coded.substring(2),
        coded);
  }

  /** A cell of points that are added each with its index. */
  private static Recorded recorded(
      String name, ObjIntConsumer<RowPoints> added, String version1, String coded) {
    RowPoints points = new RowPoints();
    for (int i = 0; i < LONG; i++) {
      added.accept(points, i);
    }
    return new Recorded(name, CompactedCell.of(points, 0, LONG), version1, coded);
  }

  private static void addInteger(RowPoints points, int i, long integer) {
    points.add(60_000 * i, false, Value.flagsOf(integer), integer);
  }

  private static String hex(byte[] bytes) {
    return HEX.formatHex(bytes);
  }

  /**
   * A cell and its form.
   *
   * @param name what is special about it
   * @param cell as it was encoded
   * @param version1 the form in hex that was written until version 2
   * @param coded the form in hex
   */
  record Recorded(String name, CompactedCell cell, String version1, String coded) {
    @Override
    public String toString() {
      return name;
    }
  }
}
