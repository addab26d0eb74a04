package org.hourstone.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What changes do to a row, above all the truth table of {@link KeyValueStore#replaceCells}. */
class RowEditTest {
  private static final long SEED = 20261122;
  private static final long NOW = 100;
  private static final byte[] KEY = {1};
  private static final List<String> QUALIFIERS = List.of("", "a", "b", "c");

  /** A cell in short. */
  private record Held(String value, long time) {}

  private final Random random = new Random(SEED);

  /** Rows, observations and replacements at random, checked qualifier by qualifier. */
  @Test
  void replaceFollowsTheTruthTable() {
    int replacements = 0;
    for (int i = 0; i < 20_000; i++) {
      SortedMap<String, Held> present = randomCells(0.5);
      SortedMap<String, Held> observed = observed(present);
      SortedMap<String, Held> replacement = randomCells(0.4);
      replacement.replaceAll((q, cell) -> randomlyDated(cell));
      RowEdit edit = new RowEdit(row(present), NOW);

      boolean replaced = edit.replace(row(observed), cells(replacement));

      String what =
          "seed %d: %s, observed %s, by %s".formatted(SEED, present, observed, replacement);
      boolean expected = true;
      SortedMap<String, Held> afterwards = new TreeMap<>();
      for (String q : QUALIFIERS) {
        Held now = present.get(q);
        Held seen = observed.get(q);
        Held by = replacement.get(q);
        expected &= seen != null ? seen.equals(now) : now == null || by == null;
        if (by != null) {
          boolean kept = by.time != Cell.STORE_TIME && by.time < NOW;
          afterwards.put(q, new Held(by.value, kept ? by.time : NOW));
        } else if (seen == null && now != null) {
          afterwards.put(q, now);
        }
      }
      assertThat(replaced).as(what).isEqualTo(expected);
      assertThat(shorts(edit.result())).as(what).isEqualTo(expected ? afterwards : present);
      assertThat(edit.isEmpty()).as(what).isEqualTo(!expected || nothingToWrite(edit));
      assertEditsLeadTo(edit, present, what);
      replacements += replaced ? 1 : 0;
    }
    assertThat(replacements).as("replacements made of 20,000").isBetween(2_000, 18_000);
  }

  private static boolean nothingToWrite(RowEdit edit) {
    return edit.puts().isEmpty() && edit.deletions().isEmpty();
  }

  /** The puts and deletions, applied to the row as it was, are the result; no cell is in both. */
  private static void assertEditsLeadTo(RowEdit edit, Map<String, Held> present, String what) {
    SortedMap<String, Held> written = new TreeMap<>(present);
    for (byte[] deletion : edit.deletions()) {
      assertThat(written.remove(text(deletion))).as(what).isNotNull();
    }
    for (Cell put : edit.puts()) {
      written.put(text(put.qualifier()), new Held(text(put.value()), put.writeTime()));
      assertThat(edit.deletions()).as(what).doesNotContain(put.qualifier());
    }
    assertThat(written).as(what).isEqualTo(shorts(edit.result()));
  }

  private SortedMap<String, Held> randomCells(double share) {
    SortedMap<String, Held> cells = new TreeMap<>();
    for (String q : QUALIFIERS) {
      if (random.nextDouble() < share) {
        cells.put(q, randomCell());
      }
    }
    return cells;
  }

  private Held randomCell() {
    return new Held("v" + random.nextInt(2), 10L * random.nextInt(2));
  }

  private Held randomlyDated(Held cell) {
    return switch (random.nextInt(3)) {
      case 0 -> cell;
      case 1 -> new Held(cell.value, Cell.STORE_TIME);
      default -> new Held(cell.value, NOW - 1 + random.nextInt(3));
    };
  }

  /** Some of the cells, mostly as they are. */
  private SortedMap<String, Held> observed(Map<String, Held> present) {
    SortedMap<String, Held> observed = new TreeMap<>();
    for (String q : QUALIFIERS) {
      Held now = present.get(q);
      if (now != null && random.nextInt(3) > 0) {
        observed.put(q, random.nextInt(6) == 0 ? randomCell() : now);
      } else if (random.nextInt(12) == 0) {
        observed.put(q, randomCell());
      }
    }
    return observed;
  }

  @Test
  void changesAreAppliedAsTheyAreDefined() {
    Map<String, Held> present = Map.of("a", new Held("1", 10), "b", new Held("2", 20));

    assertThat(after(present, new Change.Put(bytes("a"), bytes("x"))))
        .containsEntry("a", new Held("x", NOW))
        .containsEntry("b", new Held("2", 20));
    assertThat(after(present, new Change.Append(bytes("a"), bytes("x"))))
        .containsEntry("a", new Held("1x", NOW));
    assertThat(after(present, new Change.Append(bytes("c"), bytes("x"))))
        .containsEntry("c", new Held("x", NOW));
    assertThat(after(present, new Change.Delete(bytes("a")))).containsOnlyKeys("b");
    assertThat(after(present, new Change.Delete(bytes("c")))).isEqualTo(present);
    assertThat(after(present, new Change.DeleteRow())).isEmpty();
  }

  @Test
  void aPutIfNewerYieldsToALaterCellOnly() {
    Map<String, Held> present = Map.of("a", new Held("1", 10));

    assertThat(after(present, putIfNewer(9))).isEqualTo(present);
    assertThat(after(present, putIfNewer(10))).containsEntry("a", new Held("x", 10));
    assertThat(after(present, putIfNewer(11))).containsEntry("a", new Held("x", 11));
    assertThat(after(present, putIfNewer(NOW + 1))).containsEntry("a", new Held("x", NOW));
    assertThat(after(Map.of(), putIfNewer(0))).containsEntry("a", new Held("x", 0));
    assertThat(after(Map.of("a", new Held("1", NOW + 1)), putIfNewer(NOW + 9)))
        .containsEntry("a", new Held("1", NOW + 1));
  }

  private static Change putIfNewer(long time) {
    return new Change.PutIfNewer(bytes("a"), bytes("x"), time);
  }

  private static Map<String, Held> after(Map<String, Held> present, Change change) {
    RowEdit edit = new RowEdit(row(new TreeMap<>(present)), NOW);
    edit.apply(List.of(change));
    assertEditsLeadTo(edit, present, change.toString());
    return shorts(edit.result());
  }

  @Test
  void incrementCountsIn8BytesAndRejectsWhatIsNoCounter() {
    byte[] q = bytes("a");
    RowEdit edit = new RowEdit(Row.empty(KEY), NOW);
    assertThat(edit.increment(q, 5)).isEqualTo(5);
    assertThat(edit.increment(q, Long.MAX_VALUE)).isEqualTo(Long.MIN_VALUE + 4);
    assertThat(ByteBuffer.wrap(edit.result().value(0)).getLong()).isEqualTo(Long.MIN_VALUE + 4);
    assertThat(edit.result().writeTime(0)).isEqualTo(NOW);

    RowEdit text = new RowEdit(row(new TreeMap<>(Map.of("a", new Held("text", 1)))), NOW);
    assertThatThrownBy(() -> text.increment(q, 1))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.outcome()).isEqualTo(StoreException.Outcome.REJECTED))
        .hasMessageContaining("4 bytes, not 8");
    assertThat(text.isEmpty()).isTrue();
  }

  @Test
  void compareAndSetComparesOnlyTheValue() {
    assertThat(set("1", "1", "2")).containsEntry("a", new Held("2", NOW));
    assertThat(set("1", "1", null)).isEmpty();
    assertThat(set(null, null, "2")).containsEntry("a", new Held("2", NOW));
    assertThat(set(null, null, null)).isEmpty();
    assertThat(set("1", "2", "3")).isNull();
    assertThat(set("1", null, "3")).isNull();
    assertThat(set(null, "1", "3")).isNull();
  }

  /** The row afterwards, or null if the cell was not as expected. */
  private static @Nullable Map<String, Held> set(
      @Nullable String present, @Nullable String expected, @Nullable String update) {
    SortedMap<String, Held> cells = new TreeMap<>();
    if (present != null) {
      cells.put("a", new Held(present, 1));
    }
    RowEdit edit = new RowEdit(row(cells), NOW);
    boolean set =
        edit.compareAndSet(
            bytes("a"),
            expected == null ? null : bytes(expected),
            update == null ? null : bytes(update));
    assertThat(set || edit.isEmpty()).as("nothing to write unless it was set").isTrue();
    assertEditsLeadTo(edit, cells, "set");
    return set ? shorts(edit.result()) : null;
  }

  @Test
  void whatIsToBeWrittenIsNotTheCallersArrays() {
    byte[] qualifier = bytes("a");
    byte[] value = bytes("v");
    RowEdit edit = new RowEdit(Row.empty(KEY), NOW);
    edit.apply(List.of(new Change.Put(qualifier, value)));
    qualifier[0] = 'x';
    value[0] = 'x';

    assertThat(shorts(edit.result())).containsExactly(Map.entry("a", new Held("v", NOW)));
  }

  private static Row row(SortedMap<String, Held> cells) {
    List<Cell> all = cells(cells);
    return Row.of(
        KEY,
        all.stream().map(Cell::qualifier).toArray(byte[][]::new),
        all.stream().map(Cell::value).toArray(byte[][]::new),
        all.stream().mapToLong(Cell::writeTime).toArray());
  }

  private static List<Cell> cells(SortedMap<String, Held> cells) {
    List<Cell> all = new ArrayList<>();
    cells.forEach((q, cell) -> all.add(new Cell(bytes(q), bytes(cell.value), cell.time)));
    return all;
  }

  private static SortedMap<String, Held> shorts(Row row) {
    SortedMap<String, Held> cells = new TreeMap<>();
    for (int i = 0; i < row.size(); i++) {
      cells.put(text(row.qualifier(i)), new Held(text(row.value(i)), row.writeTime(i)));
    }
    return cells;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
