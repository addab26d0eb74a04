package org.hourstone.export;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.hourstone.codec.CellFlaw;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.DataCell;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.export.RowText.Omission;
import org.hourstone.kv.Row;
import org.jspecify.annotations.Nullable;

/**
 * What the cells of a row hold.
 *
 * @param points all that a text can represent, by time; of points that share a timestamp, the one
 *     that readers use is last
 * @param cells the cells whose points are all among these, ascending
 * @param events the cells of annotations and histograms, ascending
 * @param omitted all other cells
 */
record RowContent(
    RowPoints points, List<Integer> cells, List<Integer> events, List<Omission> omitted) {

  /**
   * @param base the base time of the row, in seconds
   */
  static RowContent of(Row row, long base) {
    List<@Nullable RowPoints> parts = new ArrayList<>();
    List<Integer> cells = new ArrayList<>();
    List<Integer> events = new ArrayList<>();
    List<Omission> omitted = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      DataCell cell = DataCell.of(row.qualifier(i), row.value(i));
      String reason = reasonToOmit(cell);
      RowPoints part = reason == null && cell.holdsPoints() ? cell.pointsInOrder() : null;
      parts.add(part);
      if (part != null) {
        reason = reasonToOmit(base, part);
      }
      if (reason != null) {
        omitted.add(new Omission(i, cell.holdsPoints(), reason));
      } else if (part == null) {
        events.add(i);
      } else {
        cells.add(i);
      }
    }
    return new RowContent(merged(row, base, parts), cells, events, omitted);
  }

  private static @Nullable String reasonToOmit(DataCell cell) {
    if (!cell.holdsPoints()) {
      return cell.kind() == CellKind.UNKNOWN ? cell.kind().name().toLowerCase(Locale.ROOT) : null;
    }
    for (CellFlaw flaw : cell.flaws()) {
      switch (flaw.kind()) {
        case BAD_VALUE, BAD_COMPACT, BAD_APPEND -> {
          return flaw.text();
        }
        default -> {}
      }
    }
    return null;
  }

  /** Why not all points of a cell can be represented. */
  private static @Nullable String reasonToOmit(long base, RowPoints points) {
    for (int i = 0; i < points.size(); i++) {
      if (!hasTime(base, points, i)) {
        return "a time that no line can represent";
      }
      if (!hasValue(points, i)) {
        return "a value that is not finite";
      }
    }
    return null;
  }

  private static boolean hasTime(long base, RowPoints points, int i) {
    long time = time(base, points, i);
    return points.isMillis(i)
        ? Timestamps.isMillis(time)
        : time > 0 && time <= Timestamps.MAX_SECONDS;
  }

  private static boolean hasValue(RowPoints points, int i) {
    return !points.isFloat(i) || Double.isFinite(points.toDouble(i));
  }

  /** The timestamp of a point, in its own resolution. */
  static long time(long base, RowPoints points, int i) {
    long millis = base * 1000 + points.offset(i);
    return points.isMillis(i) ? millis : millis / 1000;
  }

  private static RowPoints merged(Row row, long base, List<@Nullable RowPoints> parts) {
    RowPoints merged = new RowPoints();
    // Of two cells, readers use the one written later; of those written at once, the first.
    IntStream.range(0, parts.size())
        .boxed()
        .sorted(
            Comparator.<Integer>comparingLong(row::writeTime)
                .thenComparing(Comparator.reverseOrder()))
        .map(parts::get)
        .forEach(
            part -> {
              if (part != null) {
                add(base, part, merged);
              }
            });
    merged.sort(); // keeps the order of equal ones
    return merged;
  }

  /** Adds the points of a cell; of those that share a timestamp, readers use the first. */
  private static void add(long base, RowPoints part, RowPoints to) {
    to.reserve(part.size());
    int from = 0;
    while (from < part.size()) {
      int until = from + 1;
      while (until < part.size() && part.offset(until) == part.offset(from)) {
        until++;
      }
      for (int i = until - 1; i >= from; i--) {
        if (hasTime(base, part, i) && hasValue(part, i)) {
          to.add(part.offset(i), part.isMillis(i), part.flags(i), part.raw(i));
        }
      }
      from = until;
    }
  }
}
