package org.hourstone.series;

import java.util.List;

/**
 * A run of timestamps at which all active series have a point, so that nothing is interpolated, and
 * all results are integers or all are doubles. Values are copied series by series into rows, one
 * for each timestamp, so that both the series' points and the rows are traversed only once.
 */
final class Block {
  private static final int MOST_VALUES = 1 << 16;
  private static final int MOST_ROWS = 256;
  private static final int FEWEST_ROWS = 4;

  private int rows;
  private int width;
  private boolean integers;
  private boolean hasDoubles;
  private long[] longs = {};
  private double[] doubles = {};

  /** The number of timestamps. */
  int rows() {
    return rows;
  }

  /** The number of active series. */
  int width() {
    return width;
  }

  boolean integers() {
    return integers;
  }

  /** The values, row by row, if all are integers. */
  long[] longs() {
    return longs;
  }

  /** The values, row by row, if there is a double in each row. */
  double[] doubles() {
    return doubles;
  }

  /**
   * Finds a run and reads it; the series' positions don't change.
   *
   * @param until the end of the timestamps, exclusive
   * @param early whether a double that follows an integer makes the integer's result a double
   * @return whether there is a run that is long enough to be worthwhile
   */
  boolean read(List<Member> members, Member first, long until, boolean early) {
    width = 0;
    for (Member member : members) {
      width += member.nextMillis() == Member.NONE ? 0 : 1;
    }
    rows = Math.min(MOST_ROWS, MOST_VALUES / width);
    integers = true;
    hasDoubles = false;
    for (Member member : members) {
      if (rows < FEWEST_ROWS || member.nextMillis() == Member.UNKNOWN) {
        return false;
      }
      if (member.nextMillis() != Member.NONE) {
        limit(member, first, early);
      }
    }
    rows = Math.min(rows, first.column().firstFrom(until) - first.next());
    if (rows < FEWEST_ROWS || integers == hasDoubles) {
      return false;
    }
    copy(members);
    return true;
  }

  private void limit(Member member, Member first, boolean early) {
    int from = member.next();
    rows = first.column().sameTimes(first.next(), member.column(), from, rows);
    int seen = early ? Math.min(rows + 1, member.left()) : rows;
    integers = integers && member.column().areAll(true, from, from + seen);
    hasDoubles = hasDoubles || member.column().areAll(false, from, from + rows);
  }

  private void copy(List<Member> members) {
    if (integers) {
      longs = longs.length < rows * width ? new long[rows * width] : longs;
    } else {
      doubles = doubles.length < rows * width ? new double[rows * width] : doubles;
    }
    int column = 0;
    for (Member member : members) {
      if (member.nextMillis() != Member.NONE) {
        if (integers) {
          member.column().copyLongs(member.next(), rows, longs, column++, width);
        } else {
          member.column().copyDoubles(member.next(), rows, doubles, column++, width);
        }
      }
    }
  }
}
