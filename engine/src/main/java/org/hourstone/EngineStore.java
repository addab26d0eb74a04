package org.hourstone;

import static java.util.stream.Collectors.toSet;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hourstone.codec.RowKey;
import org.hourstone.health.DiskReserve;
import org.hourstone.health.StoreWatch;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.index.SeriesIndex;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreIdentity;
import org.hourstone.kv.Trait;
import org.hourstone.rollup.MarkingStore;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupPlan;
import org.jspecify.annotations.Nullable;

/**
 * A store that was checked for a database, with its tables and settings.
 *
 * @param watch of its calls, which is not started yet
 * @param disk its reserve, which is not started yet
 * @param index guards the store
 * @param preserving the store for what does not change the points that are read
 * @param marking the store that the other parts of the database use
 * @param record of what the store's bytes need
 * @param shared whether other processes may use the store
 * @param parts the settings as options of the parts
 * @param rollups how values are rolled up; null if they are not
 * @param plan the intervals that the database rolls up to itself; null if there are none
 */
record EngineStore(
    StoreWatch watch,
    DiskReserve disk,
    SeriesIndex index,
    KeyValueStore preserving,
    MarkingStore marking,
    StoreRecord record,
    boolean shared,
    RowKey keys,
    TsdbOptions options,
    EngineOptions parts,
    @Nullable RollupConfig rollups,
    @Nullable RollupPlan plan,
    HistogramCodecs histograms,
    Backoff backoff) {

  /** That of the store, which has one also if the engine records none; empty if it has not. */
  String ownIdentity() {
    return preserving.extension(StoreIdentity.class).map(StoreIdentity::identity).orElse("");
  }

  /**
   * Checks a store and its settings, and creates missing tables.
   *
   * @throws IllegalArgumentException if they don't fit each other
   */
  static EngineStore open(KeyValueStore unguarded, TsdbOptions options) {
    EngineOptions parts = new EngineOptions(options, unguarded.traits());
    RollupPlan plan = options.rollupPlan();
    if (plan != null && unguarded.traits().contains(Trait.SHARED)) {
      throw new IllegalArgumentException(
          RollupSettings.AUTO.key()
              + "="
              + options.text(RollupSettings.AUTO)
              + ": other processes use the store, whose writes can't be noticed");
    }
    StoreRecord record = StoreRecord.compare(unguarded, options);
    RowKey keys = new RowKey(options.schema());
    StoreWatch watch = new StoreWatch(unguarded);
    KeyValueStore watched = watch.watched();
    SeriesIndex index = options.seriesIndex(watched, TableSetup.schemaMode(watched, options));
    EngineStore opened =
        new EngineStore(
            watch,
            DiskReserve.of(
                unguarded,
                record.isReadOnly() ? Optional.of(0L) : options.get(Settings.DISK_RESERVE)),
            index,
            index.guarded(),
            EngineRollups.marking(index.guarded(), watched, options),
            record,
            unguarded.traits().contains(Trait.SHARED),
            keys,
            options,
            parts,
            options.storedRollups(),
            isKept(plan, unguarded, options) ? plan : null,
            parts.histogramCodecs(),
            Backoff.exponential());
    opened.ensureTables();
    if (options.get(Settings.SALT_CHECK)) {
      SaltCheck.check(index.guarded(), options.tables().points(), keys.schema());
    }
    record.identify();
    return opened;
  }

  /** Without a right to create tables, nothing is rolled up that was not before. */
  private static boolean isKept(
      @Nullable RollupPlan plan, KeyValueStore store, TsdbOptions options) {
    if (plan == null) {
      return false;
    }
    List<Family> needed =
        new ArrayList<>(options.tables().pointsAndRollups(plan.config().tables()));
    needed.add(options.rollupStateFamily());
    return TableSetup.schemaMode(store, options) == SchemaMode.CREATE
        || store.families().containsAll(needed);
  }

  private void ensureTables() {
    List<FamilySpec> families = options.tables().withRollups(rollupTables());
    if (index.isOn()) {
      families.add(new FamilySpec(options.indexFamily(), false));
    }
    if (plan != null) {
      families.add(new FamilySpec(options.rollupStateFamily(), false));
    }
    TableSetup.ensure(preserving, families, options);
  }

  /** Whether intervals are set, and nothing is rolled up to them for want of tables. */
  boolean lacksRollupTables() {
    return plan == null && options.rollupPlan() != null;
  }

  /** The tables of rolled-up values that the store has, other than those of the options. */
  List<String> rollupTables() {
    RollupConfig stored = options.storedRollups();
    if (stored == null) {
      return List.of();
    }
    if (!lacksRollupTables()) {
      return stored.tables();
    }
    Set<String> present = preserving.families().stream().map(Family::table).collect(toSet());
    return stored.tables().stream().filter(present::contains).toList();
  }

  /** The store that the parts of the database use. */
  KeyValueStore guarded() {
    return marking;
  }

  /** Begins to own the store; null if other processes use it, or it is read-only. */
  @Nullable StoreOwnership join() {
    if (shared || record.isReadOnly()) {
      return null;
    }
    StoreOwnership ownership = StoreOwnership.join(preserving, record);
    marking.use(ownership.hours(marking.hours()));
    return ownership;
  }
}
