package org.hourstone.write;

import java.time.InstantSource;
import java.util.Arrays;
import org.hourstone.codec.AppendCell;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowDecoder;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Timestamps;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;

/**
 * Puts the points of append cells in order and drops those that later ones took the place of, once
 * the row's hour is over ({@code tsd.storage.repair_appends}). A cell that was appended to
 * meanwhile is left as it is. Thread-safe.
 */
public final class AppendRepair {
  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final InstantSource clock;

  /**
   * @param family the data table's
   */
  public AppendRepair(KeyValueStore store, Family family, RowKey keys, InstantSource clock) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.clock = clock;
  }

  /**
   * Repairs the append cell of a row that was just read, if it has one that needs it.
   *
   * @return whether it was rewritten
   * @throws org.hourstone.codec.CorruptDataException if the cell is damaged
   */
  public boolean repair(Row row) {
    byte[] qualifier = AppendCell.qualifier();
    byte[] value = row.find(qualifier);
    long sinceStart = clock.millis() / 1000 - keys.baseTime(row.key());
    if (value == null || value.length == 0 || sinceStart <= Timestamps.ROW_SECONDS) {
      return false;
    }
    RowDecoder decoder = new RowDecoder(DuplicatePolicy.NEWEST_WINS, false);
    RowPoints points = new RowPoints();
    decoder.start();
    decoder.add(qualifier, value, 0);
    decoder.finish(points);
    byte[] repaired = AppendCell.encode(points);
    return !Arrays.equals(repaired, value)
        && store.compareAndSet(family, row.key(), qualifier, value, repaired);
  }
}
