package org.hourstone.rewrite;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.DataCell;
import org.hourstone.codec.RowKey;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Deletes the points of rows within a time range, or whole rows.
 *
 * <p>Nothing that is deleted reappears. Every writer that rewrites a row, in this process or
 * another, replaces the cells it has read only if all of them are unchanged, and a deleted cell has
 * changed. No other point is lost, either: cells that also hold other points are replaced in the
 * same way, see {@link #deletePoints} and {@link #deleteRows}. An OpenTSDB that compacts the same
 * row does not check this, so neither guarantee holds then. Thread-safe.
 */
public final class PointDeletion {
  /** The maximum number of attempts if a row changes between its reading and its replacement. */
  private static final int ATTEMPTS = 100;

  /** The number of attempts after which the pauses stop growing, at about 80 ms. */
  private static final int LONGEST_PAUSE = 5;

  private static final int ROWS_AT_A_TIME = 256;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final Keep keep;
  private final boolean skipCorruption;
  private final Backoff backoff;

  /**
   * @param family the data table's
   * @param keep which of different values of one timestamp is used
   * @param skipCorruption whether corrupt cells are skipped; otherwise they are an error
   * @param backoff the pause before a row that has changed is read again
   */
  public PointDeletion(
      KeyValueStore store,
      Family family,
      RowKey keys,
      Keep keep,
      boolean skipCorruption,
      Backoff backoff) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.keep = keep;
    this.skipCorruption = skipCorruption;
    this.backoff = backoff;
  }

  /**
   * Deletes the points, or the histograms, of a time range. Annotations and unknown cells stay. A
   * cell that also holds other points is replaced by a cell with those points if it is unchanged;
   * otherwise the row is read again. A point in the range that is written to the row concurrently
   * may stay.
   *
   * @return the number of timestamps deleted, per series
   * @throws org.hourstone.codec.CorruptDataException if a cell of points is corrupt and either
   *     corruption is not skipped or the cell has the qualifier that the rest of another cell
   *     needs; the message names the row, and earlier deletions remain
   * @throws StoreException if the store fails, or a row kept changing; the deletion may be repeated
   */
  public long deletePoints(SelectedData selected) {
    long deleted = 0;
    for (Scan scan : selected.scans()) {
      try (RowCursor rows = store.scan(family, scan)) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          if (keys.isSeriesRow(row.key()) && selected.passes().test(row.key())) {
            deleted += trim(row, selected);
          }
        }
      }
    }
    return deleted;
  }

  private long trim(Row asRead, SelectedData selected) {
    Set<Long> timestamps = new HashSet<>();
    int failures = 0;
    for (Row row = asRead; ; row = store.get(family, row.key(), Columns.all())) {
      RowTrim trim = RowTrim.of(row, keys.baseTime(row.key()) * 1000, selected, keep);
      if (!skipCorruption) {
        trim.checkSound();
      }
      if (trim.isEmpty()) {
        return timestamps.size();
      }
      if (store.replaceCells(family, trim.observed(), trim.replacement())) {
        timestamps.addAll(trim.timestamps());
        if (!trim.isFull()) {
          return timestamps.size();
        }
      } else if (++failures == ATTEMPTS) {
        throw keepsChanging(row);
      } else {
        backoff.pause(Math.min(failures, LONGEST_PAUSE));
      }
    }
  }

  private StoreException keepsChanging(Row row) {
    return new StoreException(
        Outcome.NOT_APPLIED,
        "row "
            + HexFormat.of().formatHex(row.key())
            + " of "
            + family
            + " changed each of the "
            + ATTEMPTS
            + " times its points were to be deleted: other writers rewrite it");
  }

  /**
   * Deletes whole rows, as OpenTSDB does: including their points outside the range and their
   * annotations. A row is deleted in one step with all its contents at that moment. So a point that
   * is written concurrently is either written before the deletion of its row and is deleted, or
   * written after it and stays.
   *
   * @return the number of points the rows had when they were read
   */
  public long deleteRows(SelectedData selected) {
    long deleted = 0;
    for (Scan scan : selected.scans()) {
      try (RowCursor rows = store.scan(family, scan)) {
        List<RowMutation> batch = new ArrayList<>();
        for (Row row = rows.next(); row != null; row = rows.next()) {
          if (selected.passes().test(row.key())) {
            batch.add(new RowMutation(row.key(), new Change.DeleteRow()));
            deleted += points(row);
          }
          if (batch.size() == ROWS_AT_A_TIME) {
            store.mutate(family, batch);
            batch.clear();
          }
        }
        if (!batch.isEmpty()) {
          store.mutate(family, batch);
        }
      }
    }
    return deleted;
  }

  private static int points(Row row) {
    Set<Integer> offsets = new HashSet<>();
    for (int i = 0; i < row.size(); i++) {
      if (CellKind.of(row.qualifier(i)) != CellKind.UNKNOWN) {
        var points = DataCell.of(row.qualifier(i), row.value(i)).points();
        for (int p = 0; p < points.size(); p++) {
          offsets.add(points.offset(p));
        }
      }
    }
    return offsets.size();
  }
}
