package org.hourstone.query.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.Row;
import org.hourstone.query.CorruptionPolicy;
import org.hourstone.rollup.HourRange;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupPoints;
import org.hourstone.series.PointColumn;

/**
 * The values of intervals, from rows of rolled-up values, and from rows of points where those may
 * not be used. For one thread.
 */
public final class RolledRowValues implements RowValues {
  /**
   * How points are read.
   *
   * @param family of their rows
   * @param keys of all rows
   * @param chunk makes what gathers the values of the intervals of one series, downsampled
   * @param annotations whether those in rows are needed
   */
  public record PointRows(
      KeyValueReader store,
      Family family,
      RowKey keys,
      Supplier<SeriesChunk> chunk,
      boolean annotations) {}

  private final RolledPart part;
  private final PointRows rows;
  private final RowValues points;
  private final RolledColumns values;

  /** The values of the current row by time: one, or a sum and a count. */
  private final TreeMap<Long, double[]> byTime = new TreeMap<>();

  private final PointColumn column = new PointColumn();

  /**
   * @param points decodes rows of points
   */
  public RolledRowValues(
      RolledPart part,
      RollupConfig config,
      DuplicatePolicy duplicates,
      PointRows rows,
      RowValues points,
      CorruptionPolicy corruption) {
    this.part = part;
    this.rows = rows;
    this.points = points;
    this.values = new RolledColumns(config, part.stored(), duplicates, corruption, true);
  }

  @Override
  public int decode(List<Row> stored, long baseMillis, List<SeriesChunk> into) {
    byte[] key = stored.get(0).key();
    int salt = rows.keys().schema().saltWidth();
    Bytes unsalted = new Bytes(Arrays.copyOfRange(key, salt, key.length));
    SortedSet<Long> unusable = part.unusable().getOrDefault(unsalted, Collections.emptySortedSet());
    SortedSet<Long> annotated =
        part.annotated().getOrDefault(unsalted, Collections.emptySortedSet());
    int count = decodeValues(stored, baseMillis, unusable, into);
    return count + addAnnotations(rows.keys().tsuid(key), annotated, unusable, into);
  }

  private int decodeValues(
      List<Row> stored, long baseMillis, SortedSet<Long> unusable, List<SeriesChunk> into) {
    byte[] key = stored.get(0).key();
    values.decode(stored);
    if (unusable.isEmpty()) {
      return addStored(baseMillis, into);
    }
    byTime.clear();
    HourRange hours = part.hours();
    RollupPoints first = values.of(0);
    long stop = part.interval().rowSpan().next(baseMillis / 1000);
    for (int i = 0; i < first.size(); i++) {
      long start = baseMillis / 1000 + first.index(i) * part.interval().seconds();
      if (hours.contains(start) && start < stop && !unusable.contains(start)) {
        double[] one = new double[values.count()];
        one[0] = first.toDouble(i);
        if (values.count() == 1 || addSecond(first.index(i), one)) {
          byTime.put(start * 1000, one);
        }
      }
    }
    int count = byTime.size() + computed(rows.keys().tsuid(key), unusable, into);
    column.clear();
    byTime.forEach(
        (millis, one) -> {
          for (double value : one) {
            column.addDouble(millis, value);
          }
        });
    into.forEach(chunk -> chunk.addAll(column));
    return count;
  }

  /** Adds the stored values, all of which may be used; returns how many. */
  private int addStored(long baseMillis, List<SeriesChunk> into) {
    column.clear();
    RollupPoints first = values.of(0);
    column.reserve(first.size() * values.count());
    RollupPoints second = values.of(values.count() - 1);
    long millis = part.interval().seconds() * 1000;
    long from = Math.max(part.hours().from() * 1000, baseMillis);
    long until =
        Math.min(
            part.hours().until() * 1000, part.interval().rowSpan().next(baseMillis / 1000) * 1000);
    int count = 0;
    int j = 0;
    for (int i = 0; i < first.size(); i++) {
      long start = baseMillis + first.index(i) * millis;
      while (j < second.size() && second.index(j) < first.index(i)) {
        j++;
      }
      boolean isWhole = j < second.size() && second.index(j) == first.index(i);
      if (isWhole && start >= from && start < until) {
        column.addDouble(start, first.toDouble(i));
        if (values.count() > 1) {
          column.addDouble(start, second.toDouble(j));
        }
        count++;
      }
    }
    into.forEach(chunk -> chunk.addAll(column));
    return count;
  }

