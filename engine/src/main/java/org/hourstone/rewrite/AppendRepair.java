package org.hourstone.rewrite;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;

/**
 * Sorts the points of append cells and drops those that later ones replaced, once the row's hour is
 * over ({@code tsd.storage.repair_appends}). See {@code docs/format/append.md#repair}.
 *
 * <p>The cell is replaced only if it is still as it was read. So nothing that is appended in the
 * meantime is lost, and nothing that is deleted reappears. The cell keeps its write time, so that
 * it does not take precedence over cells that were written after it. Thread-safe.
 */
public final class AppendRepair {
  /** How many times a cell that keeps changing is read. */
  private static final int ATTEMPTS = 10;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final boolean cellsAsTheyStand;
  private final InstantSource clock;

  /**
   * @param family the data table's
   * @param cellsAsTheyStand whether lengths that no value has are accepted, as OpenTSDB does
   */
  public AppendRepair(
      KeyValueStore store,
      Family family,
      RowKey keys,
      boolean cellsAsTheyStand,
      InstantSource clock) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.cellsAsTheyStand = cellsAsTheyStand;
    this.clock = clock;
  }

  /**
   * Repairs the append cell of a row, if it has one that needs it.
   *
   * @param asRead the row; it is read again if the cell has changed since
   * @return whether the cell was rewritten; not if it kept changing
   * @throws org.hourstone.codec.CorruptDataException if the cell is corrupt
   */
  public boolean repair(Row asRead) {
    long sinceStart = clock.millis() / 1000 - keys.baseTime(asRead.key());
    if (sinceStart <= Timestamps.ROW_SECONDS) {
      return false;
    }
    Row row = asRead;
    for (int i = 0; i < ATTEMPTS; i++) {
      int at = row.indexOf(AppendCell.qualifier());
      if (at < 0 || row.value(at).length == 0) {
        return false;
      }
      byte[] repaired = repaired(row, at);
      if (Arrays.equals(repaired, row.value(at))) {
        return false;
      }
      Cell cell = new Cell(row.qualifier(at), repaired, row.writeTime(at));
      if (store.replaceCells(family, row.only(List.of(at)), List.of(cell))) {
        return true;
      }
      row = store.get(family, row.key(), Columns.exactly(AppendCell.qualifier()));
    }
    return false;
  }

  private byte[] repaired(Row row, int at) {
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, cellsAsTheyStand);
    RowPoints points = new RowPoints();
    decoder.start();
    decoder.add(row.qualifier(at), row.value(at), row.writeTime(at));
    decoder.finish(points);
    return AppendCell.encode(points);
  }
}
