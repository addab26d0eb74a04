package org.hourstone;

import java.security.SecureRandom;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.meta.Metadata;
import org.hourstone.tree.TreeSync;
import org.hourstone.tree.Trees;
import org.hourstone.uid.UidTable;

/** The names of a database, and what is known of them and of series: metadata and trees. */
record EngineNames(
    UidTable uids, Metadata metadata, Trees trees, TreeSync treeSync, SeriesTrees seriesTrees) {

  static EngineNames of(EngineStore opened) {
    TsdbOptions options = opened.options();
    Tables tables = options.tables();
    KeyValueStore store = opened.guarded();
    Runnable admission = opened.disk()::admit;
    Metadata metadata =
        new Metadata(
            store,
            tables.uidNames(),
            tables.seriesMeta(),
            opened.keys(),
            admission,
            opened.parts().tracking(),
            options.get(Settings.META_REALTIME_UID),
            options.clock(),
            opened.backoff());
    UidTable uids =
        new UidTable(
            store,
            tables.uidIds(),
            tables.uidNames(),
            opened.keys().schema(),
            opened.parts().uids(),
            opened.backoff(),
            options.clock(),
            new SecureRandom());
    uids.beforeAssignments(admission);
    uids.onAssigned(
        (kind, uid) -> {
          opened.index().uidRemoval().assigned(kind, uid);
          metadata.assigned(kind, uid);
        });
    Trees trees = new Trees(store, tables.trees(), admission, opened.backoff());
    TreeSync treeSync =
        new TreeSync(
            store,
            tables.trees(),
            trees,
            options.get(Settings.STORE_NOT_MATCHED),
            options.clock(),
            opened.backoff());
    SeriesTrees seriesTrees = new SeriesTrees(uids, metadata, opened.keys(), treeSync, admission);
    if (options.get(Settings.TREE_PROCESSING)) {
      metadata.onNewSeries(seriesTrees::sync);
    }
    return new EngineNames(uids, metadata, trees, treeSync, seriesTrees);
  }
}
