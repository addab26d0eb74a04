package org.hourstone.testing.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testing.schedule.RowsWorld.hex;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.hourstone.kv.Change;
import org.hourstone.rewrite.CompactionOptions.Appends;
import org.hourstone.testing.schedule.RowsWorld.Start;
import org.hourstone.tool.CopyOptions.Policy;
import org.hourstone.tool.FsckAction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A row that two or three processes write, rewrite, delete from and copy into at once: every pair
 * with a failing call or a crash; every three of those that make few calls, too; with fsck and
 * copy, every three without a failure, if {@code hourstone.schedules.long} is set. See {@link
 * RowsWorld} and {@link Explorer}.
 *
 * <p>Faults that were put into the code to try the schedules, each of which they detect:
 *
 * <ul>
 *   <li>a copy puts cells of long ago over cells that were written since;
 *   <li>the store keeps write times of the future;
 *   <li>compaction, repair, deletion or fsck puts its replacement although some of the cells it is
 *       computed from have changed or are gone;
 *   <li>compaction removes the cells it has merged even if they have changed.
 * </ul>
 */
final class RowsSchedulesTest {
  private static final Explorer EXPLORER = new Explorer();

  /** Adds an actor to a world. */
  private record Part(String name, Consumer<RowsWorld> add) {}

  private static final List<Part> PARTS =
      List.of(
          new Part(
              "put", w -> w.writer("put", Map.of(1, 9L), new Change.Put(hex("0010"), hex("09")))),
          new Part(
              "wide",
              w -> w.writer("wide", Map.of(0, 300L), new Change.Put(hex("0001"), hex("012c")))),
          new Part(
              "pack",
              w ->
                  w.writer(
                      "pack",
                      Map.of(0, 10L, 1, 11L),
                      new Change.Put(hex("00000010"), hex("0a0b00")))),
          new Part(
              "append",
              w ->
                  w.writer(
                      "append", Map.of(5, 12L), new Change.Append(hex("050000"), hex("00500c")))),
          new Part("compact", w -> w.keeper("compact", w.actors.compact(Appends.MERGED))),
          new Part("repair", w -> w.keeper("repair", w.actors.repair())),
          new Part("delete", w -> w.deleter("delete", 1, 3, w.actors.deletePoints(1, 3))),
          new Part("deleteRows", w -> w.deleter("deleteRows", 0, 7, w.actors.deleteRows())),
          new Part("fsck", w -> w.keeper("fsck", w.actors.fsck(FsckAction.RESOLVE_DUPLICATES))),
          new Part(
              "copy",
              w ->
                  w.copier(
                      "copy",
                      Map.of(1, 21L, 6, 26L),
                      w.actors.copy(Policy.UPDATE, "0010=15", "0060=1a"))));

  @AfterAll
  static void total() {
    EXPLORER.printTotal("rows");
    assertThat(EXPLORER.total()).isGreaterThanOrEqualTo(EXPLORER.isBounded() ? 0 : 40_000);
  }

  @TestFactory
  List<DynamicTest> pairs() {
    List<DynamicTest> tests = new ArrayList<>();
    for (int i = 0; i < PARTS.size(); i++) {
      for (int j = i; j < PARTS.size(); j++) {
        List<Part> pair = List.of(PARTS.get(i), PARTS.get(j));
        for (Personality personality : Personality.values()) {
          tests.add(test(pair, 1, personality, Start.EMPTY));
          tests.add(test(pair, 1, personality, Start.CELLS));
          if (pair.stream().noneMatch(RowsSchedulesTest::isLong)) {
            tests.add(test(pair, 1, personality, Start.AHEAD));
          }
        }
      }
    }
    return tests;
  }

  @TestFactory
  List<DynamicTest> threes() {
    List<DynamicTest> tests = new ArrayList<>();
    for (int i = 0; i < PARTS.size(); i++) {
      for (int j = i + 1; j < PARTS.size(); j++) {
        for (int k = j + 1; k < PARTS.size(); k++) {
          List<Part> three = List.of(PARTS.get(i), PARTS.get(j), PARTS.get(k));
          boolean longer = three.stream().anyMatch(RowsSchedulesTest::isLong);
          if (!longer || Explorer.isLong()) {
            tests.add(test(three, longer ? 0 : 1, Personality.EXACT, Start.CELLS));
          }
        }
      }
    }
    return tests;
  }

  /** Whether an actor makes enough calls that three are played on demand only. */
  private static boolean isLong(Part part) {
    return Set.of("fsck", "copy").contains(part.name());
  }

  private static DynamicTest test(
      List<Part> parts, int faults, Personality personality, Start start) {
    String actors = parts.stream().map(Part::name).collect(Collectors.joining("+"));
    String name = "rows-" + actors + "-" + personality + "-" + start;
    return DynamicTest.dynamicTest(
        name,
        () ->
            EXPLORER.explore(
                name,
                faults,
                () -> {
                  RowsWorld world = new RowsWorld(personality, start);
                  parts.forEach(part -> part.add().accept(world));
                  return world;
                }));
  }
}
