package org.hourstone.write;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.Trait;
import org.hourstone.write.CompactionOptions.Appends;

/**
 * Rewrites rows so that all of their points stand in one cell, or in a few where one would be too
 * large. Other cells stay: annotations, histograms, unknown ones. See {@code
 * docs/format/compaction.md}.
 *
 * <p>Nothing is lost, whatever happens meanwhile and however many compact the same row:
 *
 * <ul>
 *   <li>The old cells go and the new ones come in one atomic step. Of the old ones only those go
 *       that are still as they were read.
 *   <li>A new cell is as old as the newest it was made of. So a point that was not there when the
 *       row was read is newer than the new cell, and is the one that is read; and a cell that was
 *       put in the new cell's place meanwhile stays there.
 *   <li>Where a deletion may hide what is put after it, a new cell is put and read before the old
 *       ones go. If it stays hidden the row is left as it is.
 * </ul>
 *
 * <p>The second relies on later writes having later times. Where a store gives times by the
 * millisecond only, a row is left until it has been quiet for a while. There new cells are dated a
 * millisecond later than the newest they were made of, too, since a cell that was deleted may hide
 * what is put in its place with its own time.
 *
 * <p>Where deletions hide, no compacted cell is ever taken apart: another writer that compacts the
 * row may have deleted cells of just its parts, or be about to, and they would be hidden with all
 * their points. So a new cell holds all points of the compacted cells it is made of, even if it
 * gets larger than the bound. Then no cell of a row ever comes again after somebody has merged it,
 * since what it was merged into only grows.
 *
 * <p>Only rows whose hour is over are touched. Thread-safe.
 */
public final class RowCompactor {
  /** A row is closed this long after its hour's start: the hour and a second. */
  private static final long CLOSED_AFTER_SECONDS = Timestamps.ROW_SECONDS + 1;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final CompactionOptions options;
  private final InstantSource clock;
  private final AppendRepair repair;
  private final RowGuard guard;
  private final boolean exactTimes;
  private final DatedCells dated;

