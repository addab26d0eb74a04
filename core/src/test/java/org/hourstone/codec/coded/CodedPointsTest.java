package org.hourstone.codec.coded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DataCell;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodedPointsTest {
  private static final int CELLS = 4_000;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @ParameterizedTest
  @EnumSource
  void everyCellIsWhatItWas(CodedSeries series) {
    for (int i = 0; i < CELLS; i++) {
      CompactedCell cell = series.cell(random);

      assertIsWhatItWas(cell, CodedPoints.encode(cell.qualifier(), cell.value()));
    }
  }

  @Test
  void anEncoderKeepsNothingOfTheCellsBefore() {
    PointsEncoder encoder = new PointsEncoder();
    for (int i = 0; i < CELLS; i++) {
      for (CodedSeries series : CodedSeries.values()) {
        CompactedCell cell = series.cell(random);

        assertThat(encoder.encode(cell.qualifier(), cell.value()))
            .as("seed %d", seed)
            .isEqualTo(CodedPoints.encode(cell.qualifier(), cell.value()));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void pointsAreCodedAsPoints(CodedSeries series) {
    for (int i = 0; i < CELLS; i++) {
      CompactedCell cell = series.soundCell(random);
      byte[] coded =
          Objects.requireNonNull(new PointsEncoder().encodePoints(cell.qualifier(), cell.value()));

      assertSame(cell, CodedPoints.decode(coded, 0, coded.length));
    }
  }

  @ParameterizedTest
  @EnumSource
  void pointsAreTakenFromTheCodedFormAsFromTheCell(CodedSeries series) {
    RowDecoder plain = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
    RowDecoder direct = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
    for (int i = 0; i < CELLS; i++) {
      CompactedCell cell = series.cell(random);
      byte[] coded = new PointsEncoder().encodePoints(cell.qualifier(), cell.value());
      if (coded != null) {
        plain.start();
        plain.add(cell.qualifier(), cell.value(), 7);
        direct.start();
        assertThat(direct.add(points -> CodedPoints.addPoints(coded, cell.qualifier(), points), 7))
            .isTrue();

        assertSame(cellOf(plain.finish()), cellOf(direct.finish()));
      }
    }
  }

  @Test
  void aCellThatIsNotOneOfPointsAddsNone() {
    byte[] coded = CodedPoints.encode(new byte[] {1, 2, 3}, new byte[9]);
    RowPoints points = new RowPoints();

    assertThat(CodedPoints.addPoints(coded, new byte[] {1, 2}, points)).isFalse();
    assertThat(points.size()).isZero();
  }

  @Test
  void pointsOfACellThatBeginsOtherwiseAreNotTaken() {
    byte[] qualifier = {0x70, 0x00, 0x70, 0x10};
    byte[] coded = Objects.requireNonNull(new PointsEncoder().encodePoints(qualifier, new byte[2]));
    RowPoints points = new RowPoints();
    for (byte[] start : List.of(new byte[] {0x70, 0x10}, new byte[] {0x71, 0x00})) {
      assertThatThrownBy(() -> CodedPoints.addPoints(coded, start, points))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(points.size()).isZero();
  }

  @Test
  void integersThatAreTooWideForTheirFlagsAreRefused() {
    DecodedPoints points = stored(Value.flagsOf(1), Value.flagsOf(1));
    assertThatThrownBy(() -> points.setIntegers(new long[] {127, 128}))
        .hasMessage("128 does not fit into 1 bytes");
    assertThatThrownBy(() -> points.setNumbers(new ScaledValues(new long[] {10, 25}, 1, null)))
        .hasMessage("an integer of 2.5");
    points.setIntegers(new long[] {-128, 127});
  }

  private static DecodedPoints stored(int... flags) {
    Output out = new Output(2 * flags.length);
    for (int each : flags) {
      out.put(each);
      out.putVarint(1);
    }
    byte[] bytes = out.toBytes();
    int[] offsets = new int[flags.length];
    Arrays.setAll(offsets, i -> i * 1000);
    return new DecodedPoints(
        new RowPoints(), offsets, false, ValueRule.STORED, new Input(bytes, 0, bytes.length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0000", "7123", "EFFF", "F000", "F3FF", "FFFF"})
  void whatIsReadForAFormThatCantBeDecodedIsCorrupt(String start) {
    byte[] bytes = HexFormat.of().parseHex(start);
    CompactedCell cell = CodedPoints.undecodable(bytes);
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
    decoder.start();

    assertThat(cell.qualifier()).startsWith(bytes);
    assertThat(DataCell.of(cell.qualifier(), cell.value()))
        .satisfies(read -> assertThat(read.isCorrupt()).isTrue())
        .satisfies(read -> assertThat(read.points().size()).isZero());
    assertThatThrownBy(() -> decoder.add(cell.qualifier(), cell.value(), 7))
        .isInstanceOf(CorruptDataException.class);
  }

  private static CompactedCell cellOf(RowPoints points) {
    return CompactedCell.of(points, 0, points.size());
  }

  @ParameterizedTest
  @EnumSource
  void changedBytesAreDecodedOrNamedAsMalformed(CodedSeries series) {
    for (int i = 0; i < CELLS; i++) {
      CompactedCell cell = series.cell(random);
      byte[] coded = CodedPoints.encode(cell.qualifier(), cell.value());
      for (int change = 0; change < 3; change++) {
        coded[random.nextInt(Math.min(coded.length, 30))] = (byte) random.nextInt();
        decodeOrName(coded, coded.length);
      }
      decodeOrName(coded, random.nextInt(coded.length));
    }
  }

  private void decodeOrName(byte[] coded, int to) {
    try {
      assertThat(CodedPoints.decode(coded, 0, to)).isNotNull();
    } catch (IllegalArgumentException e) {
      assertThat(e).as("seed %d", seed).hasMessageMatching("(?s).{10,}");
    }
  }

  @Test
  void anyBytesOfAnyLengthAreWhatTheyWere() {
    for (int length = 0; length < 40; length++) {
      for (int i = 0; i < 1_000; i++) {
        byte[] qualifier = new byte[length];
        random.nextBytes(qualifier);
        byte[] value = new byte[random.nextInt(100)];
        random.nextBytes(value);
        CompactedCell cell = new CompactedCell(qualifier, value);

        assertIsWhatItWas(cell, CodedPoints.encode(qualifier, value));
      }
    }
  }

  @Test
  void aCellIsDecodedFromAmongOtherBytes() {
    CompactedCell cell = CodedSeries.LOAD.cell(random);
    byte[] coded = CodedPoints.encode(cell.qualifier(), cell.value());
    byte[] around = new byte[coded.length + 20];
    Arrays.fill(around, (byte) -1);
    System.arraycopy(coded, 0, around, 7, coded.length);

    assertSame(cell, CodedPoints.decode(around, 7, 7 + coded.length));
  }

  @Test
  void otherVersionsAreNotRead() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CodedPoints.decode(HexFormat.of().parseHex("C0000000"), 0, 4))
        .withMessage("a coded cell of unknown version, header 192");
  }

  @Test
  void noBytesAreNoCell() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CodedPoints.decode(new byte[3], 2, 2))
        .withMessage("1 bytes are expected at byte 2, but only 0 are left");
  }

  private void assertIsWhatItWas(CompactedCell cell, byte[] coded) {
    assertThat(coded.length)
        .as("seed %d", seed)
        .isLessThanOrEqualTo(cell.qualifier().length + cell.value().length + 4);
    assertSame(cell, CodedPoints.decode(coded, 0, coded.length));
  }

  private void assertSame(CompactedCell cell, CompactedCell decoded) {
    assertThat(decoded.qualifier()).as("qualifier, seed %d", seed).isEqualTo(cell.qualifier());
    assertThat(decoded.value()).as("value, seed %d", seed).isEqualTo(cell.value());
  }
}
