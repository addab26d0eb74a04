package org.hourstone.codec.coded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodedRollupsTest {
  private static final int ROUNDS = 3_000;
  private static final int[] LENGTHS = {1, 2, 4, 8};

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  /** The examples of docs/format/coded-cells.md. */
  @ParameterizedTest
  @CsvSource({
    "00014B=4512C000 010140=3C 02014B=41200000 03014B=42C80000,41011450D8240078501450C801",
    "000011=012C 000021=0168 010010=3C 010020=3C,430200010201007CD80478007C7800",
    "000011=012C 010010=3C 020010=05,4303000102010100D8040078000A",
    "000010=05 0080=07,600200030100001005000201008007",
  })
  void examples(String cells, String expected) {
    List<PlainCell> given = new ArrayList<>();
    for (String cell : cells.split(" ")) {
      String[] parts = cell.split("=");
      given.add(
          new PlainCell(HexFormat.of().parseHex(parts[0]), HexFormat.of().parseHex(parts[1]), 0));
    }
    byte[] coded = CodedRollups.encode(given);

    assertThat(HexFormat.of().withUpperCase().formatHex(coded)).isEqualTo(expected);
    assertSame(CodedRollups.decode(coded, 0, coded.length, id -> true), given);
  }

  @Test
  void valuesOfEachAggregationForEachIntervalAreWhatTheyWere() {
    for (int round = 0; round < ROUNDS; round++) {
      assertAreWhatTheyWere(grid());
    }
  }

  @Test
  void anyCellsAreWhatTheyWere() {
    for (int round = 0; round < ROUNDS; round++) {
      TreeMap<byte[], PlainCell> cells = new TreeMap<>(Arrays::compareUnsigned);
      grid().forEach(cell -> cells.put(cell.qualifier(), cell));
      for (int i = random.nextInt(4); i >= 0; i--) {
        byte[] qualifier = new byte[random.nextInt(5)];
        random.nextBytes(qualifier);
        byte[] value = new byte[random.nextInt(10)];
        random.nextBytes(value);
        cells.put(
            qualifier,
            new PlainCell(qualifier, value, random.nextInt(3) * random.nextLong(1L << 44)));
      }
      if (random.nextBoolean()) {
        cells.pollFirstEntry();
      }
      if (!cells.isEmpty()) {
        assertAreWhatTheyWere(List.copyOf(cells.values()));
      }
    }
  }

  @Test
  void aDayOfHoursTakesAThirdOfItsValues() {
    List<PlainCell> day = new ArrayList<>();
    double level = 5_000;
    double[] sums = new double[24];
    for (int hour = 0; hour < 24; hour++) {
      for (int minute = 0; minute < 60; minute++) {
        level += random.nextInt(21) - 10;
        sums[hour] += level / 100;
      }
    }
    add(day, 0, hour -> sums[hour]);
    for (int hour = 0; hour < 24; hour++) {
      day.add(plain(1, hour, 0, 60));
    }
    add(day, 2, hour -> Math.rint(sums[hour] / 60 * 100) / 100 - 0.5);
    add(day, 3, hour -> Math.rint(sums[hour] / 60 * 100) / 100 + 0.5);

    int values = day.stream().mapToInt(cell -> cell.value().length).sum();
    assertThat(CodedRollups.encode(day).length).as("seed %d", seed).isLessThan(values / 3);
  }

  @Test
  void aggregationsThatAreNotWantedAreLeftOut() {
    List<PlainCell> cells =
        List.of(plain(0, 7, 0, 5), plain(1, 7, 0, 1), plain(2, 7, 0, 4), plain(3, 7, 0, 6));
    byte[] coded = CodedRollups.encode(cells);

    assertSame(
        CodedRollups.decode(coded, 0, coded.length, id -> id == 1 || id == 2), cells.subList(1, 3));
  }

  @Test
  void columnsHaveTheValuesOfTheCells() {
    for (int round = 0; round < ROUNDS; round++) {
      List<PlainCell> cells = grid();
      byte[] coded = CodedRollups.encode(cells);
      int wanted = cells.get(random.nextInt(cells.size())).qualifier()[0];
      List<PlainCell> read = new ArrayList<>();
      boolean areColumns =
          CodedRollups.read(
              coded,
              0,
              coded.length,
              id -> id == wanted,
              (id, of, ages) -> add(id, of, ages, read));

      assertThat(areColumns).as("seed %d", seed).isTrue();
      assertSame(read, cells.stream().filter(cell -> cell.qualifier()[0] == wanted).toList());
    }
    byte[] others = CodedRollups.encode(List.of(new PlainCell(new byte[3], new byte[3], 0)));
    assertThat(CodedRollups.read(others, 0, others.length, id -> true, (id, of, ages) -> {}))
        .isFalse();
  }

  private static void add(int id, RowPoints column, long[] ages, List<PlainCell> into) {
    for (int i = 0; i < column.size(); i++) {
      int flags = column.flags(i);
      into.add(
          new PlainCell(
              RollupQualifier.encode(id, column.offset(i) / 1000, flags),
              Value.encode(flags, column.raw(i)),
              ages[i]));
    }
  }

  private static void add(List<PlainCell> cells, int id, IntToDoubleFunction values) {
    for (int hour = 0; hour < 24; hour++) {
      double value = values.applyAsDouble(hour);
      cells.add(plain(id, hour, Value.DOUBLE_FLAGS, Value.rawOf(value)));
    }
  }

  /** A form that was cut, or whose bytes changed, is refused as such, or has other cells. */
  @Test
  void otherBytesAreRefused() {
    for (int round = 0; round < ROUNDS; round++) {
      byte[] coded = CodedRollups.encode(grid());
      byte[] changed = Arrays.copyOf(coded, random.nextInt(coded.length + 1));
      if (changed.length > 0 && random.nextBoolean()) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(CodedRollups.decode(changed, 0, changed.length, id -> true)).isNotNull();
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CodedRollups.decode(new byte[] {(byte) 0xFF}, 0, 1, id -> true))
        .withMessage("coded rolled-up values with the header 255");
  }

  private void assertAreWhatTheyWere(List<PlainCell> cells) {
    byte[] coded = CodedRollups.encode(cells);
    byte[] inside = new byte[coded.length + 5];
    random.nextBytes(inside);
    System.arraycopy(coded, 0, inside, 2, coded.length);

    assertSame(CodedRollups.decode(inside, 2, 2 + coded.length, id -> true), cells);
  }

  private void assertSame(List<PlainCell> decoded, List<PlainCell> cells) {
    assertThat(decoded.stream().map(CodedRollupsTest::text))
        .as("seed %d", seed)
        .containsExactlyElementsOf(cells.stream().map(CodedRollupsTest::text).toList());
  }

  private static String text(PlainCell cell) {
    return HexFormat.of().formatHex(cell.qualifier())
        + "="
        + HexFormat.of().formatHex(cell.value())
        + " "
        + cell.age();
  }

  private List<PlainCell> grid() {
    List<PlainCell> cells = new ArrayList<>();
    int count = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(90);
    int[] indexes = new int[count];
    int index = random.nextInt(3_000);
    boolean consecutive = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      indexes[i] = index;
      index += consecutive ? 1 : 1 + random.nextInt(12);
    }
    long[] ages = new long[count];
    if (random.nextBoolean()) {
      Arrays.setAll(ages, i -> (count - i) * 3_600_000L + random.nextInt(100));
    }
    int[] ids = random.nextBoolean() ? new int[] {0, 1, 2, 3} : new int[] {random.nextInt(128)};
    for (int id : ids) {
      int kind = random.nextInt(7);
      long level = random.nextLong() >> random.nextInt(63);
      for (int i = 0; i < count; i++) {
        level += random.nextLong() >> (40 + random.nextInt(24));
        PlainCell cell = cell(id, indexes[i], kind, level);
        cells.add(new PlainCell(cell.qualifier(), cell.value(), ages[i]));
      }
    }
    return cells;
  }

  /** Integers, in the fewest bytes or not, decimals, near decimals, floats, any bits, a mixture. */
  private PlainCell cell(int id, int index, int kind, long level) {
    return switch (kind) {
      case 0 -> plain(id, index, Value.flagsOf(level), level);
      case 1 -> plain(id, index, LENGTHS[random.nextInt(4)] - 1, level);
      case 2 -> plain(id, index, Value.DOUBLE_FLAGS, Value.rawOf(level / 100.0));
      case 3 -> plain(id, index, Value.DOUBLE_FLAGS, Value.rawOf(level / 100.0 + 1e-12));
      case 4 -> plain(id, index, Value.FLOAT_FLAGS, Value.rawOf((float) (level / 10.0)));
      case 5 -> plain(id, index, Value.DOUBLE_FLAGS, random.nextLong());
      case 6 -> cell(id, index, random.nextInt(6), level);
      default -> throw new AssertionError(kind);
    };
  }

  private static PlainCell plain(int id, int index, int flags, long raw) {
    long fits = Qualifier.isFloat(flags) ? raw : Value.decode(flags, Value.encode(flags, raw), 0);
    return new PlainCell(RollupQualifier.encode(id, index, flags), Value.encode(flags, fits), 0);
  }
}
