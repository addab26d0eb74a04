package org.hourstone.query.rows;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.hourstone.RollupsCodec;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.Value;
import org.hourstone.codec.coded.CodedRollups;
import org.hourstone.kv.Cell;
import org.hourstone.kv.CodedRow;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.query.CorruptionPolicy;
import org.hourstone.rollup.RollupPlan;
import org.hourstone.rollup.RollupPoints;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class RolledColumnsTest {
  private static final byte[] KEY = {1};
  private static final long NOW = 1_500_000_000_000L;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);
  private int decoded;

  /** In which the cells of the last one count, as in a store. */
  private Row coded(List<CodedRow.Form> forms, List<Cell> cells) {
    return Row.ofCoded(
        KEY,
        new CodedRow() {
          @Override
          public String codec() {
            return CodedRollups.NAME;
          }

          @Override
          public List<Form> forms() {
            return forms;
          }

          @Override
          public Row decode() {
            decoded++;
            return row(cells);
          }
        });
  }

  private static Row row(List<Cell> cells) {
    return Row.of(
        KEY,
        cells.stream().map(Cell::qualifier).toArray(byte[][]::new),
        cells.stream().map(Cell::value).toArray(byte[][]::new),
        cells.stream().mapToLong(Cell::writeTime).toArray());
  }

  private static CodedRow.Form form(List<Cell> cells) {
    byte[] bytes = new RollupsCodec().encode(cells);
    long newest = cells.stream().mapToLong(Cell::writeTime).max().orElseThrow();
    return new CodedRow.Form(bytes, 0, bytes.length, newest);
  }

  private static Cell cell(int id, int index, long value, long time) {
    int flags = Value.flagsOf(value);
    return new Cell(RollupQualifier.encode(id, index, flags), Value.encode(flags, value), time);
  }

  private static List<String> read(Row row, DuplicatePolicy policy) {
    return read(row, policy, false);
  }

  private static List<String> read(Row row, DuplicatePolicy policy, boolean ids) {
    CorruptionPolicy corruption = new CorruptionPolicy(new Family("tsdb-rollup-1h", "t"), false);
    RolledColumns columns =
        new RolledColumns(
            RollupPlan.configuration(List.of("1h"), "tsdb"),
            List.of("sum", "count"),
            policy,
            corruption,
            ids);
    columns.decode(List.of(row));
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < columns.count(); i++) {
      RollupPoints of = columns.of(i);
      for (int j = 0; j < of.size(); j++) {
        texts.add(i + ": " + of.index(j) + "=" + of.toDouble(j));
      }
    }
    return texts;
  }

  /** Hours that are added one by one, newest first or in order, some of them again. */
  @RepeatedTest(300)
  void codedRowsHaveTheValuesOfTheirCells() {
    List<CodedRow.Form> forms = new ArrayList<>();
    TreeMap<byte[], Cell> cells = new TreeMap<>(Arrays::compareUnsigned);
    boolean backwards = random.nextBoolean();
    boolean repeats = random.nextInt(3) == 0;
    for (int step = 0; step < 5; step++) {
      int index = repeats ? random.nextInt(4) : backwards ? 20 - 2 * step : 2 * step;
      long time = NOW + random.nextInt(3) * 60_000L;
      List<Cell> more = new ArrayList<>();
      for (int id = 0; id < 4; id++) {
        for (int i = 0; i < 2; i++) {
          more.add(cell(id, index + i, random.nextInt(500), time - 5L * i));
        }
      }
      forms.add(form(more));
      more.forEach(cell -> cells.put(cell.qualifier(), cell));
    }
    List<Cell> all = List.copyOf(cells.values());

    assertThat(read(coded(forms, all), DuplicatePolicy.NEWEST_WINS))
        .as("seed %d", seed)
        .isEqualTo(read(row(all), DuplicatePolicy.NEWEST_WINS));
    if (!repeats) {
      assertThat(decoded).isZero();
    }
  }

  /** They were written before OpenTSDB 2.4, and by no computation. */
  @Test
  void cellsWithANameAreReadUnlessValuesAreComputed() {
    Cell old = new Cell("sum:\0\120".getBytes(ISO_8859_1), new byte[] {99}, NOW);
    Row row = row(List.of(cell(1, 5, 1, NOW), old));
    assertThat(read(row, DuplicatePolicy.FAIL, false)).containsExactly("0: 5=99.0", "1: 5=1.0");
    assertThat(read(row, DuplicatePolicy.FAIL, true)).containsExactly("1: 5=1.0");
  }

  @Test
  void cellsAreReadIfAFormCannotBeDecodedOrIsOlderThanTime() {
    List<Cell> cells = List.of(cell(0, 7, 5, NOW), cell(1, 7, 1, NOW));
    CodedRow.Form cut = new CodedRow.Form(form(cells).bytes(), 0, 3, NOW);
    List<Cell> old = List.of(cell(0, 1, 5, NOW), cell(0, 2, 5, 0), cell(1, 1, 1, 0));
    CodedRow.Form early = new CodedRow.Form(form(old.subList(0, 2)).bytes(), 0, 9, 1);

    for (CodedRow.Form form : List.of(cut, early)) {
      decoded = 0;
      assertThat(read(coded(List.of(form), cells), DuplicatePolicy.FAIL))
          .containsExactly("0: 7=5.0", "1: 7=1.0");
      assertThat(decoded).isEqualTo(1);
    }
  }
}
