package org.hourstone.codec;

import java.util.ArrayList;
import java.util.List;

/**
 * A parsed cell of the data table: its points as far as they can be read, and all of its flaws.
 * Readers fail on corrupt data; this class continues and reports what it found. It never throws,
 * whatever the bytes. It reads only the points of a corrupt cell that precede the corruption, since
 * the bytes after it may be misaligned.
 */
public final class DataCell {
  private static final byte MIXED_RESOLUTIONS = 1;

  private final CellKind kind;
  private final RowPoints points = new RowPoints();
  private final List<CellFlaw> flaws = new ArrayList<>();

  private DataCell(CellKind kind) {
    this.kind = kind;
  }

  /** Parses a cell. */
  public static DataCell of(byte[] qualifier, byte[] value) {
    DataCell cell = new DataCell(CellKind.of(qualifier));
    switch (cell.kind) {
      case POINT -> cell.takePoint(qualifier, value);
      case COMPACTED -> cell.takeCompacted(qualifier, value);
      case APPEND -> cell.takeAppended(value);
      case UNKNOWN -> cell.takeUnknown(qualifier);
      case ANNOTATION, HISTOGRAM -> {}
    }
    cell.checkPoints();
    return cell;
  }

  public CellKind kind() {
    return kind;
  }

  /** Whether cells of this kind contain points. */
  public boolean holdsPoints() {
    return kind.holdsPoints();
  }

  /**
   * The points that can be read, in stored order, old fix-ups applied; several may share a
   * timestamp.
   */
  public RowPoints points() {
    return points;
  }

  /**
   * The points that readers return from the cell, in time order; from an append cell, the last one
   * of each timestamp.
   */
  public RowPoints pointsInOrder() {
    RowPoints ordered = new RowPoints();
    ordered.setAll(points);
    ordered.sort();
    if (kind == CellKind.APPEND) {
      ordered.keepLastOfEachInstant(0);
    }
    return ordered;
  }

  /** The flaws, in no particular order; empty for a valid cell. */
  public List<CellFlaw> flaws() {
    return flaws;
  }

  /** Whether the cell can't be repaired without losing some of its content. */
  public boolean isCorrupt() {
    return has(CellFlaw.Kind.BAD_VALUE)
        || has(CellFlaw.Kind.BAD_COMPACT)
        || has(CellFlaw.Kind.RESERVED_TRAILER)
        || has(CellFlaw.Kind.BAD_APPEND);
  }

  /** Whether the cell has a flaw of this kind. */
  public boolean has(CellFlaw.Kind wanted) {
    return flaws.stream().anyMatch(flaw -> flaw.kind() == wanted);
  }

  private void flaw(CellFlaw.Kind what, String text) {
    flaws.add(new CellFlaw(what, text));
  }

  private void takeUnknown(byte[] qualifier) {
    if (qualifier.length == 3 || qualifier.length == 5) {
      flaw(CellFlaw.Kind.UNKNOWN_OBJECT, "an object of an unknown kind");
    } else {
      flaw(CellFlaw.Kind.UNKNOWN_COLUMN, "a qualifier of " + qualifier.length + " bytes");
    }
  }

  private void takePoint(byte[] qualifier, byte[] value) {
    int announced = Qualifier.flags(qualifier, 0);
    int at = 0;
    if (announced == Value.FLOAT_FLAGS && value.length == Long.BYTES) {
      int padding = BigEndian.intAt(value, 0);
      if (padding == 0) {
        flaw(CellFlaw.Kind.PADDED_FLOAT, "a 4-byte float in 8 bytes, padded with 00");
      } else if (padding == -1) {
        flaw(CellFlaw.Kind.SIGN_EXTENDED_FLOAT, "a 4-byte float in 8 bytes, padded with FF");
      } else {
        flaw(CellFlaw.Kind.BAD_VALUE, "a float in 8 bytes whose qualifier says 4");
        return;
      }
      at = Integer.BYTES;
    }
    int length = value.length - at;
    int flags = (announced & Qualifier.FLOAT) | ((length - 1) & Qualifier.LENGTH_MASK);
    if (length < 1 || length > Long.BYTES || !Value.isLegalLength(flags)) {
      flaw(
          CellFlaw.Kind.BAD_VALUE,
          (Qualifier.isFloat(announced) ? "a float in " : "an integer in ") + length + " bytes");
      return;
    }
    if (flags != announced) {
      flaw(
          CellFlaw.Kind.WRONG_LENGTH,
          "a value of "
              + length
              + " bytes whose qualifier says "
              + Qualifier.valueLength(announced));
    }
    take(qualifier, 0, flags, value, at);
  }

