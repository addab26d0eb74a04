package org.hourstone.tool;

import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Scan;
import org.hourstone.meta.Metadata;
import org.hourstone.table.TableListener;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRun;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidTable;

/**
 * Creates metadata that was not stored when points were written: reads all data rows, and ensures
 * that each series has a TSMeta and a counter, and each of its names a UIDMeta. Existing metadata
 * stays unchanged, with two exceptions: a creation time after the first point is corrected, and
 * unreadable metadata is created again.
 *
 * <p>May run alongside writers; an interrupted run can be resumed. For one thread, once.
 */
public final class MetaSync {
  private final Family points;
  private final RowKey keys;
  private final MetaRepair repair;
  private final TableListener listener;
  private final KeyValueStore store;
  private long skipped;

  /**
   * @param points the family of points
   */
  public MetaSync(
      KeyValueStore store,
      Family points,
      RowKey keys,
      UidTable uids,
      Metadata metadata,
      TableListener listener) {
    this.points = points;
    this.keys = keys;
    this.repair = new MetaRepair(keys, uids, metadata);
    this.listener = listener;
    this.store = store;
  }

  /**
   * Reads the data rows.
   *
   * @param from the row to begin with; empty for the first
   * @throws org.hourstone.kv.StoreException if the store fails; metadata created before the failure
   *     stays
   */
  public MetaSyncReport run(byte[] from) {
    List<TableRange> all = TableRange.of(points, List.of(Scan.range(from, null)));
    TableRun run = new TableRun(store, all, 1, listener);
    run.readAll(row -> see(row.key()));
    return repair.report(run.rows(), skipped);
  }

  private void see(byte[] row) {
    Schema schema = keys.schema();
    int tags = row.length - schema.tagsOffset();
    if (tags == 0) {
      return; // of global annotations
    }
    if (tags < 0 || tags % schema.tagPairWidth() != 0) {
      skip("row " + UidText.format(row) + " of " + points + ": not the key of a series");
      return;
    }
    byte[] tsuid = keys.tsuid(row);
    long hour = keys.baseTime(row);
    if (!repair.isDone(tsuid, hour)) {
      try {
        repair.see(tsuid, hour);
      } catch (NoSuchUidException | CorruptDataException e) {
        skip("series " + UidText.format(tsuid) + ": " + e.getMessage());
      }
    }
  }

  private void skip(String why) {
    skipped++;
    listener.skipped(why);
  }
}
