package org.hourstone.testing.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.testing.schedule.NameTask.assign;
import static org.hourstone.testing.schedule.NameTask.assignAll;
import static org.hourstone.testing.schedule.NameTask.delete;
import static org.hourstone.testing.schedule.NameTask.find;
import static org.hourstone.testing.schedule.NameTask.name;
import static org.hourstone.testing.schedule.NameTask.names;
import static org.hourstone.testing.schedule.NameTask.rename;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Names that are assigned, looked up, renamed and deleted at once: by every pair of processes, with
 * a failing call or a crash, by every pair of threads that share a table, and by three processes.
 * See {@link NamesWorld} and {@link Explorer}.
 *
 * <p>Faults that were put into the code to try the schedules, each of which they detect:
 *
 * <ul>
 *   <li>a look-up of one or of several UIDs fills the cache of names to UIDs, too;
 *   <li>the cache keeps a name or a UID that was read, or assigned, before a rename or a deletion;
 *   <li>a rename leads the UID to the new name before the new name leads to the UID;
 *   <li>a rename that was broken off is refused when it is called again;
 *   <li>{@code uid fsck} gives one new name to a UID that has two;
 *   <li>a name is published again, after an attempt of unknown outcome, though it was deleted
 *       since;
 *   <li>a deletion removes the entry of the name before that of the UID, even if they have changed;
 *   <li>in the store, a deletion hides what is put after it in the same millisecond.
 * </ul>
 */
final class NamesSchedulesTest {
  private static final Explorer EXPLORER = new Explorer();

  /** What one actor does, one after the other. */
  private record Script(String name, NameTask... tasks) {}

  private static final List<Script> SCRIPTS =
      List.of(
          new Script("assign", assign("gpu")),
          new Script("find", find("cpu"), find("gpu")),
          new Script("name", name(2), find("gpu")),
          new Script("rename", rename("cpu", "gpu")),
          new Script("delete", delete("cpu")),
          new Script("recreate", delete("cpu"), assign("cpu")));

  @AfterAll
  static void total() {
    EXPLORER.printTotal("names");
    assertThat(EXPLORER.total()).isGreaterThanOrEqualTo(EXPLORER.isBounded() ? 0 : 60_000);
  }

  @TestFactory
  List<DynamicTest> pairs() {
    List<DynamicTest> tests = new ArrayList<>();
    for (int i = 0; i < SCRIPTS.size(); i++) {
      for (int j = i; j < SCRIPTS.size(); j++) {
        Script one = SCRIPTS.get(i);
        Script other = SCRIPTS.get(j);
        if (one.name().equals("recreate") && !Explorer.isLong()) {
          continue;
        }
        String name = one.name() + "+" + other.name();
        tests.add(test(name, 1, Personality.EXACT, false, apart(one, other)));
        if (name.contains("rename") || name.contains("recreate")) {
          tests.add(test(name, 1, Personality.MILLISECONDS, false, apart(one, other)));
        }
        if (name.contains("find") || name.contains("delete")) {
          tests.add(test(name + "-warm", 1, Personality.EXACT, true, apart(one, other)));
        }
        tests.add(test(name + "-threads", 0, Personality.EXACT, false, together(one, other)));
      }
    }
    return tests;
  }

  /** A name or UID is renamed or deleted just when it is assigned or looked up. */
  @TestFactory
  List<DynamicTest> changedInBetween() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Script change : changesOf("gpu")) {
      Script assign = SCRIPTS.get(0);
      String name = assign.name() + "+" + change.name();
      tests.add(test(name, 2, Personality.EXACT, false, apart(assign, change)));
      tests.add(test(name + "-threads", 0, Personality.EXACT, false, together(assign, change)));
    }
    for (Script change : changesOf("cpu")) {
      for (Script read : List.of(new Script("name1", name(1)), new Script("names", names(1, 2)))) {
        String name = read.name() + "+" + change.name() + "-threads";
        tests.add(test(name, 0, Personality.EXACT, false, together(read, change)));
      }
    }
    return tests;
  }

  /**
   * Names that are assigned together, while others assign, rename or delete one of them. Not while
   * another name is renamed to one of them: that the assignment changes the other one only is more
   * than {@link NamesWorld} knows.
   */
  @TestFactory
  List<DynamicTest> assignedTogether() {
    Script together = new Script("assign-all", assignAll("gpu", "mem"));
    List<Script> others = new ArrayList<>(changesOf("gpu"));
    others.add(SCRIPTS.get(0));
    others.add(new Script("assign-others", assignAll("mem", "gpu")));
    List<DynamicTest> tests = new ArrayList<>();
    for (Script other : others) {
      String name = together.name() + "+" + other.name();
      tests.add(test(name, 1, Personality.EXACT, false, apart(together, other)));
      tests.add(test(name + "-threads", 0, Personality.EXACT, false, together(together, other)));
    }
    return tests;
  }

  private static List<Script> changesOf(String name) {
    return List.of(
        new Script("rename-" + name, rename(name, "mem")),
        new Script("delete-" + name, delete(name)));
  }

  @TestFactory
  List<DynamicTest> threes() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Personality personality : Personality.values()) {
      tests.add(
          test(
              "assign+names,assign",
              1,
              personality,
              false,
              world -> {
                world.actor(SimulatedProcess.alone("p1"), assign("gpu"));
                world.actor(SimulatedProcess.alone("p2"), names(1, 2), assign("gpu"));
              }));
      tests.add(
          test(
              "rename+assign+name",
              0,
              personality,
              false,
              world -> {
                world.actor(SimulatedProcess.alone("p1"), rename("cpu", "gpu"));
                world.actor(SimulatedProcess.alone("p2"), assign("gpu"));
                world.actor(SimulatedProcess.alone("p3"), name(1), find("gpu"));
              }));
    }
    return tests;
  }

  /** Two processes. */
  private static Consumer<NamesWorld> apart(Script one, Script other) {
    return world -> {
      world.actor(SimulatedProcess.alone("p1"), one.tasks());
      world.actor(SimulatedProcess.alone("p2"), other.tasks());
    };
  }

  /** Two threads that share a table. */
  private static Consumer<NamesWorld> together(Script one, Script other) {
    return world -> {
      SimulatedProcess process = SimulatedProcess.shared("p");
      world.actor(process, one.tasks());
      world.actor(process, other.tasks());
    };
  }

  private static DynamicTest test(
      String what, int faults, Personality personality, boolean warm, Consumer<NamesWorld> actors) {
    String name = "names-" + what + "-" + personality;
    return DynamicTest.dynamicTest(
        name,
        () ->
            EXPLORER.explore(
                name,
                faults,
                () -> {
                  NamesWorld world = new NamesWorld(personality, 0, warm);
                  actors.accept(world);
                  return world;
                }));
  }
}
