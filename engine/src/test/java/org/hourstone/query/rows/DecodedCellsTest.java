package org.hourstone.query.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Value;
import org.hourstone.codec.coded.CodedPoints;
import org.hourstone.kv.CodedCell;
import org.hourstone.kv.FamilyCodec;
import org.hourstone.query.DecodedCellStats;
import org.hourstone.query.rows.DecodedCells.Reader;
import org.junit.jupiter.api.Test;

class DecodedCellsTest {
  private static final int ENOUGH = 10 << 20;

  /** A cell as a store would return it: the same arrays or others. */
  private record Coded(byte[] bytes, byte[] start) implements CodedCell {
    @Override
    public String codec() {
      return CodedPoints.NAME;
    }

    @Override
    public FamilyCodec.Decoded decode() {
      throw new AssertionError("the cell's bytes are not needed");
    }
  }

  private static Coded coded(RowPoints points) {
    CompactedCell cell = CompactedCell.of(points, 0, points.size());
    byte[] bytes = CodedPoints.encode(cell.qualifier(), cell.value());
    return new Coded(bytes, Arrays.copyOf(cell.qualifier(), 2));
  }

  /** An hour of a walk of integers, another one for each number. */
  private static Coded hour(int number) {
    Random random = new Random(number);
    RowPoints points = new RowPoints();
    long value = random.nextInt(100);
    for (int i = 0; i < 360; i++) {
      value += random.nextInt(5) - 2;
      points.add(i * 10_000, false, Value.flagsOf(value), value);
    }
    return coded(points);
  }