  private boolean addSecond(int index, double[] one) {
    RollupPoints second = values.of(1);
    for (int i = 0; i < second.size(); i++) {
      if (second.index(i) == index) {
        one[1] = second.toDouble(i);
        return true;
      }
    }
    return false;
  }

  /** Adds the values of intervals that are computed from points; returns how many points. */
  private int computed(byte[] tsuid, SortedSet<Long> intervals, List<SeriesChunk> into) {
    int count = 0;
    try (SeriesChunk chunk = rows.chunk().get()) {
      for (long hour : hours(intervals)) {
        count += read(tsuid, hour, chunk, into);
      }
      Objects.requireNonNull(chunk.step).finish(chunk.points);
      int width = values.count();
      for (int i = 0; i + width <= chunk.points.size(); i += width) {
        if (intervals.contains(chunk.points.millis(i) / 1000)) {
          double[] one = new double[width];
          for (int j = 0; j < width; j++) {
            one[j] = chunk.points.doubleValue(i + j);
          }
          byTime.put(chunk.points.millis(i), one);
        }
      }
    }
    return count;
  }

  /** Adds annotations of hours whose values are the stored ones; returns how many points. */
  private int addAnnotations(
      byte[] tsuid, SortedSet<Long> annotated, SortedSet<Long> unusable, List<SeriesChunk> into) {
    int count = 0;
    for (long hour : annotated) {
      if (!unusable.contains(hour - hour % part.interval().seconds())) { // else they are there
        try (SeriesChunk values = rows.chunk().get()) {
          count += read(tsuid, hour, values, into);
        }
      }
    }
    return count;
  }

  /** Reads the points of an hour, and adds its annotations; returns how many points. */
  private int read(byte[] tsuid, long hour, SeriesChunk chunk, List<SeriesChunk> into) {
    List<Row> found =
        rows
            .store()
            .get(
                rows.family(),
                rows.keys().rowKeys(tsuid, hour),
                rows.annotations() ? Columns.all() : Columns.allAsStored())
            .stream()
            .filter(row -> !row.isEmpty())
            .toList();
    int count = found.isEmpty() ? 0 : points.decode(found, hour * 1000, List.of(chunk));
    if (count > 0) { // as over points
      keepNotes(found, into);
    }
    return count;
  }

  /** The hours of intervals, ascending. */
  private List<Long> hours(SortedSet<Long> intervals) {
    List<Long> hours = new ArrayList<>();
    for (long start : intervals) {
      long first = start - start % Timestamps.ROW_SECONDS;
      for (long hour = first;
          hour < start + part.interval().seconds();
          hour += Timestamps.ROW_SECONDS) {
        if (hours.isEmpty() || hours.get(hours.size() - 1) < hour) {
          hours.add(hour);
        }
      }
    }
    return hours;
  }

  private void keepNotes(List<Row> found, List<SeriesChunk> into) {
    if (!rows.annotations()) {
      return;
    }
    for (Row row : found) {
      for (int i = 0; row.coded() == null && i < row.size(); i++) {
        if (CellKind.of(row.qualifier(i)) == CellKind.ANNOTATION) {
          byte[] annotation = row.value(i);
          into.forEach(chunk -> chunk.annotations.add(annotation));
        }
      }
    }
  }

  @Override
  public void close() {
    points.close();
  }
}
