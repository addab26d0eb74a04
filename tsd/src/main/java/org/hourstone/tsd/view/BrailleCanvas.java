package org.hourstone.tsd.view;

/**
 * A drawing of dots, eight per character: two columns of four dots, as in Unicode's Braille
 * characters. Dots are counted from the lower left corner.
 */
public final class BrailleCanvas {
  private static final int ACROSS = 2;
  private static final int DOWN = 4;
  private static final char BLANK = '\u2800';

  /** The bit of each dot of a character: from the top, left and right. */
  private static final int[][] BITS = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

  private final char[][] characters;
  private final int columns;

  /** A blank canvas of this size in characters. */
  public BrailleCanvas(int columns, int rows) {
    this.columns = columns;
    this.characters = new char[rows][columns];
  }

  /** The width in dots. */
  int width() {
    return columns * ACROSS;
  }

  /** The height in dots. */
  int height() {
    return characters.length * DOWN;
  }

  public void dot(int x, int y) {
    int fromTop = height() - 1 - y;
    characters[fromTop / DOWN][x / ACROSS] |= (char) BITS[fromTop % DOWN][x % ACROSS];
  }

  /** A straight line between two dots. */
  public void line(int x0, int y0, int x1, int y1) {
    int steps = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));
    for (int step = 0; step <= steps; step++) {
      double part = steps == 0 ? 0 : (double) step / steps;
      dot((int) Math.round(x0 + part * (x1 - x0)), (int) Math.round(y0 + part * (y1 - y0)));
    }
  }

  /** A row of characters, counted from the top, without blanks at its end. */
  public String row(int row) {
    StringBuilder text = new StringBuilder(columns);
    for (char dots : characters[row]) {
      text.append(dots == 0 ? ' ' : (char) (BLANK + dots));
    }
    return text.toString().stripTrailing();
  }
}
