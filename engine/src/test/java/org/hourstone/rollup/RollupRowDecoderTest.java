package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.Value;
import org.hourstone.error.RequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RollupRowDecoderTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final RollupConfig CONFIG = RollupConfig.of(RollupConfigTest.SETTING);

  @Test
  void onlyTheCellsOfTheAggregationAreRead() {
    String[] row = {
      "0013b0:64", "0013c1:044c", "00144b:41480000", "0113b0:3c", "0213c0:ff", "010000:7b7d"
    };

    assertThat(read("sum", DuplicatePolicy.FAIL, row))
        .containsExactly("315=100", "316=1100", "324=12.5");
    assertThat(read("min", DuplicatePolicy.FAIL, row)).containsExactly("316=-1");
    assertThat(read("max", DuplicatePolicy.FAIL, row)).isEmpty();
  }

  @Test
  void cellsWithTheAggregationsNameAreReadAmongThoseWithItsId() {
    assertThat(
            read(
                "SUM",
                DuplicatePolicy.FAIL,
                "000010:01",
                "000030:03",
                "6d61783a0040:09",
                "73756d3a0000:00",
                "73756d3a0020:02"))
        .containsExactly("0=0", "1=1", "2=2", "3=3");
  }

  @ParameterizedTest
  @CsvSource({"1, 2, 9.0", "2, 1, 5", "1, 1, 9.0"})
  void ofTwoValuesOfAnIntervalTheOneWrittenLastIsKeptAndAmongEquallyOldTheOneReadLast(
      long first, long second, String kept) {
    assertThat(
            read(
                "sum",
                DuplicatePolicy.NEWEST_WINS,
                "000010:05@" + first,
                "00001b:41100000@" + second))
        .containsExactly("1=" + kept);
  }

  @Test
  void duplicatesFailUnlessTheirBytesAreEqualWhereThePolicyIsToFail() {
    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(() -> read("sum", DuplicatePolicy.FAIL, "000010:05", "00001b:41100000"))
        .withMessageContaining("Two values of the interval 1");
    assertThat(read("sum", DuplicatePolicy.FAIL, "000013:41100000", "00001b:41100000"))
        .containsExactly("1=1091567616");
  }

  @ParameterizedTest
  @CsvSource({"LARGEST_WINS, 9.0", "SMALLEST_WINS, 5"})
  void theLargestOrSmallestIsKeptWhereThatIsThePolicy(DuplicatePolicy policy, String kept) {
    assertThat(read("sum", policy, "000010:05@9", "00001b:41100000@1"))
        .containsExactly("1=" + kept);
    assertThat(read("sum", policy, "00001b:41100000@1", "000010:05@9"))
        .containsExactly("1=" + kept);
  }

  @ParameterizedTest
  @CsvSource({
    "000013:05, 1 bytes",
    "000010:'', 0 bytes",
    "000010:0500, 2 bytes",
    "000012:050505, 3"
  })
  void valuesThatAreNotWhatTheQualifierAnnouncesAreNamed(String cell, String fault) {
    assertThatExceptionOfType(CorruptDataException.class)
        .isThrownBy(() -> read("sum", DuplicatePolicy.NEWEST_WINS, cell.replace("'", "")))
        .withMessageContaining(fault);
  }

  @Test
  void anAggregationWithoutAnIdIsRefused() {
    assertThatExceptionOfType(RequestException.class)
        .isThrownBy(() -> new RollupRowDecoder(CONFIG, "avg", DuplicatePolicy.FAIL))
        .withMessage("No ID found mapping to aggregator: avg");
  }

  @Test
  void whateverOrderCellsComeInTheNewestOfEachIntervalIsRead() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      Map<Integer, Long> newest = new TreeMap<>();
      List<long[]> writes = new ArrayList<>();
      for (int time = 0; time < 1 + random.nextInt(50); time++) {
        long value = random.nextLong() >> random.nextInt(64);
        int index = random.nextInt(20);
        writes.add(new long[] {index, value, time});
        newest.put(index, value);
      }
      Collections.shuffle(writes, random);
      RollupRowDecoder decoder = new RollupRowDecoder(CONFIG, "max", DuplicatePolicy.NEWEST_WINS);
      RollupPoints points = new RollupPoints();
      decoder.start();
      for (long[] write : writes) {
        int flags = Value.flagsOf(write[1]);
        decoder.add(
            RollupQualifier.encode(3, (int) write[0], flags),
            Value.encode(flags, write[1]),
            write[2]);
      }
      decoder.finish(points);

      Map<Integer, Long> read = new TreeMap<>();
      for (int i = 0; i < points.size(); i++) {
        assertThat(read.put(points.index(i), points.raw(i))).describedAs("seed %d", seed).isNull();
      }
      assertThat(read).describedAs("seed %d, round %d", seed, round).isEqualTo(newest);
    }
  }

  private static List<String> read(String aggregator, DuplicatePolicy policy, String... row) {
    return texts(points(aggregator, policy, row));
  }

  /** Cells are "qualifier:value" or "qualifier:value@writeTime". */
  private static RollupPoints points(String aggregator, DuplicatePolicy policy, String... row) {
    RollupRowDecoder decoder = new RollupRowDecoder(CONFIG, aggregator, policy);
    RollupPoints points = new RollupPoints();
    decoder.start();
    for (String cell : row) {
      String[] parts = cell.split("[:@]", -1);
      long writeTime = parts.length == 3 ? Long.parseLong(parts[2]) : 0;
      decoder.add(HEX.parseHex(parts[0]), HEX.parseHex(parts[1]), writeTime);
    }
    decoder.finish(points);
    return points;
  }

  private static List<String> texts(RollupPoints points) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      Object value = points.isFloat(i) ? (Object) points.toDouble(i) : (Object) points.raw(i);
      texts.add(points.index(i) + "=" + value);
    }
    return texts;
  }
}
