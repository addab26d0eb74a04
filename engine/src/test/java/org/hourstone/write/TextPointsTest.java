package org.hourstone.write;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.error.TsdbException;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A point read from bytes is the one that its line's string means. */
class TextPointsTest {
  private static final int RANDOM = Integer.getInteger("lines.random", 60_000);
  private static final String LINE = "put sys.cpu 1500001200 42 host=web01 dc=lga";

  private static final List<String> METRICS =
      List.of(
          "m", "sys.cpu", "sys.cpu.user", "caf\u00e9", "put", "bad metric", "m\t", "", "\u20ac");
  private static final List<String> TIMES =
      List.of(
          "1500001200",
          "1500001201",
          "1500001200123",
          "1500001200.123",
          "1500001200.5",
          "0",
          "-1",
          "+1500001200",
          "9999999999999",
          "10000000000000",
          "4294967295",
          "4294967296",
          "20170714",
          "2017-07-14",
          "2017-07-14T03:00:00Z",
          "now",
          "",
          "15000012000000000000",
          "999999999999999999");
  private static final List<String> VALUES =
      List.of(
          "42",
          "-1",
          "+7",
          "62.34",
          "0.0",
          "-0.0",
          "1e3",
          "1e400",
          "1e-400",
          "NaN",
          "",
          ".",
          "0x10",
          "9223372036854775807",
          "9223372036854775808",
          "5.5d",
          "0.1f",
          "1500001200");
  private static final List<String> TAGS =
      List.of(
          "host=web01",
          "host=web02",
          "dc=lga",
          "host=web01 dc=lga",
          "dc=lga host=web01",
          "",
          "host=web01  dc=lga",
          "host=web01 ",
          "host",
          "host=",
          "=a",
          "a=b=c",
          "host=web01 host=web02",
          "host=caf\u00e9",
          "host=a\tb",
          "host=\u20ac",
          "host=web01\r");

  private final ModelStore store =
      new ModelStore(new ManualClock(Instant.parse("2026-01-01T00:00:00Z")));

  @AfterEach
  void close() {
    store.close();
  }

  private Tsdb open(boolean strict) {
    TsdbOptions options = strict ? TsdbOptions.openTsdbDefaults() : TsdbOptions.defaults();
    return Tsdb.over(
        store,
        options
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.AUTO_CREATE_METRICS, "true"));
  }

  private static boolean add(TextPoints points, String line) {
    byte[] bytes = line.getBytes(ISO_8859_1);
    return points.addTelnetLine(bytes, 0, bytes.length, 0);
  }

  @Test
  void aSeriesIsKnownOnceALineWithItsTextWasPut() {
    try (Tsdb db = open(false)) {
      TextPoints points = db.writer().telnetPoints();
      assertThat(add(points, LINE)).isFalse();
      db.writer().resolver().telnet(LINE);
      assertThat(add(points, LINE)).isTrue();
      assertThat(add(points, LINE + "\r")).isTrue();
      assertThat(add(points, "put sys.cpu 1500001200 42 dc=lga host=web01")).isFalse();
      assertThat(points.size()).isEqualTo(2);
    }
  }

  @Test
  void aDroppedCacheAndARenamedTagAreNoticed() {
    try (Tsdb db = open(false)) {
      TextPoints points = db.writer().telnetPoints();
      db.writer().resolver().telnet(LINE);
      db.dropCaches();
      assertThat(add(points, LINE)).isFalse();
      db.writer().resolver().telnet(LINE);
      assertThat(add(points, LINE)).isTrue();
      db.uids().rename(UidKind.TAGV, "web01", "web09");
      assertThat(add(points, LINE)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anyTelnetLineMeansTheSameInBytes(boolean strict) {
    try (Tsdb db = open(strict)) {
      PointWriter writer = db.writer();
      compare(
          line -> writer.resolver().telnet(line),
          (points, bytes) -> points.addTelnetLine(bytes, 1, bytes.length - 1, 7),
          writer.telnetPoints(),
          "put ",
          ISO_8859_1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anyImportLineMeansTheSameInBytes(boolean strict) {
    try (Tsdb db = open(strict)) {
      PointWriter writer = db.writer();
      compare(
          line -> writer.resolver().resolve(new ImportLine(1, line, null, line)),
          (points, bytes) -> points.addImportLine(bytes, 1, bytes.length - 1, 7),
          writer.importPoints((of, time) -> true),
          "",
          UTF_8);
    }
  }

  private interface Resolver {
    ResolvedPoint resolve(String line);
  }

  private interface Adder {
    boolean add(TextPoints points, byte[] bytes);
  }

  private static void compare(
      Resolver resolver, Adder adder, TextPoints points, String start, Charset charset) {
    Random random = new Random(2);
    int taken = 0;
    List<String> usual = new ArrayList<>();
    for (int i = 0; i < RANDOM; i++) {
      String line = start + line(random);
      byte[] bytes = ("x" + line + "x").getBytes(charset);
      String decoded = new String(bytes, 1, bytes.length - 2, charset);
      @Nullable ResolvedPoint expected = null;
      try {
        expected = resolver.resolve(decoded);
      } catch (TsdbException e) {
        // must be left
      }
      int before = points.size();
      if (adder.add(points, bytes)) {
        PointColumns columns =
            Stream.of(points.gathered().shares())
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
        assertThat(columns.size).isEqualTo(1);
        ResolvedPoint read =
            new ResolvedPoint(
                columns.series[0],
                columns.timestamps[0],
                new PointValue(columns.flags[0], columns.raws[0]));
        assertThat(read).as(decoded).isEqualTo(expected);
        assertThat(columns.tokens[0]).isEqualTo(7);
        assertThat(points.size()).isEqualTo(before + 1);
        Arrays.fill(points.gathered().shares(), null);
        taken++;
      } else {
        assertThat(points.size()).isEqualTo(before);
        if (expected != null && usual.size() < 1000) {
          usual.add(decoded);
        }
      }
    }
    assertThat(taken).isGreaterThan(RANDOM / 10);
    assertThat(usual)
        .noneMatch(
            line -> line.matches("(put )?sys.cpu 150000120\\d+ (\\d{1,18}|62\\.34) host=web01"));
  }

  private static String line(Random random) {
    String line =
        pick(METRICS, random)
            + " "
            + (random.nextInt(3) > 0 ? "150000" + random.nextInt(9999) : pick(TIMES, random))
            + " "
            + pick(VALUES, random)
            + " "
            + pick(TAGS, random);
    return random.nextInt(10) > 0 ? line : mutated(line, random);
  }

  private static String pick(List<String> from, Random random) {
    int half = random.nextInt(from.size() * 2);
    return from.get(half < from.size() ? half : random.nextInt(2));
  }

  private static String mutated(String line, Random random) {
    int at = random.nextInt(line.length());
    String inserted = String.valueOf("  \t\r=.-1ea\u00e9\u0000".charAt(random.nextInt(12)));
    return random.nextBoolean()
        ? line.substring(0, at) + inserted + line.substring(at)
        : line.substring(0, at) + line.substring(at + 1);
  }
}
