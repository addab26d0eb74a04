package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Real data into an embedded RocksDB and out again: nothing is lost, added or rounded. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NabTest {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final int DISTINCT_POINTS = 321_157;

  /** By metric and tags, by time, the value's text: of the last line if there are several. */
  private final Map<String, Map<Long, String>> expected = new TreeMap<>();

  private final Set<String> metrics = new TreeSet<>();
  private String store = "";
  private CommandRun imported = new CommandRun(-1, "", "");

  @BeforeAll
  void load(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("nab.import.gz");
    try (InputStream data = Main.class.getResourceAsStream("demo/nab.import.gz")) {
      assertThat(data).isNotNull();
      Files.copy(data, file);
    }
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), UTF_8))) {
      lines.lines().forEach(this::expect);
    }
    store = "rocksdb:" + directory.resolve("data");
    imported = CommandRun.of("--store", store, "import", file.toString());
  }

  private void expect(String line) {
    String[] words = line.split(" ");
    metrics.add(words[0]);
    String[] tags = Arrays.copyOfRange(words, 3, words.length);
    Arrays.sort(tags);
    expected
        .computeIfAbsent(words[0] + Arrays.toString(tags), series -> new TreeMap<>())
        .put(Long.parseLong(words[1]), words[2]);
  }

  @Test
  void everyLineIsStoredAndTheRepeatedTimestampsAreCounted() {
    assertThat(imported.exitCode()).isZero();
    assertThat(imported.out())
        .startsWith("321,206 points stored from 1 file")
        .contains("49 points repeat a timestamp of their series: the last one is read");
    assertThat(expected).hasSize(47);
    assertThat(expected.values().stream().mapToInt(Map::size).sum()).isEqualTo(DISTINCT_POINTS);
  }

  @Test
  void everySeriesIsReadDigitForDigit() throws IOException {
    Set<String> seen = new HashSet<>();
    for (String metric : metrics) {
      CommandRun answer =
          CommandRun.of(
              "--store", store, "query", "2010/01/01", "2016/01/01", "none:" + metric, "--json");
      assertThat(answer.err()).isEmpty();
      for (JsonNode series : JSON.readTree(answer.out())) {
        String name = name(series);
        assertThat(points(series))
            .as(name)
            .isEqualTo(numbers(expected.getOrDefault(name, Map.of())));
        assertThat(seen.add(name)).as(name).isTrue();
      }
    }
    assertThat(seen).isEqualTo(expected.keySet());
  }

  private static String name(JsonNode series) {
    String[] tags =
        series.get("tags").properties().stream()
            .map(tag -> tag.getKey() + "=" + tag.getValue().textValue())
            .sorted()
            .toArray(String[]::new);
    return series.get("metric").textValue() + Arrays.toString(tags);
  }

  private static Map<Long, BigDecimal> points(JsonNode series) {
    Map<Long, BigDecimal> points = new HashMap<>();
    series
        .get("dps")
        .properties()
        .forEach(
            point -> points.put(Long.valueOf(point.getKey()), digits(point.getValue().asText())));
    return points;
  }

  private static Map<Long, BigDecimal> numbers(Map<Long, String> texts) {
    Map<Long, BigDecimal> numbers = new HashMap<>();
    texts.forEach((time, text) -> numbers.put(time, digits(text)));
    return numbers;
  }

  private static BigDecimal digits(String text) {
    return new BigDecimal(text).stripTrailingZeros();
  }

  @Test
  void theStoredBytesFollowTheFormat() throws IOException {
    CommandRun cells = CommandRun.of("--store", store, "cells", "data");
    assertThat(cells.err()).isEmpty();
    Set<String> instants = new HashSet<>();
    byte[] lastRow = new byte[0];
    try (MappingIterator<JsonNode> lines = JSON.readerFor(JsonNode.class).readValues(cells.out())) {
      while (lines.hasNext()) {
        JsonNode cell = lines.next();
        byte[] row = bytes(cell, "row");
        assertThat(Arrays.compareUnsigned(lastRow, row)).isLessThanOrEqualTo(0);
        lastRow = row;
        checkCell(cell, row, instants);
      }
    }
    assertThat(instants).hasSize(DISTINCT_POINTS);
  }

  /** Checks a cell as docs/format has it, of one point or several; adds series and instants. */
  private static void checkCell(JsonNode cell, byte[] row, Set<String> instants) {
    assertThat(cell.get("table").textValue() + ":" + cell.get("family").textValue())
        .isEqualTo("tsdb:t");
    assertThat(row.length).as("metric, base time, one or two tags").isIn(3 + 4 + 6, 3 + 4 + 12);
    long baseTime = unsigned(row, 3, 4);
    assertThat(baseTime % 3600).isZero();
    byte[] qualifier = bytes(cell, "qualifier");
    int lengths = 0;
    for (int at = 0; at < qualifier.length; at += 2) {
      long bits = unsigned(qualifier, at, 2);
      long offset = bits >> 4;
      assertThat(offset).as("all times are whole seconds").isLessThan(3600);
      boolean isFloat = (bits & 8) != 0;
      int length = (int) (bits & 7) + 1;
      assertThat(length).isIn(isFloat ? new Object[] {4, 8} : new Object[] {1, 2, 4, 8});
      lengths += length;
      instants.add(cell.get("row").textValue() + '+' + offset);
    }
    boolean several = qualifier.length > 2;
    assertThat(bytes(cell, "value")).hasSize(several ? lengths + 1 : lengths);
  }

  private static byte[] bytes(JsonNode cell, String field) {
    return HexFormat.of().parseHex(cell.get(field).textValue());
  }

  private static long unsigned(byte[] bytes, int from, int length) {
    long value = 0;
    for (int i = from; i < from + length; i++) {
      value = value << 8 | (bytes[i] & 0xFF);
    }
    return value;
  }
}
