package org.hourstone;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.internal.UidText;
import org.hourstone.meta.Metadata;
import org.hourstone.meta.TsMeta;
import org.hourstone.tree.TreeSeries;
import org.hourstone.tree.TreeSync;
import org.hourstone.tree.TreeSyncReport;
import org.hourstone.tree.TreeSyncRun;
import org.hourstone.tree.TreeSyncStats;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/** Adds series to trees: trees use names, while series are known by UIDs. */
public final class SeriesTrees {
  private final UidTable uids;
  private final Metadata metadata;
  private final RowKey keys;
  private final TreeSync treeSync;
  private final Runnable admission;

  /**
   * @param admission throws if nothing new is accepted
   */
  SeriesTrees(
      UidTable uids, Metadata metadata, RowKey keys, TreeSync treeSync, Runnable admission) {
    this.admission = admission;
    this.uids = uids;
    this.metadata = metadata;
    this.keys = keys;
    this.treeSync = treeSync;
  }

  /**
   * The names and metadata of a series, to which trees apply their rules.
   *
   * @throws NoSuchUidException if a UID of the series has no name
   * @throws CorruptDataException if it can't be a TSUID, or its metadata is corrupt
   */
  public TreeSeries series(byte[] tsuid) {
    if (!keys.isTsuid(tsuid)) {
      throw new CorruptDataException("not a TSUID: " + UidText.format(tsuid));
    }
    List<TreeSeries.Tag> tags = new ArrayList<>();
    for (TagPair tag : keys.tagsOfTsuid(tsuid)) {
      tags.add(
          new TreeSeries.Tag(named(UidKind.TAGK, tag.tagk()), named(UidKind.TAGV, tag.tagv())));
    }
    return new TreeSeries(
        UidText.format(tsuid), named(UidKind.METRIC, keys.metricOfTsuid(tsuid)), tags);
  }

  private TreeSeries.Named named(UidKind kind, byte[] uid) {
    Map<String, String> custom = metadata.names().get(kind, uid).custom();
    return new TreeSeries.Named(uids.name(kind, uid), custom == null ? Map.of() : custom);
  }

  /**
   * Adds a series that got metadata, since its points were accepted. A failure that is not the
   * store's is counted by the tree sync.
   */
  void sync(TsMeta created) {
    TreeSeries series;
    try {
      series = series(UidText.parse(created.tsuid()));
    } catch (NoSuchUidException | CorruptDataException e) {
      treeSync.failed(created.tsuid(), e);
      return;
    }
    treeSync.sync(series);
  }

  /** As {@link TreeSync#stats}. */
  public TreeSyncStats stats() {
    return treeSync.stats();
  }

  /**
   * Syncs all series that have metadata.
   *
   * @throws org.hourstone.kv.StoreException if the store fails, or its disk is nearly full; it may
   *     be repeated
   */
  public TreeSyncReport syncAll(Optional<Integer> treeId) {
    TreeSyncRun run = treeSync.begin(treeId);
    metadata
        .series()
        .forEach(
            (tsuid, meta) -> {
              admission.run();
              try {
                run.sync(series(tsuid));
              } catch (NoSuchUidException | CorruptDataException e) {
                run.failed(UidText.format(tsuid), e);
              }
            });
    return run.report();
  }
}
