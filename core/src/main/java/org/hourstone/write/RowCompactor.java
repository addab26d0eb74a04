package org.hourstone.write;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CompactedCell;
import org.hourstone.codec.CorruptDataException;
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
import org.jspecify.annotations.Nullable;

/**
 * Rewrites rows so that all of their points stand in one cell. Other cells stay: annotations,
 * histograms, unknown ones.
 *
 * <p>Nothing is lost, whatever happens meanwhile: the old cells go and the new one comes in one
 * atomic step, and of the old ones only those go that are still as they were read, so a point
 * written in between stays beside the new cell. Only rows whose hour is over are touched.
 * Thread-safe.
 */
public final class RowCompactor {
  /** A row is closed this long after its hour's start: the hour and a second. */
  private static final long CLOSED_AFTER_SECONDS = Timestamps.ROW_SECONDS + 1;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final CompactionOptions options;
  private final InstantSource clock;
  private final @Nullable AppendRepair repair;

  /**
   * @param family the data table's
   * @param repair puts append cells in order that compaction leaves where they are; or null
   */
  public RowCompactor(
      KeyValueStore store,
      Family family,
      RowKey keys,
      CompactionOptions options,
      InstantSource clock,
      @Nullable AppendRepair repair) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.options = options;
    this.clock = clock;
    this.repair = options.rewriteAppends() ? null : repair;
  }

  /** Whether the hour of the row with this key is over. */
  public boolean isClosed(byte[] row) {
    return closedAt(row) <= clock.millis() / 1000;
  }

  /** From when on the row may be compacted, in seconds since the epoch. */
  long closedAt(byte[] row) {
    return keys.baseTime(row) + CLOSED_AFTER_SECONDS;
  }

  /**
   * Compacts a row, unless its hour is not over yet.
   *
   * @return whether anything was rewritten
   * @throws CorruptDataException if the row is damaged, naming it; it is left as it is
   * @throws org.hourstone.kv.StoreException if the store fails; no point is lost
   */
  public boolean compact(byte[] row) {
    return isClosed(row) && compact(store.get(family, row, Columns.all()));
  }

  /** As {@link #compact(byte[])}, for a row that was just read, with all of its cells. */
  public boolean compact(Row row) {
    if (!isClosed(row.key())) {
      return false;
    }
    boolean repaired = repair != null && repair.repair(row);
    RowPoints points = points(row);
    List<Integer> parts = parts(row);
    if (parts.isEmpty() || points.size() == 0) {
      return repaired;
    }
    return rewrite(row, parts, CompactedCell.of(points, options.maxCellBytes()));
  }

  /** The cells that hold points; none if the row is to be left alone. */
  private List<Integer> parts(Row row) {
    List<Integer> parts = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      switch (CellKind.of(row.qualifier(i))) {
        case POINT, COMPACTED -> parts.add(i);
        case APPEND -> {
          if (!options.rewriteAppends()) {
            return List.of();
          }
          if (row.value(i).length > 0) {
            parts.add(i);
          }
        }
        case ANNOTATION, HISTOGRAM, UNKNOWN -> {}
      }
    }
    return parts;
  }

  private RowPoints points(Row row) {
    RowDecoder decoder = new RowDecoder(options.duplicates(), options.cellsAsTheyStand());
    RowPoints points = new RowPoints();
    try {
      decoder.start();
      for (int i = 0; i < row.size(); i++) {
        decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
      }
      decoder.finish(points);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          "row " + HexFormat.of().formatHex(row.key()) + " of " + family + ": " + e.getMessage(),
          e);
    }
    return points;
  }

  private boolean rewrite(Row row, List<Integer> parts, List<CompactedCell> compacted) {
    Map<Bytes, CompactedCell> wanted = new HashMap<>();
    compacted.forEach(cell -> wanted.put(new Bytes(cell.qualifier()), cell));
    List<Integer> replaced = new ArrayList<>();
    long newest = 0;
    boolean inPlace = false;
    for (int part : parts) {
      newest = Math.max(newest, row.writeTime(part));
      CompactedCell same = wanted.remove(new Bytes(row.qualifier(part)));
      if (same == null) {
        replaced.add(part);
      } else if (!Arrays.equals(same.value(), row.value(part))) {
        // Conditional on its value: a point that was put in its place meanwhile must stay.
        inPlace |=
            store.compareAndSet(family, row.key(), same.qualifier(), row.value(part), same.value());
      }
    }
    long writeTime = options.pointTimeAsWriteTime() ? newest : Change.Put.STORE_TIME;
    List<Cell> put = new ArrayList<>();
    wanted.values().forEach(cell -> put.add(new Cell(cell.qualifier(), cell.value(), writeTime)));
    if (replaced.isEmpty() && put.isEmpty()) {
      return inPlace;
    }
    store.replaceCells(family, only(row, replaced), put);
    return true;
  }

  private static Row only(Row row, List<Integer> cells) {
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
