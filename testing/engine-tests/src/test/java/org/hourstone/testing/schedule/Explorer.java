package org.hourstone.testing.schedule;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Plays every schedule of a scenario, one after the other, and checks what is left by each.
 *
 * <p>System properties: {@code hourstone.schedules.depth} and {@code hourstone.schedules.faults}
 * bound the schedules, {@code hourstone.schedules.limit} their number in each scenario; {@code
 * hourstone.schedules.only} is a regular expression of the scenarios to play, and {@code
 * hourstone.schedules.long} set to {@code true} adds those that take minutes. A failure names the
 * scenario and its choices; {@code hourstone.schedules.replay} set to these two plays just that
 * schedule, and prints it.
 */
final class Explorer {
  private static final String PROPERTIES = "hourstone.schedules.";

  private static final int USUAL_DEPTH = 12;

  private final int depth;
  private final AtomicLong total = new AtomicLong();

  Explorer() {
    this(USUAL_DEPTH);
  }

  /**
   * @param depth how many steps there is a choice at, unless a property says otherwise
   */
  Explorer(int depth) {
    this.depth = Integer.getInteger(PROPERTIES + "depth", depth);
  }

  /** How many schedules were played to their end. */
  long total() {
    return total.get();
  }

  /** Whether a property says what is played. */
  boolean isBounded() {
    return System.getProperties().stringPropertyNames().stream()
        .anyMatch(name -> name.startsWith(PROPERTIES));
  }

  /** Whether scenarios that take minutes are to be played, too. */
  static boolean isLong() {
    return Boolean.getBoolean(PROPERTIES + "long");
  }

  void printTotal(String what) {
    System.out.printf(Locale.ROOT, "%s: %,d schedules in all%n", what, total());
  }

  /**
   * Plays a scenario.
   *
   * @param name that of the scenario
   * @param faults how many calls fail in one schedule at most, unless a property says otherwise
   * @param worlds makes the world for each schedule
   * @throws AssertionError at the first schedule that leaves something wrong
   */
  void explore(String name, int faults, Supplier<? extends World> worlds) {
    String replay = System.getProperty(PROPERTIES + "replay");
    if (replay != null) {
      if (replay.startsWith(name + "/")) {
        play(name, faults, new Choices(replay.substring(name.length() + 1)), worlds, 0);
      }
      return;
    }
    if (!Pattern.matches(System.getProperty(PROPERTIES + "only", ".*"), name)) {
      return;
    }
    Choices choices = new Choices();
    long limit = Long.getLong(PROPERTIES + "limit", 1_000_000);
    long played = 0;
    long redundant = 0;
    long longest = 0;
    boolean cut = false;
    boolean more = true;
    long start = System.nanoTime();
    while (more && played + redundant < limit) {
      Schedule schedule = play(name, faults, choices, worlds, played + 1);
      longest = Math.max(longest, schedule.now());
      cut |= schedule.isCut();
      if (schedule.isRedundant()) {
        redundant++;
      } else {
        played++;
      }
      more = choices.advance();
    }
    total.addAndGet(played);
    System.out.printf(
        Locale.ROOT,
        "%s: at most %d steps, choices at %d, faults %d: %,d schedules (and %,d begun that others"
            + " stand for), %s, %d ms%n",
        name,
        longest,
        depth,
        faults(faults),
        played,
        redundant,
        more ? "CUT BY THE LIMIT" : cut ? "all up to the depth" : "all",
        (System.nanoTime() - start) / 1_000_000);
  }

  private static int faults(int unlessSet) {
    return Integer.getInteger(PROPERTIES + "faults", unlessSet);
  }

  /**
   * @param number how many schedules of the scenario were played, with this one; 0 to print it
   */
  private Schedule play(
      String name, int faults, Choices choices, Supplier<? extends World> worlds, long number) {
    World world = worlds.get();
    Schedule schedule = new Schedule(choices, depth, faults(faults));
    try {
      world.play(schedule);
      if (!schedule.isRedundant()) {
        world.verify(choices);
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          e.getMessage()
              + "\n  schedule "
              + number
              + " of it: -D"
              + PROPERTIES
              + "replay="
              + name
              + "/"
              + choices
              + "\n  "
              + trace(world, schedule),
          e);
    }
    if (number == 0) {
      System.out.println(name + "/" + choices + "\n  " + trace(world, schedule));
    }
    return schedule;
  }

  private static String trace(World world, Schedule schedule) {
    return schedule.trace().stream().map(Step::toString).collect(Collectors.joining("\n  "))
        + "\n  operations: "
        + world.operations().stream()
            .map(Operation::toString)
            .collect(Collectors.joining("\n    ", "\n    ", ""));
  }
}
