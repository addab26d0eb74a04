package org.hourstone.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.hourstone.internal.TableReader;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.uid.UidKind;

/**
 * Deletes all metadata: that of names from the UID table, and that of series, including their
 * counters, from the meta table. Names, UIDs and points stay. An interrupted run may be repeated.
 * For one thread, once.
 */
public final class MetaPurge {
  private static final int BATCH = 1000;

  private final KeyValueStore store;
  private final Family uidNames;
  private final Family seriesMeta;
  private final TableReader reader;
  private final List<RowMutation> batch = new ArrayList<>();
  private long deleted;

  /**
   * @param uidNames the UID table's family of names, {@code tsdb-uid:name}
   * @param seriesMeta the meta table's family, {@code tsdb-meta:name}
   * @param progress receives the number of rows read, periodically
   */
  public MetaPurge(KeyValueStore store, Family uidNames, Family seriesMeta, LongConsumer progress) {
    this.store = store;
    this.uidNames = uidNames;
    this.seriesMeta = seriesMeta;
    this.reader = new TableReader(store, progress);
  }

  /**
   * The counts of deleted metadata.
   *
   * @param names the number of UIDMeta
   * @param series the number of TSMeta and counters
   */
  public record Report(long names, long series) {}

  /**
   * Deletes the metadata.
   *
   * @throws org.hourstone.kv.StoreException if the store fails; deletions made before are not
   *     undone
   */
  public Report run() {
    long names =
        delete(
            uidNames,
            Columns.exactly(
                UidKind.METRIC.metaQualifier(),
                UidKind.TAGK.metaQualifier(),
                UidKind.TAGV.metaQualifier()));
    long series =
        delete(seriesMeta, Columns.exactly(UidLayout.bytes("ts_meta"), UidLayout.bytes("ts_ctr")));
    return new Report(names, series);
  }

  private long delete(Family family, Columns columns) {
    long before = deleted;
    reader.read(family, Scan.all().columns(columns), row -> delete(family, row));
    flush(family);
    return deleted - before;
  }

  private void delete(Family family, Row row) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      changes.add(new Change.Delete(row.qualifier(i)));
    }
    deleted += changes.size();
    batch.add(new RowMutation(row.key(), changes));
    if (batch.size() == BATCH) {
      flush(family);
    }
  }

  private void flush(Family family) {
    store.mutate(family, batch);
    batch.clear();
  }
}
