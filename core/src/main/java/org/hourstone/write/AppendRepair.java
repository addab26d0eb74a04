package org.hourstone.write;

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
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;

/**
 * Puts the points of append cells in order and drops those that later ones took the place of, once
 * the row's hour is over ({@code tsd.storage.repair_appends}). See {@code
 * docs/format/append.md#repair}.
 *
 * <p>The cell keeps its write time, so it neither takes precedence over cells that came after it
 * nor over what is appended meanwhile: that gives the cell a later time, and it stays as it is.
 * Thread-safe.
 */
public final class AppendRepair {
  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final boolean cellsAsTheyStand;
  private final InstantSource clock;
  private final RowGuard guard;

  /**
   * @param family the data table's
   * @param cellsAsTheyStand whether lengths that no value has are let through, as OpenTSDB does
   * @param guard of the process's other writers of rows
   */
  public AppendRepair(
      KeyValueStore store,
      Family family,
      RowKey keys,
      boolean cellsAsTheyStand,
      InstantSource clock,
      RowGuard guard) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.cellsAsTheyStand = cellsAsTheyStand;
    this.clock = clock;
    this.guard = guard;
  }

  /**
   * Repairs the append cell of a row that was just read, if it has one that needs it.
   *
   * @return whether it was rewritten, unless it was appended to meanwhile
   * @throws org.hourstone.codec.CorruptDataException if the cell is damaged
   */
  public boolean repair(Row row) {
    int at = row.indexOf(AppendCell.qualifier());
    long sinceStart = clock.millis() / 1000 - keys.baseTime(row.key());
    if (at < 0 || row.value(at).length == 0 || sinceStart <= Timestamps.ROW_SECONDS) {
      return false;
    }
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, cellsAsTheyStand);
    RowPoints points = new RowPoints();
    decoder.start();
    decoder.add(row.qualifier(at), row.value(at), row.writeTime(at));
    decoder.finish(points);
    byte[] repaired = AppendCell.encode(points);
    if (Arrays.equals(repaired, row.value(at))) {
      return false;
    }
    Cell cell = new Cell(row.qualifier(at), repaired, row.writeTime(at));
    Row old = RowCompactor.only(row, List.of(at));
    return guard.alone(
        row.key(),
        () -> {
          if (guard.mayHaveLost(store, family, row)) {
            return false;
          }
          store.replaceCells(family, old, List.of(cell));
          return true;
        });
  }
}