  private void takeCompacted(byte[] qualifier, byte[] value) {
    int taken = 0;
    int count = 0;
    int millis = 0;
    boolean sound = true;
    for (int at = 0; at < qualifier.length && sound; count++) {
      int width = Qualifier.width(qualifier[at]);
      if (at + width > qualifier.length) {
        flaw(CellFlaw.Kind.BAD_COMPACT, "the last point's qualifier is cut off");
        return;
      }
      int flags = Qualifier.flags(qualifier, at);
      sound = canTake(CellFlaw.Kind.BAD_COMPACT, flags, value, taken, count);
      if (sound) {
        take(qualifier, at, flags, value, taken);
      }
      millis += Qualifier.isMillis(qualifier[at]) ? 1 : 0;
      taken += Qualifier.valueLength(flags);
      at += width;
    }
    if (sound) {
      checkTrailer(value, taken, millis > 0 && millis < count);
    }
  }

  private void checkTrailer(byte[] value, int taken, boolean mixed) {
    int left = value.length - taken;
    if (left == 0) {
      flaw(CellFlaw.Kind.MISSING_TRAILER, "several points without the byte at the end");
    } else if (left > 1) {
      flaw(CellFlaw.Kind.BAD_COMPACT, (left - 1) + " bytes too many");
    } else if ((value[taken] & 0xFF) > MIXED_RESOLUTIONS) {
      flaw(
          CellFlaw.Kind.RESERVED_TRAILER,
          String.format("the byte at the end is %02x, not 00 or 01", value[taken]));
    } else if (value[taken] != (mixed ? MIXED_RESOLUTIONS : 0)) {
      flaw(
          CellFlaw.Kind.WRONG_TRAILER,
          "the byte at the end says that seconds and milliseconds "
              + (mixed ? "don't mix" : "mix"));
    }
  }

  private void takeAppended(byte[] value) {
    int count = 0;
    for (int at = 0; at < value.length; count++) {
      int width = Qualifier.width(value[at]);
      if (at + width > value.length) {
        flaw(CellFlaw.Kind.BAD_APPEND, "the qualifier of point " + (count + 1) + " is cut off");
        return;
      }
      int flags = Qualifier.flags(value, at);
      if (!canTake(CellFlaw.Kind.BAD_APPEND, flags, value, at + width, count)) {
        return;
      }
      take(value, at, flags, value, at + width);
      at += width + Qualifier.valueLength(flags);
    }
  }

  private boolean canTake(CellFlaw.Kind bad, int flags, byte[] value, int at, int count) {
    int length = Qualifier.valueLength(flags);
    if (!Value.isLegalLength(flags)) {
      flaw(
          bad,
          "point "
              + (count + 1)
              + (Qualifier.isFloat(flags) ? " is a float in " : " is an integer in ")
              + length
              + " bytes");
      return false;
    }
    if (at + length > value.length) {
      flaw(bad, "the value of point " + (count + 1) + " is cut off");
      return false;
    }
    return true;
  }

  private void take(byte[] qualifier, int at, int flags, byte[] value, int valueAt) {
    points.add(
        Qualifier.offsetMillis(qualifier, at),
        Qualifier.isMillis(qualifier[at]),
        flags,
        Value.rawAt(flags, value, valueAt));
  }

  /** Finds the flaws of points that can be read. */
  private void checkPoints() {
    int outside = 0;
    int longer = 0;
    boolean descending = false;
    for (int i = 0; i < points.size(); i++) {
      outside += points.offset(i) >= Timestamps.ROW_MILLIS ? 1 : 0;
      longer += isLongerThanNeeded(i) ? 1 : 0;
      descending |= i > 0 && points.offset(i - 1) > points.offset(i);
    }
    if (outside > 0) {
      flaw(CellFlaw.Kind.OUTSIDE_HOUR, points(outside) + " beyond the row's hour");
    }
    if (longer > 0) {
      flaw(CellFlaw.Kind.LONG_INTEGER, points(longer) + " in 8 bytes though fewer would do");
    }
    if (kind == CellKind.COMPACTED && descending) {
      flaw(CellFlaw.Kind.OUT_OF_ORDER, "points out of order");
    }
    if (kind == CellKind.APPEND && !points.isAscending()) {
      int superseded = points.size() - pointsInOrder().size();
      flaw(
          CellFlaw.Kind.APPEND_DISORDER,
          superseded == 0 ? "points out of order" : points(superseded) + " superseded");
    }
  }

  private boolean isLongerThanNeeded(int i) {
    return points.flags(i) == Long.BYTES - 1 && Value.flagsOf(points.raw(i)) != points.flags(i);
  }

  private static String points(int count) {
    return count + (count == 1 ? " point" : " points");
  }
}
