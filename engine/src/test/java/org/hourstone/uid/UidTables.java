package org.hourstone.uid;

import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.hourstone.Tables;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;

/** UID tables of usual widths over any store. */
final class UidTables {
  static final Tables TABLES = new Tables("tsdb", "tsdb-uid", "tsdb-meta", "tsdb-tree");

  private UidTables() {}

  /** Creates the tables. */
  static UidTable over(KeyValueStore store, InstantSource clock) {
    store.ensure(TABLES.families(), SchemaMode.CREATE);
    return new UidTable(
        store,
        TABLES.uidIds(),
        TABLES.uidNames(),
        new Schema(3, 3, 3, 0, 20, 8),
        new UidOptions(EnumSet.allOf(UidKind.class), Set.of(), 10_000, Duration.ZERO),
        Backoff.none(),
        clock,
        new Random(1));
  }
}
