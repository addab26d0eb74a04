package org.hourstone.tool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.table.TableListener;
import org.hourstone.table.TableRange;
import org.hourstone.table.TableRun;
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
  private final TableListener listener;
  private final List<RowMutation> batch = new ArrayList<>();
  private final Map<Family, Long> deleted = new HashMap<>();

  /**
   * @param uidNames the UID table's family of names, {@code tsdb-uid:name}
   * @param seriesMeta the meta table's family, {@code tsdb-meta:name}
   */
  public MetaPurge(
      KeyValueStore store, Family uidNames, Family seriesMeta, TableListener listener) {
    this.store = store;
    this.uidNames = uidNames;
    this.seriesMeta = seriesMeta;
    this.listener = listener;
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
    Scan names =
        Scan.all()
            .columns(
                Columns.exactly(
                    UidKind.METRIC.metaQualifier(),
                    UidKind.TAGK.metaQualifier(),
                    UidKind.TAGV.metaQualifier()));
    Scan series =
        Scan.all().columns(Columns.exactly(UidLayout.bytes("ts_meta"), UidLayout.bytes("ts_ctr")));
    List<TableRange> ranges =
        List.of(
            new TableRange(uidNames, names, 0, TableRange.ALL),
            new TableRange(seriesMeta, series, 0, TableRange.ALL));
    TableRun run = new TableRun(store, ranges, 1, listener);
    run.run(
        range -> {
          run.read(range, range.rest(), row -> delete(range.family(), row));
          flush(range.family());
        });
    return new Report(deleted.getOrDefault(uidNames, 0L), deleted.getOrDefault(seriesMeta, 0L));
  }

  private void delete(Family family, Row row) {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      changes.add(new Change.Delete(row.qualifier(i)));
    }
    deleted.merge(family, (long) changes.size(), Long::sum);
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
