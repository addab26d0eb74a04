package org.hourstone;

import java.util.List;
import java.util.Optional;
import org.hourstone.codec.RowKey;
import org.hourstone.health.DiskReserve;
import org.hourstone.health.StoreWatch;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.index.SeriesIndex;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Trait;
import org.hourstone.rollup.RollupConfig;
import org.jspecify.annotations.Nullable;

/**
 * A store that was checked for a database, with its tables and settings.
 *
 * @param watch of its calls, which is not started yet
 * @param disk its reserve, which is not started yet
 * @param index guards the store
 * @param guarded the store that the parts of the database use
 * @param record of what the store's bytes need
 * @param shared whether other processes may use the store
 * @param parts the settings as options of the parts
 * @param rollups how values are rolled up; null if they are not
 */
record EngineStore(
    StoreWatch watch,
    DiskReserve disk,
    SeriesIndex index,
    KeyValueStore guarded,
    StoreRecord record,
    boolean shared,
    RowKey keys,
    TsdbOptions options,
    EngineOptions parts,
    @Nullable RollupConfig rollups,
    HistogramCodecs histograms,
    Backoff backoff) {

  /**
   * Checks a store and its settings, and creates missing tables.
   *
   * @throws IllegalArgumentException if they don't fit each other
   */
  static EngineStore open(KeyValueStore unguarded, TsdbOptions options) {
    EngineOptions parts = new EngineOptions(options, unguarded.traits());
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
            record,
            unguarded.traits().contains(Trait.SHARED),
            keys,
            options,
            parts,
            options.rollupConfig(),
            parts.histogramCodecs(),
            Backoff.exponential());
    opened.ensureTables();
    if (options.get(Settings.SALT_CHECK)) {
      SaltCheck.check(index.guarded(), options.tables().points(), keys.schema());
    }
    record.identify();
    return opened;
  }

  private void ensureTables() {
    List<FamilySpec> families = options.tables().withRollups(rollupTables());
    if (index.isOn()) {
      families.add(new FamilySpec(options.indexFamily(), false));
    }
    TableSetup.ensure(guarded, families, options);
  }

  /** The tables of rolled-up values, other than those of the options. */
  List<String> rollupTables() {
    return rollups == null ? List.of() : rollups.tables();
  }

  /** Begins to own the store; null if other processes use it, or it is read-only. */
  @Nullable StoreOwnership join() {
    return shared || record.isReadOnly() ? null : StoreOwnership.join(guarded, record);
  }
}
