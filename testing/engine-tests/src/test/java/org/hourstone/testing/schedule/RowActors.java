package org.hourstone.testing.schedule;

import static org.hourstone.testing.schedule.RowsWorld.FAMILY;
import static org.hourstone.testing.schedule.RowsWorld.HOUR;
import static org.hourstone.testing.schedule.RowsWorld.ROW;
import static org.hourstone.testing.schedule.RowsWorld.TABLES;
import static org.hourstone.testing.schedule.RowsWorld.hex;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.Trait;
import org.hourstone.rewrite.CompactionOptions;
import org.hourstone.rewrite.CompactionOptions.Appends;
import org.hourstone.rewrite.Keep;
import org.hourstone.rewrite.PointDeletion;
import org.hourstone.rewrite.RowCompactor;
import org.hourstone.rewrite.SealedUntil;
import org.hourstone.rewrite.SelectedData;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.tool.CopyFamily;
import org.hourstone.tool.CopyFamily.Holds;
import org.hourstone.tool.CopyListener;
import org.hourstone.tool.CopyOptions;
import org.hourstone.tool.CopyScope;
import org.hourstone.tool.CopyTables;
import org.hourstone.tool.Fsck;
import org.hourstone.tool.FsckAction;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckListener;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.TableCopy;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidOptions;
import org.hourstone.uid.UidTable;

/** The engine's classes that change rows, as actors use them: the one place that makes them. */
final class RowActors {
  /** Something that is done with a process's handle on the store. */
  interface RowTask {
    void run(KeyValueStore store);
  }

  private static final int ATTEMPTS = 4;
  private static final Schema SCHEMA = new Schema(1, 1, 1, 0, 20, 8);
  private static final RowKey KEYS = new RowKey(SCHEMA);
  private static final Scan HOUR_OF_ROW =
      Scan.range(Arrays.copyOf(ROW, 5), hex("01" + Long.toHexString(HOUR + 3600)));

  private final RowsWorld world;

  RowActors(RowsWorld world) {
    this.world = world;
  }

  /** Gives the row's UIDs names. */
  void names(KeyValueStore store) {
    UidTable uids = uids(store);
    uids.assign(UidKind.METRIC, "m");
    uids.assign(UidKind.TAGK, "host");
    uids.assign(UidKind.TAGV, "a");
  }

  private UidTable uids(KeyValueStore store) {
    return new UidTable(
        store,
        TABLES.uidIds(),
        TABLES.uidNames(),
        SCHEMA,
        new UidOptions(EnumSet.allOf(UidKind.class), Set.of(), 100, Duration.ZERO),
        Backoff.none(),
        world,
        new Random(1));
  }

  void putDated(KeyValueStore store, String qualifier, String value, long time) {
    store.mutate(
        FAMILY,
        List.of(new RowMutation(ROW, new Change.PutIfNewer(hex(qualifier), hex(value), time))));
  }

  /** As those who write points do: what may have failed is done again. */
  void write(KeyValueStore store, RowMutation mutation) {
    for (int attempt = 1; ; attempt++) {
      try {
        store.mutate(FAMILY, List.of(mutation));
        return;
      } catch (StoreException e) {
        if (e.outcome() == Outcome.REJECTED || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private RowCompactor compactor(KeyValueStore store, Appends appends) {
    Duration quiet = Duration.ofSeconds(world.store().traits().contains(Trait.SHARED) ? 1 : 0);
    return new RowCompactor(
        store,
        FAMILY,
        KEYS,
        new CompactionOptions(DuplicatePolicy.NEWEST_WINS, false, appends, 32768, quiet),
        world,
        SealedUntil.always());
  }

  RowTask compact(Appends appends) {
    return store -> compactor(store, appends).compact(ROW);
  }

  RowTask repair() {
    return store ->
        compactor(store, Appends.REPAIRED).repair(store.get(FAMILY, ROW, Columns.all()));
  }

  private PointDeletion deletion(KeyValueStore store) {
    return new PointDeletion(store, FAMILY, KEYS, Keep.NEWEST, false, Backoff.none());
  }

  RowTask deletePoints(int from, int to) {
    return store -> deletion(store).deletePoints(selected(from, to));
  }

  RowTask deleteRows() {
    return store -> deletion(store).deleteRows(selected(0, 3599));
  }

  private static SelectedData selected(int from, int to) {
    return new SelectedData(
        List.of(HOUR_OF_ROW), row -> true, (HOUR + from) * 1000, (HOUR + to) * 1000 + 999, false);
  }

  RowTask fsck(FsckAction... permitted) {
    return store ->
        new Fsck(
                store,
                FAMILY,
                KEYS,
                uids(store),
                compactor(store, Appends.MERGED),
                new FsckOptions(true, Set.of(permitted), Keep.NEWEST, 1),
                QUIET_FSCK)
            .check(List.of(HOUR_OF_ROW), row -> true, null);
  }

  /** Copies cells {@code qualifier=value} of long ago into the row. */
  RowTask copy(CopyOptions.Policy policy, String... cells) {
    KeyValueStore source = new ModelStore(world);
    source.ensure(TABLES.families(), SchemaMode.CREATE);
    names(source);
    for (String cell : cells) {
      String[] parts = cell.split("=");
      putDated(source, parts[0], parts[1], (HOUR + 3600) * 1000);
    }
    return store ->
        new TableCopy(
                new CopyTables(
                    source,
                    store,
                    List.of(
                        same(TABLES.uidNames(), Holds.NAMES),
                        same(TABLES.uidIds(), Holds.UIDS),
                        same(TABLES.seriesMeta(), Holds.SERIES),
                        same(FAMILY, Holds.ROWS)),
                    KEYS,
                    uids(source),
                    () -> {}),
                new CopyScope.Series(List.of(new CopyScope.Selected(HOUR_OF_ROW, row -> true))),
                new CopyOptions(policy, false, 1),
                QUIET_COPY,
                Backoff.none(),
                world)
            .run(null);
  }

  private static CopyFamily same(Family family, Holds holds) {
    return new CopyFamily(family, family, holds);
  }

  private static final FsckListener QUIET_FSCK =
      new FsckListener() {
        @Override
        public void found(FsckFinding finding) {}

        @Override
        public void removing(Family family, Row cells) {}
      };

  private static final CopyListener QUIET_COPY =
      new CopyListener() {
        @Override
        public void differs(String what) {}

        @Override
        public void note(String what) {}
      };
}
