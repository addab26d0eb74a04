package org.hourstone.testing.schedule;

import java.util.Arrays;

/**
 * The choices of one schedule, and the way to the next one: a depth-first search over all vectors
 * of choices. A schedule that is played again with the same vector takes the same course. Not
 * thread-safe: used by whichever actor has the turn.
 */
final class Choices {
  private int[] chosen = new int[64];
  private int[] options = new int[64];
  private int known;
  private int next;

  /** The first schedule: the first option everywhere. */
  Choices() {}

  /** The schedule of a vector, as {@link #toString} prints it. */
  Choices(String vector) {
    for (String each : vector.isBlank() ? new String[0] : vector.trim().split("[, ]+")) {
      chosen = with(chosen, known, Integer.parseInt(each));
      options = with(options, known++, Integer.MAX_VALUE);
    }
  }

  /** Chooses one of some options, 0 to count - 1. */
  int next(int count) {
    if (count == 1) {
      return 0;
    }
    if (next == known) {
      chosen = with(chosen, known, 0);
      options = with(options, known++, count);
    }
    boolean counted = options[next] != Integer.MAX_VALUE;
    if ((counted && options[next] != count) || chosen[next] >= count) {
      throw new IllegalStateException(
          "choice " + next + " of " + this + " has " + count + " options, not " + options[next]);
    }
    return chosen[next++];
  }

  /** Goes to the next schedule; false after the last one. */
  boolean advance() {
    while (next > 0 && chosen[next - 1] + 1 == options[next - 1]) {
      next--;
    }
    known = next;
    if (known == 0) {
      return false;
    }
    chosen[known - 1]++;
    next = 0;
    return true;
  }

  private static int[] with(int[] array, int at, int value) {
    int[] room = at == array.length ? Arrays.copyOf(array, 2 * at) : array;
    room[at] = value;
    return room;
  }

  /** The choices made so far, separated by commas. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < next; i++) {
      text.append(i == 0 ? "" : ",").append(chosen[i]);
    }
    return text.toString();
  }
}