  /**
   * @param family the data table's
   * @param guard of the process's other writers of rows
   */
  public RowCompactor(
      KeyValueStore store,
      Family family,
      RowKey keys,
      CompactionOptions options,
      InstantSource clock,
      RowGuard guard) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.options = options;
    this.clock = clock;
    this.guard = guard;
    this.repair = new AppendRepair(store, family, keys, options.cellsAsTheyStand(), clock, guard);
    this.exactTimes = store.traits().contains(Trait.MONOTONIC_WRITE_TIMES);
    this.dated = new DatedCells(store, family);
  }

  /** Whether the hour of the row with this key is over. */
  public boolean isClosed(byte[] row) {
    return closedAt(row) <= clock.millis() / 1000;
  }

  /** From when on the row may be compacted, in seconds since the epoch. */
  long closedAt(byte[] row) {
    return keys.baseTime(row) + CLOSED_AFTER_SECONDS;
  }

  /** For how long a row must not have been written to. */
  int quietSeconds() {
    return options.quietSeconds();
  }

  /** As {@link #compact(Row)}, for the row with this key. */
  public CompactionOutcome compact(byte[] row) {
    return isClosed(row)
        ? compact(store.get(family, row, Columns.all()))
        : CompactionOutcome.TOO_EARLY;
  }

  /**
   * Compacts a row that was just read, with all of its cells.
   *
   * @throws CorruptDataException if the row is damaged, or has conflicting points, naming it; it is
   *     left as it is
   * @throws org.hourstone.kv.StoreException if the store fails; no point is lost
   */
  public CompactionOutcome compact(Row row) {
    List<Integer> parts = parts(row);
    long newest = parts.stream().mapToLong(row::writeTime).max().orElse(0);
    if (!isClosed(row.key()) || !isQuiet(newest)) {
      return CompactionOutcome.TOO_EARLY;
    }
    try {
      return options.appends() != Appends.MERGED && hasAppends(row, parts)
          ? repair(row, parts.size())
          : merge(row, parts, newest);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "row " + HexFormat.of().formatHex(row.key()) + " of " + family + ": " + e.getMessage(),
          e);
    }
  }

  /** All there is to do for a row whose append cell stays. */
  private CompactionOutcome repair(Row row, int cells) {
    boolean repaired = options.appends() == Appends.REPAIRED && repair.repair(row);
    points(row); // whether the row can be read is to be known all the same
    return repaired
        ? CompactionOutcome.rewritten(cells, cells)
        : CompactionOutcome.unchanged(cells);
  }

  private CompactionOutcome merge(Row row, List<Integer> parts, long newest) {
    RowPoints points = points(row);
    return points.size() == 0
        ? CompactionOutcome.unchanged(parts.size())
        : rewrite(row, parts, newest, cells(row, parts, points));
  }

  private List<CompactedCell> cells(Row row, List<Integer> parts, RowPoints points) {
    if (!dated.mayHide()) {
      return CompactedCell.of(points, options.maxCellBytes());
    }
    BitSet inside = new BitSet(points.size());
    for (int part : parts) {
      byte[] qualifier = row.qualifier(part);
      if (CellKind.of(qualifier) == CellKind.COMPACTED) {
        int first = points.indexOf(offsets(qualifier).min().orElseThrow());
        int last = points.indexOf(offsets(qualifier).max().orElseThrow());
        inside.set(first + 1, Math.max(first, last) + 1);
      }
    }
    return CompactedCell.of(points, options.maxCellBytes(), from -> !inside.get(from));
  }

  private static IntStream offsets(byte[] qualifier) {
    return IntStream.iterate(
            0, at -> at < qualifier.length, at -> at + Qualifier.width(qualifier[at]))
        .map(at -> Qualifier.offsetMillis(qualifier, at));
  }

  /**
   * Whether no writer of the row was at work when it was read. One may have its write time, and not
   * have written yet what others wrote after it did: its point would be older than the new cell.
   * Replacing nothing waits for those who write the row; then the row must be as it was read.
   */
  private boolean isSettled(Row row) {
    if (!exactTimes) {
      return !guard.mayHaveLost(store, family, row);
    }
    store.replaceCells(family, Row.empty(row.key()), List.of());
    return RowGuard.isAs(row, store.get(family, row.key(), Columns.all()));
  }

  /** Whether what is written from now on gets a later time than the newest cell of a row. */
  private boolean isQuiet(long newest) {
    return exactTimes || newest + options.quietSeconds() * 1000L <= clock.millis();
  }

  /** The cells that hold points. */
  private static List<Integer> parts(Row row) {
    List<Integer> parts = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      switch (CellKind.of(row.qualifier(i))) {
        case POINT, COMPACTED, APPEND -> parts.add(i);
        case ANNOTATION, HISTOGRAM, UNKNOWN -> {}
      }
    }
    return parts;
  }

  private static boolean hasAppends(Row row, List<Integer> parts) {
    return parts.stream().anyMatch(part -> CellKind.of(row.qualifier(part)) == CellKind.APPEND);
  }

  private RowPoints points(Row row) {
    RowDecoder decoder = new RowDecoder(options.duplicates(), options.cellsAsTheyStand());
    RowPoints points = new RowPoints();
    decoder.start();
    for (int i = 0; i < row.size(); i++) {
      int left = decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
      checkLeftOver(row.qualifier(i), left);
    }
    decoder.finish(points);
    return points;
  }

  /** What nobody understands must not be dropped with the cell it stands in. */
  private void checkLeftOver(byte[] qualifier, int left) {
    int allowed = CellKind.of(qualifier) == CellKind.COMPACTED ? 1 : 0;
    if (left > allowed && !options.cellsAsTheyStand()) {
      throw new CorruptDataException(
          "cell "
              + HexFormat.of().formatHex(qualifier)
              + " has "
              + (left - allowed)
              + " bytes more than its points take");
    }
  }

  private CompactionOutcome rewrite(
      Row row, List<Integer> parts, long newest, List<CompactedCell> compacted) {
    Map<Bytes, CompactedCell> wanted = new LinkedHashMap<>();
    compacted.forEach(cell -> wanted.put(new Bytes(cell.qualifier()), cell));
    List<Integer> replaced = new ArrayList<>();
    int same = 0;
    for (int part : parts) {
      Bytes qualifier = new Bytes(row.qualifier(part));
      CompactedCell cell = wanted.get(qualifier);
      if (cell == null || !Arrays.equals(cell.value(), row.value(part))) {
        replaced.add(part);
      } else {
        same++;
        if (options.pointTimeAsWriteTime()) {
          wanted.remove(qualifier);
        } else {
          // Put again beside what goes: whoever read the row as it was must not take its points out
          // of this cell because they stand in one that goes, too.
          replaced.add(part);
        }
      }
    }
    if (same == parts.size() && same == compacted.size()) {
      return CompactionOutcome.unchanged(parts.size());
    }
    List<CompactedCell> put = List.copyOf(wanted.values());
    return guard.alone(
        row.key(), () -> replace(row, parts.size(), newest, replaced, put, compacted.size()));
  }

  private CompactionOutcome replace(
      Row row,
      int cells,
      long newest,
      List<Integer> replaced,
      List<CompactedCell> compacted,
      int left) {
    if (!isSettled(row)) {
      return CompactionOutcome.TOO_EARLY;
    }
    long writeTime = exactTimes || options.pointTimeAsWriteTime() ? newest : later(newest);
    List<Cell> put = new ArrayList<>();
    compacted.forEach(cell -> put.add(new Cell(cell.qualifier(), cell.value(), writeTime)));
    if (isHidden(row, put)) {
      return CompactionOutcome.unchanged(cells);
    }
    store.replaceCells(family, only(row, replaced), put);
    return CompactionOutcome.rewritten(cells, left);
  }

  /**
   * Whether a deletion hides a new cell. It is tried before the old ones go; one that takes the
   * place of an older one can be read as that could.
   */
  private boolean isHidden(Row row, List<Cell> put) {
    List<Cell> fresh = put.stream().filter(cell -> row.indexOf(cell.qualifier()) < 0).toList();
    return dated.mayHide() && !dated.put(row.key(), fresh).isEmpty();
  }

  private static long later(long time) {
    return Math.min(time + 1, Change.MAX_WRITE_TIME);
  }

  /** A row's cells of these numbers. */
  static Row only(Row row, List<Integer> cells) {
    byte[][] qualifiers = new byte[cells.size()][];
    byte[][] values = new byte[cells.size()][];
    long[] writeTimes = new long[cells.size()];
    for (int i = 0; i < qualifiers.length; i++) {
      qualifiers[i] = row.qualifier(cells.get(i));
      values[i] = row.value(cells.get(i));
      writeTimes[i] = row.writeTime(cells.get(i));
    }
    return Row.of(row.key(), qualifiers, values, writeTimes);
  }
}
