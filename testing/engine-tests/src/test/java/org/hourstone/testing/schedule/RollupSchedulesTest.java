package org.hourstone.testing.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.hourstone.testing.schedule.RollupWorld.Start;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * An hour that is rolled up, written late, deleted from and read by threads of one process: every
 * pair with a failing call or a crash, and every three if {@code hourstone.schedules.long} is set.
 * See {@link RollupWorld} and {@link Explorer}.
 */
final class RollupSchedulesTest {
  private static final Explorer EXPLORER = new Explorer(30);

  /** Adds an actor to a world. */
  private record Part(String name, Consumer<RollupWorld> add) {}

  private static final Part ROLL = new Part("roll", world -> world.rolls("roll"));
  private static final List<Part> OTHERS =
      List.of(
          new Part("put", world -> world.puts("put", 2)),
          new Part("delete", world -> world.deletes("delete", 0)),
          new Part("read", world -> world.reads("read")));

  private static final Part TWICE = new Part("twice", world -> world.puts("twice", 1, 2));

  @AfterAll
  static void total() {
    EXPLORER.printTotal("rollups");
    assertThat(EXPLORER.total()).isGreaterThanOrEqualTo(EXPLORER.isBounded() ? 0 : 30_000);
  }

  @TestFactory
  List<DynamicTest> pairs() {
    List<DynamicTest> tests = new ArrayList<>();
    tests.add(test(List.of(ROLL, TWICE), 0, Start.DONE));
    for (Start start : Start.values()) {
      tests.add(test(List.of(ROLL, new Part("again", world -> world.rolls("again"))), 1, start));
      for (Part other : OTHERS) {
        tests.add(test(List.of(ROLL, other), 1, start));
      }
    }
    return tests;
  }

  @TestFactory
  List<DynamicTest> threes() {
    List<DynamicTest> tests = new ArrayList<>();
    if (!Explorer.isLong()) {
      return tests;
    }
    for (Start start : Start.values()) {
      for (int i = 0; i < OTHERS.size(); i++) {
        for (int j = i + 1; j < OTHERS.size(); j++) {
          tests.add(test(List.of(ROLL, OTHERS.get(i), OTHERS.get(j)), 0, start));
        }
      }
    }
    return tests;
  }

  private static DynamicTest test(List<Part> parts, int faults, Start start) {
    String name =
        "rollup-" + parts.stream().map(Part::name).collect(Collectors.joining("+")) + "-" + start;
    return DynamicTest.dynamicTest(
        name,
        () ->
            EXPLORER.explore(
                name,
                faults,
                () -> {
                  RollupWorld world = new RollupWorld(Personality.EXACT, start);
                  parts.forEach(part -> part.add().accept(world));
                  return world;
                }));
  }
}