  private static List<Coded> hours(int first, int count) {
    List<Coded> hours = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      hours.add(hour(first + i));
    }
    return hours;
  }

  private static Coded any(Random random) {
    RowPoints points = new RowPoints();
    int count = 2 + random.nextInt(200);
    int step = 1 + random.nextInt(3_599 / count);
    boolean millis = random.nextInt(3) == 0;
    int kind = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      int offset = i * step * 1000 + (millis ? random.nextInt(1000) : 0);
      switch (kind == 3 ? random.nextInt(3) : kind) {
        case 0 -> {
          long value = random.nextLong() >> random.nextInt(64);
          points.add(offset, millis, Value.flagsOf(value), value);
        }
        case 1 ->
            points.add(offset, millis, Value.DOUBLE_FLAGS, Value.rawOf(random.nextInt(999) / 10.0));
        default ->
            points.add(offset, millis, Value.FLOAT_FLAGS, Value.rawOf(random.nextInt(999) / 8f));
      }
    }
    return coded(points);
  }

  private static List<String> ask(Reader reader, Coded cell) {
    RowPoints points = new RowPoints();
    if (!reader.addPoints(new Coded(cell.bytes.clone(), cell.start.clone()), points)) {
      return List.of("no points");
    }
    return texts(points);
  }

  private static List<String> texts(RowPoints points) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      texts.add(
          points.offset(i) + " " + points.isMillis(i) + points.flags(i) + " " + points.raw(i));
    }
    return texts;
  }

  /** Asks for each cell, and returns how many were found. */
  private static long ask(DecodedCells cells, List<Coded> asked) {
    long before = cells.stats().hits();
    RowPoints points = new RowPoints();
    try (Reader reader = cells.reader()) {
      for (Coded cell : asked) {
        points.clear();
        assertThat(reader.addPoints(cell, points)).isTrue();
      }
    }
    return cells.stats().hits() - before;
  }

  /** Asks for each cell several times, so that as many are kept as fit. */
  private static void learn(DecodedCells cells, List<Coded> asked) {
    for (int time = 0; time < 20; time++) {
      ask(cells, asked);
    }
  }

  @Test
  void pointsFoundAreThoseDecoded() {
    DecodedCells cells = new DecodedCells(ENOUGH);
    try (Reader reader = cells.reader();
        Reader uncached = new DecodedCells(0).reader()) {
      for (int seed = 0; seed < 2_000; seed++) {
        Coded cell = any(new Random(seed));
        List<String> expected = ask(uncached, cell);
        for (int time = 0; time < 4; time++) {
          assertThat(ask(reader, cell)).as("cell %d", seed).isEqualTo(expected);
        }
      }
    }
    assertThat(cells.stats().hits()).as("found at the third time").isGreaterThan(1_000);
  }

  @Test
  void mostCellsAreFoundFromTheThirdTimeOnAndAllOfThemSoon() {
    DecodedCells cells = new DecodedCells(ENOUGH);
    List<Coded> hours = hours(0, 1_000);
    assertThat(ask(cells, hours)).isZero();
    assertThat(cells.stats()).isEqualTo(new DecodedCellStats(0, 0, 0, 1_000));
    assertThat(ask(cells, hours)).isZero();
    assertThat(cells.stats().cells()).isGreaterThan(900);
    learn(cells, hours);
    assertThat(ask(cells, hours)).isEqualTo(1_000);
    assertThat(cells.stats().cells()).isEqualTo(1_000);
    assertThat(cells.stats().bytes()).as("of 360,000 points").isBetween(360_000L, 1_000_000L);
  }

  @Test
  void aCellOfFewPointsIsNotKept() {
    DecodedCells cells = new DecodedCells(ENOUGH);
    RowPoints points = new RowPoints();
    for (int i = 0; i < 20; i++) {
      points.add(i * 60_000, false, Value.DOUBLE_FLAGS, Value.rawOf(Math.sin(i)));
    }
    Coded cell = coded(points);
    learn(cells, List.of(cell));
    assertThat(ask(cells, List.of(cell))).isZero();
  }

  @Test
  void aCellThatBeginsOtherwiseIsRefusedEachTime() {
    DecodedCells cells = new DecodedCells(ENOUGH);
    Coded sound = hour(1);
    learn(cells, List.of(sound));
    Coded other = new Coded(sound.bytes, new byte[] {1, 0});
    refuses(cells, other);
    Coded corrupt = new Coded(Arrays.copyOf(sound.bytes, sound.bytes.length - 1), sound.start);
    refuses(cells, corrupt);
    assertThat(cells.stats().cells()).isEqualTo(1);
  }

  private static void refuses(DecodedCells cells, Coded cell) {
    try (Reader reader = cells.reader()) {
      for (int time = 0; time < 4; time++) {
        RowPoints points = new RowPoints();
        assertThatThrownBy(() -> reader.addPoints(cell, points))
            .isInstanceOf(IllegalArgumentException.class);
        assertThat(points.size()).isZero();
      }
    }
  }

  @Test
  void nothingIsKeptWithoutMemory() {
    DecodedCells cells = new DecodedCells(0);
    Coded cell = hour(1);
    learn(cells, List.of(cell));
    assertThat(ask(cells, List.of(cell))).isZero();
    assertThat(cells.stats()).isEqualTo(new DecodedCellStats(0, 0, 0, 0));
  }

  @Test
  void whatIsReadOnceDropsNothing() {
    DecodedCells cells = new DecodedCells(200 << 10);
    List<Coded> hot = hours(0, 100);
    learn(cells, hot);
    ask(cells, hours(1_000, 5_000));
    assertThat(ask(cells, hot)).isEqualTo(100);
  }

  @Test
  void whatIsReadRarelyDropsNothingThatIsReadOften() {
    DecodedCells cells = new DecodedCells(200 << 10);
    List<Coded> hot = hours(0, 200);
    List<Coded> rare = hours(1_000, 100);
    learn(cells, hot);
    for (int round = 0; round < 5; round++) {
      assertThat(ask(cells, hot)).as("round %d", round).isEqualTo(200);
      ask(cells, rare);
    }
  }

  @Test
  void aCyclicReadingOfMoreThanFitsFindsAPart() {
    DecodedCells cells = new DecodedCells(200 << 10);
    List<Coded> all = hours(0, 400);
    learn(cells, all);
    long kept = cells.stats().cells();
    assertThat(kept).isBetween(150L, 399L);
    for (int round = 0; round < 5; round++) {
      assertThat(ask(cells, all)).as("round %d", round).isEqualTo(kept);
    }
  }

  @Test
  void whatIsReadNoLongerMakesRoom() {
    DecodedCells cells = new DecodedCells(200 << 10);
    List<Coded> old = hours(0, 400);
    learn(cells, old);
    List<Coded> now = hours(1_000, 200);
    learn(cells, now);
    assertThat(ask(cells, now)).isEqualTo(200);
  }

  @Test
  void threadsKeepTheBound() throws InterruptedException, ExecutionException {
    int most = 100 << 10;
    DecodedCells cells = new DecodedCells(most);
    List<Coded> all = hours(0, 1_000);
    List<List<String>> expected = new ArrayList<>();
    try (Reader reader = new DecodedCells(0).reader()) {
      all.forEach(cell -> expected.add(ask(reader, cell)));
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random random = new Random(thread);
        running.add(
            threads.submit(
                () -> {
                  try (Reader reader = cells.reader()) {
                    for (int i = 0; i < 10_000; i++) {
                      int hour = random.nextInt(1 + random.nextInt(1_000));
                      assertThat(ask(reader, all.get(hour))).isEqualTo(expected.get(hour));
                      assertThat(cells.stats().bytes()).isBetween(0L, (long) most);
                    }
                  }
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    DecodedCellStats stats = cells.stats();
    assertThat(stats.bytes()).isGreaterThan(most / 2);
    assertThat(stats.hits()).isGreaterThan(1_000);
    assertThat(stats.hits() + stats.misses()).isEqualTo(40_000);
  }
}
