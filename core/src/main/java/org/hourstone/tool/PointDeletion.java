package org.hourstone.tool;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.DataCell;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Cell;
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
import org.hourstone.kv.Trait;
import org.hourstone.tool.FsckOptions.Keep;
import org.hourstone.write.DatedCells;
import org.hourstone.write.RowGuard;

/**
 * Deletes points of rows, exactly those of a span of time, or whole rows.
 *
 * <p>Of a row only cells go that are still as they were read, in the same atomic step as what is
 * left of them comes, which bears their write time: who writes to the row meanwhile loses nothing.
 * If it has points of the span then, it is read again. Where other processes write, too, one of
 * them may put back what it has read before, as it compacts the row; so there all rows are gone
 * over until nothing is found any more.
 *
 * <p>Where a deletion may hide what is put after it, a cell is put and read back before the one it
 * is made of goes. Thread-safe.
 */
public final class PointDeletion {
  /** After that often a row that keeps getting points of the span is left. */
  private static final int ATTEMPTS = 10;

  /** How often all rows are gone over at most, where others write. */
  private static final int MOST_PASSES = 3;

  private static final int ROWS_AT_A_TIME = 256;

  /**
   * Which rows, and what of them.
   *
   * @param scans of rows
   * @param passes whether a row of theirs is meant, by its key
   * @param fromMillis the first instant, since the epoch
   * @param toMillis the last one, inclusive
   * @param histograms whether histograms go, else points
   */
  public record Selected(
      List<Scan> scans,
      Predicate<byte[]> passes,
      long fromMillis,
      long toMillis,
      boolean histograms) {
    boolean contains(long millis) {
      return millis >= fromMillis && millis <= toMillis;
    }
  }

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final RowGuard guard;
  private final Keep keep;
  private final boolean skipDamage;
  private final ReadableCells readable;
  private final boolean shared;

  /**
   * @param family the data table's
   * @param guard of the process's other writers of rows
   * @param keep which of different values of one instant is read
   * @param skipDamage whether damaged cells stay as they are; else they are an error
   */
  public PointDeletion(
      KeyValueStore store,
      Family family,
      RowKey keys,
      RowGuard guard,
      Keep keep,
      boolean skipDamage) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.guard = guard;
    this.keep = keep;
    this.skipDamage = skipDamage;
    this.readable = new ReadableCells(store, family, new DatedCells(store, family));
    this.shared = store.traits().contains(Trait.SHARED);
  }

  /**
   * Deletes the points, or the histograms, of a span. Notes stay, and so does whatever is unknown.
   *
   * @return how many instants of a series had one
   * @throws org.hourstone.codec.CorruptDataException if a cell of points is damaged, and damage is
   *     not to be passed over, naming its row; what was deleted before stays deleted
   * @throws StoreException if the store fails; it may be begun anew
   */
  public long deletePoints(Selected selected) {
    guard.beginDeleting();
    long deleted = 0;
    for (int pass = 0; pass < (shared ? MOST_PASSES : 1); pass++) {
      long found = pass(selected);
      deleted = pass == 0 ? found : deleted; // what comes back was counted
      if (found == 0) {
        break;
      }
    }
    return deleted;
  }

  private long pass(Selected selected) {
    long deleted = 0;
    for (Scan scan : selected.scans()) {
      try (RowCursor rows = store.scan(family, scan)) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          if (keys.isSeriesRow(row.key()) && selected.passes().test(row.key())) {
            deleted += trim(row, selected).isEmpty() ? 0 : trimAlone(row.key(), selected);
          }
        }
      }
    }
    return deleted;
  }

  private RowTrim trim(Row row, Selected selected) {
    RowTrim trim = RowTrim.of(row, keys.baseTime(row.key()) * 1000, selected, keep);
    if (!skipDamage) {
      trim.checkSound();
    }
    return trim;
  }

  private long trimAlone(byte[] key, Selected selected) {
    Set<Long> instants = new HashSet<>();
    for (int i = 0; i < ATTEMPTS; i++) {
      boolean done = guard.alone(key, () -> trimOnce(key, selected, instants));
      if (done) {
        break;
      }
    }
    return instants.size();
  }

  /** Whether nothing was left to do. */
  private boolean trimOnce(byte[] key, Selected selected, Set<Long> instants) {
    Row row = store.get(family, key, Columns.all());
    RowTrim trim = trim(row, selected);
    if (trim.isEmpty()) {
      return true;
    }
    List<Cell> hidden = readable.put(row, trim.going(), trim.fresh());
    if (!hidden.isEmpty()) {
      throw new StoreException(
          Outcome.NOT_APPLIED,
          "a deletion in "
              + family
              + " hides what is left of row "
              + HexFormat.of().formatHex(key)
              + ": none of its points are deleted until the store drops the deletion (in HBase:"
              + " major_compact)");
    }
    store.replaceCells(family, RowWriter.only(row, trim.going()), trim.coming());
    instants.addAll(trim.instants());
    return false;
  }

  /**
   * Deletes whole rows, as OpenTSDB does: with what they hold beyond the span, and with notes.
   *
   * @return how many points they had
   */
  public long deleteRows(Selected selected) {
    guard.beginDeleting();
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
