package org.hourstone.api.put;

import java.util.Arrays;

/**
 * Where the points of a block are in a body: the bytes of their series, or what could not be read
 * as a point, and the line. For one thread.
 */
final class PointOrigins {
  private static final int FIRST_CAPACITY = 16;

  /** The numbers that are kept for each series: two ranges, and the line. */
  private static final int NUMBERS = 5;

  /** In place of the second range of a series. */
  private static final int NONE = -1;

  private final int[] selected = new int[NUMBERS];
  private byte[] selectedText = {};

  /** Whether the selection is that of the point that was added last. */
  private boolean isEntered;

  private byte[][] texts = new byte[FIRST_CAPACITY][];
  private int[] numbers = new int[FIRST_CAPACITY * NUMBERS];
  private int entries;

  /** By point, which of the entries it is of. */
  private int[] entryOf = new int[FIRST_CAPACITY];

  /** The origin of one point. */
  record Origin(byte[] text, int from, int to, int from2, int to2) {
    /** Whether the ranges are those of a series, and not of an unreadable text. */
    boolean isSeries() {
      return from2 != NONE;
    }
  }

  /** Makes room for a number of points of as many series; nothing was added yet. */
  void expect(int points) {
    texts = new byte[points][];
    numbers = new int[points * NUMBERS];
    entryOf = new int[points];
  }

  void line(int number) {
    selected[4] = number;
    isEntered = false;
  }

  void select(byte[] text, int from, int to, int from2, int to2) {
    selectedText = text;
    selected[0] = from;
    selected[1] = to;
    selected[2] = from2;
    selected[3] = to2;
    isEntered = false;
  }

  void unreadable(byte[] text, int from, int to) {
    select(text, from, to, NONE, NONE);
  }

  /** Whether a series is selected. */
  boolean isSeries() {
    return selected[2] != NONE;
  }

  byte[] text() {
    return selectedText;
  }

  int from() {
    return selected[0];
  }

  int to() {
    return selected[1];
  }

  int from2() {
    return selected[2];
  }

  int to2() {
    return selected[3];
  }

  /**
   * A point is added to the selection.
   *
   * @param point its index, one more than that of the point before
   */
  void add(int point) {
    if (!isEntered) {
      enter();
    }
    if (point == entryOf.length) {
      entryOf = Arrays.copyOf(entryOf, 2 * point);
    }
    entryOf[point] = entries - 1;
  }

  private void enter() {
    if (entries == texts.length) {
      texts = Arrays.copyOf(texts, 2 * entries);
      numbers = Arrays.copyOf(numbers, 2 * entries * NUMBERS);
    }
    texts[entries] = selectedText;
    System.arraycopy(selected, 0, numbers, entries * NUMBERS, NUMBERS);
    entries++;
    isEntered = true;
  }

  Origin of(int point) {
    int entry = entryOf[point];
    int at = entry * NUMBERS;
    return new Origin(texts[entry], numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3]);
  }

  /** The line of a point; 0 if it is not known. */
  int lineOf(int point) {
    return numbers[entryOf[point] * NUMBERS + 4];
  }

  /** Forgets the points, but not what is selected. */
  void clear() {
    entries = 0;
    isEntered = false;
  }
}
