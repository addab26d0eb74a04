package org.hourstone.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistogramCodecsTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final String SIMPLE = "{\"net.opentsdb.core.SimpleHistogramDecoder\": 42}";
  private static final SimpleHistogram ONE = HistogramText.parse("0,1=5:u=1:o=2", false);
  private static final String ONE_BYTES = "0001000000003f800000050102";

  private final HistogramCodecs codecs = HistogramCodecs.of(SIMPLE);

  @Test
  void theIdOfTheCodecPrecedesItsBytes() {
    byte[] cell = codecs.encode(42, ONE);

    assertThat(HEX.formatHex(cell)).isEqualTo("2a" + ONE_BYTES);
    assertThat(codecs.decode(cell)).isEqualTo(ONE);
    assertThat(codecs.decode(42, HEX.parseHex(ONE_BYTES), false)).isEqualTo(ONE);
    assertThat(codecs.simpleId()).isEqualTo(42);
  }

  @Test
  void theSettingMayBeAFile(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("codecs.json"), SIMPLE);

    assertThat(HistogramCodecs.of(file.toString()).simpleId()).isEqualTo(42);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HistogramCodecs.of(directory.resolve("none.json").toString()))
        .withMessageContaining("none.json");
  }

  @Test
  void aHistogramThatDoesNotFitInACellIsRefused() {
    HistogramCodecs others = HistogramCodecs.of("{\"" + CountCodec.class.getName() + "\": 7}");

    assertThat(others.encode(7, new SimpleHistogram(new TreeMap<>(), Limits.VALUE - 2, 1)))
        .hasSize(Limits.VALUE);
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(
            () -> others.encode(7, new SimpleHistogram(new TreeMap<>(), Limits.VALUE - 1, 1)))
        .withMessage("the histogram has 9000000 bytes, and at most 8999999 fit");
  }

  @Test
  void withoutTheSettingThereAreNoCodecs() {
    assertThat(HistogramCodecs.of("").isEmpty()).isTrue();
    assertThat(codecs.isEmpty()).isFalse();
  }

  @Test
  void codecsOfOthersAreFoundByTheirClassName() {
    HistogramCodecs others = HistogramCodecs.of("{\"" + CountCodec.class.getName() + "\": 7}");

    assertThat(others.decode(new byte[] {7, 3}).overflow()).isEqualTo(3);
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(others::simpleId)
        .withMessageContaining("SimpleHistogramDecoder");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'org.example.None': 1}|no histogram codec org.example.None",
        "{'net.opentsdb.core.SimpleHistogramDecoder': 128}|not in 0..127",
        "{'net.opentsdb.core.SimpleHistogramDecoder': -1}|not in 0..127",
        "{'net.opentsdb.core.SimpleHistogramDecoder': 'x'}|not in 0..127",
        "{'net.opentsdb.core.SimpleHistogramDecoder': 1,"
            + " 'org.hourstone.histogram.SimpleHistogramCodec': 1}|two histogram codecs",
        "[]|not a JSON object",
        "{|not JSON",
      })
  void aWrongSettingIsRefused(String setting, String fault) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HistogramCodecs.of(setting.replace('\'', '"')))
        .withMessageContaining(fault);
  }

  @ParameterizedTest
  @CsvSource({"'', no bytes", "2b00, codec 43", "aa00, codec 170", "2a00, too few"})
  void cellsThatCanNotBeDecodedAreNamed(String hex, String fault) {
    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(() -> codecs.decode(HEX.parseHex(hex)))
        .withMessageContaining(fault);
  }

  @Test
  void theHistogramsOfAMixedRowAreReadInTheOrderOfTimeTheNewestOfEachInstant() {
    Row row =
        row(
            "00c0:05", // a point
            "01000a:7b7d", // an annotation
            "050000:00c005", // an append cell
            "0600000001:2a0001000000003f800000000000",
            "0600002710:2a0001000000003f800000090000@4", // 10 s, older
            "06000a:2a" + ONE_BYTES + "@5",
            "060010:2a" + ONE_BYTES);

    assertThat(new HistogramRowDecoder(codecs).decode(row))
        .containsExactly(
            new HistogramPoint(1, HistogramText.parse("0,1=0", false)),
            new HistogramPoint(10_000, ONE),
            new HistogramPoint(16_000, ONE));
  }

  private static Row row(String... cells) {
    List<String[]> parts = List.of(cells).stream().map(cell -> cell.split("[:@]")).toList();
    return Row.of(
        new byte[] {1},
        parts.stream().map(part -> HEX.parseHex(part[0])).toArray(byte[][]::new),
        parts.stream().map(part -> HEX.parseHex(part[1])).toArray(byte[][]::new),
        parts.stream().mapToLong(part -> part.length == 3 ? Long.parseLong(part[2]) : 1).toArray());
  }
}
