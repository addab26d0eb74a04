package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowDecoderTest {
  private final RowPoints points = new RowPoints();

  /** Cells as "qualifier:value@time", parted by blanks; the answer as "offset=value". */
  private String decode(DuplicatePolicy policy, String cells) {
    RowDecoder decoder = new RowDecoder(policy, false);
    decoder.start();
    for (String cell : cells.split(" ")) {
      String[] parts = cell.split("[:@]", -1);
      decoder.add(
          HexFormat.of().parseHex(parts[0]),
          HexFormat.of().parseHex(parts[1]),
          parts.length > 2 ? Long.parseLong(parts[2]) : 1);
    }
    decoder.finish(points);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < points.size(); i++) {
      text.append(i == 0 ? "" : " ").append(points.offset(i)).append('=');
      text.append(points.isFloat(i) ? "" + points.toDouble(i) : "" + points.raw(i));
    }
    return text.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "0000:04 0010:05, 0=4 1000=5",
    "0010:05 F00001C0:04, 7=4 1000=5",
    "00000010:040500, 0=4 1000=5",
    "00000010:0405, 0=4 1000=5",
    "F00001C00010:040501, 7=4 1000=5",
    "00000010:040500 0020:06, 0=4 1000=5 2000=6",
    "050000:000004001005, 0=4 1000=5",
    "050000:001005000004001006, 0=4 1000=6",
    "050000:000004F000FA4005, 0=4 1001=5",
    "0020:06 050000:000004001005, 0=4 1000=5 2000=6",
    "000B:0000000042280000, 0=42.0",
    "0007:0000002A, 0=42",
    "0000:000000000000002A, 0=42",
    "F000000B:0000000042280000, 0=0.0",
    "0000:04 010000:7B7D 06001E:2A 020000:01, 0=4",
  })
  void everyFormOfCellIsRead(String cells, String expected) {
    assertThat(decode(DuplicatePolicy.FAIL, cells)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0010:05@1 0011:0006@2, 1000=6",
    "0010:05@9 0011:0006@2, 1000=5",
    "0010:05@3 0011:0006@3, 1000=5",
    "00A0:01@1 F009C400:02@2, 10000=2",
    "0010:05@1 050000:001007@2, 1000=7",
    "0010:05@3 050000:001007001008@2, 1000=5",
    "0010:05@1 050000:001007001008@2, 1000=8",
  })
  void theNewestOfOneTimestampWins(String cells, String expected) {
    assertThat(decode(DuplicatePolicy.NEWEST_WINS, cells)).isEqualTo(expected);
    assertThatThrownBy(() -> decode(DuplicatePolicy.FAIL, cells))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining("Duplicate timestamp");
  }

  @Test
  void equalBytesAreNoConflictWhateverTheirType() {
    assertThat(decode(DuplicatePolicy.FAIL, "0013:42280000@1 001B:42280000@2"))
        .isEqualTo("1000=42.0");
  }

  @Test
  void aLaterAppendIsNotAConflict() {
    assertThat(decode(DuplicatePolicy.FAIL, "050000:001005001006")).isEqualTo("1000=6");
  }

  @ParameterizedTest
  @CsvSource({
    "000B:FFFFFFFF42280000, first 4 bytes are expected to be zeros",
    "0000:, not on 8/4/2/1 bytes",
    "0002:000001, not on 8/4/2/1 bytes",
    "00000010:04, was expecting to consume 2",
    "0000F000:0405, cut off",
    "050000:000304, was expecting to consume",
    "050000:00, cut off",
    "F0000003:0102, was expecting to consume 4",
  })
  void corruptCellsAreNamed(String cells, String message) {
    assertThatThrownBy(() -> decode(DuplicatePolicy.NEWEST_WINS, cells))
        .isInstanceOf(CorruptDataException.class)
        .hasMessageContaining(message);
  }

  @Test
  void anyBytesEndInPointsOrANamedError() {
    Random random = new Random(17);
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
    int decoded = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] qualifier = new byte[random.nextInt(9)];
      byte[] value = new byte[random.nextInt(12)];
      random.nextBytes(qualifier);
      random.nextBytes(value);
      if (i % 3 == 0) {
        qualifier = new byte[] {5, 0, 0};
      }
      decoder.start();
      try {
        decoder.add(qualifier, value, 1);
        decoder.finish(points);
        decoded += points.size();
        assertThat(points.isAscending()).isTrue();
      } catch (CorruptDataException e) {
        assertThat(e).hasMessageContaining("bytes");
      }
    }
    assertThat(decoded).isPositive();
  }

  /** Qualifiers of seconds and milliseconds, values of all types, in runs of some or of one. */
  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4", "5"})
  void runsOfEqualFlagsAreReadAsSinglePointsAre(long seed) {
    Random random = new Random(seed);
    RowPoints expected = new RowPoints();
    int[] legal = {0, 1, 3, 7, Value.FLOAT_FLAGS, Value.DOUBLE_FLAGS};
    ByteArrayOutputStream qualifiers = new ByteArrayOutputStream();
    ByteArrayOutputStream values = new ByteArrayOutputStream();
    int flags = 0;
    boolean millis = false;
    for (int second = 0; second < 3600; second++) {
      if (random.nextInt(9) == 0) {
        flags = legal[random.nextInt(legal.length)];
        millis = random.nextInt(3) == 0;
      }
      byte[] value = new byte[Qualifier.valueLength(flags)];
      random.nextBytes(value);
      qualifiers.writeBytes(
          millis
              ? Qualifier.encodeMillis(second * 1000, flags)
              : Qualifier.encodeSeconds(second, flags));
      values.writeBytes(value);
      expected.add(second * 1000, millis, flags, new BigInteger(value).longValue());
    }
    values.write(0);
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.FAIL, random.nextBoolean());
    decoder.start();
    assertThat(decoder.add(qualifiers.toByteArray(), values.toByteArray(), 1)).isEqualTo(1);
    decoder.finish(points);
    assertThat(points.size()).isEqualTo(expected.size());
    for (int i = 0; i < points.size(); i++) {
      assertThat(points.offset(i)).isEqualTo(expected.offset(i));
      assertThat(points.flags(i)).isEqualTo(expected.flags(i));
      assertThat(points.isMillis(i)).isEqualTo(expected.isMillis(i));
      assertThat(points.valueBytes(i)).isEqualTo(expected.valueBytes(i));
    }
  }
}
