package org.hourstone.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackedPointsTest {
  private static final int[] LEGAL = {0, 1, 3, 7, Value.FLOAT_FLAGS, Value.DOUBLE_FLAGS};

  private static List<String> texts(RowPoints points, int first) {
    List<String> texts = new ArrayList<>();
    for (int i = first; i < points.size(); i++) {
      texts.add(
          points.offset(i)
              + (points.isMillis(i) ? " ms " : " s ")
              + points.flags(i)
              + " "
              + points.raw(i));
    }
    return texts;
  }

  /** Points with equal or different steps, flags and widths, in order or not. */
  private static RowPoints random(Random random) {
    RowPoints points = new RowPoints();
    int count = 2 + random.nextInt(random.nextBoolean() ? 4 : 400);
    boolean regular = random.nextBoolean();
    int kinds = random.nextBoolean() ? 1 : LEGAL.length;
    int firstKind = random.nextInt(LEGAL.length);
    int step = random.nextInt(5) - 1;
    int shift = random.nextInt(Long.SIZE);
    boolean millis = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      int flags = LEGAL[(firstKind + random.nextInt(kinds)) % LEGAL.length];
      boolean isFloat = flags == Value.FLOAT_FLAGS;
      long raw = isFloat ? Value.rawOf(random.nextFloat() - 0.5f) : random.nextLong() >> shift;
      int offset = regular ? 10_000 + i * step : random.nextInt(3_600_000);
      points.add(offset, millis != (kinds > 1 && random.nextInt(9) == 0), flags, raw);
    }
    return points;
  }

  @Test
  void pointsAreTheSameOncePacked() {
    RowPoints unpacked = new RowPoints();
    for (int seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      RowPoints points = random(random);
      int first = random.nextInt(points.size() - 1);
      PackedPoints packed = points.packed(first);
      assertThat(packed.size()).isEqualTo(points.size() - first);
      if (random.nextBoolean()) {
        unpacked.clear();
      }
      List<String> expected = texts(unpacked, 0);
      unpacked.addAll(packed);
      expected.addAll(texts(points, first));
      assertThat(texts(unpacked, 0)).as("seed %d", seed).isEqualTo(expected);
      if (unpacked.size() > 5_000) {
        unpacked.clear();
      }
    }
  }

  @Test
  void packedPointsDoNotChangeWithTheirOrigin() {
    RowPoints points = new RowPoints();
    points.add(2000, false, 0, 1);
    points.add(1000, false, 0, 2);
    PackedPoints packed = points.packed(0);
    points.sort();
    RowPoints unpacked = new RowPoints();
    unpacked.addAll(packed);
    assertThat(texts(unpacked, 0)).containsExactly("2000 s 0 1", "1000 s 0 2");
    unpacked.sort();
    unpacked.clear();
    unpacked.addAll(packed);
    assertThat(texts(unpacked, 0)).containsExactly("2000 s 0 1", "1000 s 0 2");
  }

  @ParameterizedTest
  @CsvSource({
    "100, 1",
    "-129, 2",
    "30000, 2",
    "40000, 4",
    "-2147483648, 4",
    "4294967295, 4",
    "4294967296, 8"
  })
  void aValueTakesAsManyBytesAsTheWidestOne(long widest, int bytes) {
    RowPoints points = new RowPoints();
    for (int i = 0; i < 360; i++) {
      points.add(i * 10_000, false, 7, i == 17 ? widest : 1);
    }
    assertThat(points.packed(0).memoryBytes()).isBetween(360L * bytes, 360L * bytes + 150);
  }

  @Test
  void aFloatTakesFourBytes() {
    RowPoints points = new RowPoints();
    for (int i = 0; i < 360; i++) {
      points.add(i * 10_000, false, Value.FLOAT_FLAGS, Value.rawOf(0.5f - i));
    }
    assertThat(points.packed(0).memoryBytes()).isBetween(360L * 4, 360L * 4 + 150);
  }

  /** What is known of the order of points holds however they are changed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cellsAreMergedAsIfTheyWereNotPacked(boolean inStoredOrder) {
    RowDecoder packing = new RowDecoder(DuplicatePolicy.NEWEST_WINS, inStoredOrder);
    RowDecoder plain = new RowDecoder(DuplicatePolicy.NEWEST_WINS, inStoredOrder);
    for (int seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      packing.start();
      plain.start();
      for (int cell = random.nextInt(3); cell >= 0; cell--) {
        RowPoints points = random(random);
        PackedPoints packed = points.packed(0);
        long writeTime = random.nextInt(3);
        boolean packs = random.nextInt(4) > 0;
        packing.add(
            to -> {
              if (packs) {
                to.addAll(packed);
              } else {
                addEach(points, to);
              }
              return true;
            },
            writeTime);
        plain.add(
            to -> {
              addEach(points, to);
              return true;
            },
            writeTime);
      }
      assertThat(texts(packing.finish(), 0))
          .as("seed %d", seed)
          .isEqualTo(texts(plain.finish(), 0));
    }
  }

  private static void addEach(RowPoints points, RowPoints to) {
    for (int i = 0; i < points.size(); i++) {
      to.addFrom(points, i);
    }
  }
}
