package org.hourstone;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.hourstone.annotation.Annotations;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.error.RequestException;
import org.hourstone.head.Acknowledgement;
import org.hourstone.head.HeadStats;
import org.hourstone.head.WriterJournals;
import org.hourstone.health.DiskSpace;
import org.hourstone.health.StoreCalls;
import org.hourstone.health.StoreState;
import org.hourstone.index.MetricGrowth;
import org.hourstone.index.SeriesIndex;
import org.hourstone.index.SeriesLookup;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.EngineThread;
import org.hourstone.kv.Backups;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.ScanCounts;
import org.hourstone.kv.StoreMetrics;
import org.hourstone.meta.Metadata;
import org.hourstone.meta.TrackingMode;
import org.hourstone.query.Explanation;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.plan.QuerySources;
import org.hourstone.query.run.LastPointReader;
import org.hourstone.query.run.LastPointSearch;
import org.hourstone.query.run.QueryEngine;
import org.hourstone.retention.EmptySeries;
import org.hourstone.retention.Retention;
import org.hourstone.rewrite.CompactionQueue;
import org.hourstone.rewrite.Keep;
import org.hourstone.rewrite.PointDeletion;
import org.hourstone.rewrite.RowCompactor;
import org.hourstone.rewrite.TableCompactor;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RollupPlan;
import org.hourstone.tree.TreeSync;
import org.hourstone.tree.Trees;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.hourstone.write.HistogramWriter;
import org.hourstone.write.PointWriter;
import org.hourstone.write.RollupWriter;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an open database, connected with each other and with their tables, settings and
 * clock. {@link Tsdb} is the facade for programs that write and query. This class is for
 * Hourstone's own modules and for tools that work on tables as they are stored; it may change in
 * any release. Thread-safe.
 */
public final class Engine {
  /** Each is a label of a metric in monitoring, so they are few. */
  private static final int GROWING_METRICS = 10;

  private final EngineStore opened;
  private final boolean ownsStore;
  private final TsdbOptions options;
  private final EngineOptions parts;
  private final Tables tables;
  private final RowKey keys;

  /** Guarded by the series index. */
  private final KeyValueStore store;

  /** The store, with the points of the head, without rows that have expired. */
  private final KeyValueStore reader;

  private final EngineNames names;
  private final Annotations annotations;
  private final EngineCompaction compaction;
  private final Retention retention;
  private final @Nullable OwnRollups ownRollups;
  private final QueryEngine queries;
  private final EngineWriting writing;
  private final StoreFigures<StoreFigures.Work> work =
      new StoreFigures<>(StoreFigures.Work.NONE, this::readWork, System::nanoTime);

  /** Those that need calls to the store: they stay as they are while it fails. */
  private final StoreFigures<Map<String, Long>> growth =
      new StoreFigures<>(Map.of(), this::readGrowth, System::nanoTime);

  Engine(KeyValueStore unguarded, boolean ownsStore, TsdbOptions options) {
    this.ownsStore = ownsStore;
    this.options = options;
    this.opened = EngineStore.open(unguarded, options);
    this.parts = opened.parts();
    this.tables = options.tables();
    this.keys = opened.keys();
    this.store = opened.guarded();
    HeadOpening opening =
        new HeadOpening(
            store,
            options,
            parts,
            keys,
            EngineRollups.announcements(opened.index(), opened.marking()),
            opened.backoff());
    this.names = EngineNames.of(opened);
    this.retention =
        new Retention(
            options.get(RetentionSettings.RULES),
            opened.preserving(),
            tables.points(),
            keys,
            names.uids(),
            opened.rollups(),
            new EmptySeries(
                opened.index(), opening.reader(), keys, names.metadata().series()::deleteRows),
            EngineRollups.expiring(opened, opening.head()),
            options.nameRules(),
            options.get(RetentionSettings.SHORT),
            options.clock());
    this.reader = retention.over(opening.reader());
    EngineAdmission admission =
        new EngineAdmission(opened.disk(), retention, opened.index(), names.uids());
    this.annotations =
        new Annotations(
            retention.over(store),
            tables.points(),
            keys,
            parts.annotationRanges(),
            parts.maxAnnotationBytes(),
            row -> admission.admitInto(tables.points(), row),
            opened.backoff());
    this.compaction = EngineCompaction.of(opened, opening.head().writers());
    this.writing = EngineWriting.open(opened, opening, names, compaction, admission);
    this.ownRollups = EngineRollups.of(opened, opening.reader(), retention);
    this.queries = openQueries();
    try {
      writing.start(parts.writer().orElse(null));
      PointWriter writer = writing.points();
      opened.watch().start(() -> writer.stats().waiting(), () -> writer.stats().failed());
      opened.disk().start();
    } catch (RuntimeException | Error e) {
      ClosingSteps.run(writing.closing(names));
      throw e;
    }
  }

  private QueryEngine openQueries() {
    RollupConfig rollups = options.rollupConfig();
    QuerySources sources =
        new QuerySources(
            reader,
            keys,
            tables.points(),
            opened.index()::hasOwnBucketsOnly,
            compaction.ofRead(),
            opened.histograms(),
            rollups == null ? null : parts.rollupReading(rollups),
            options.get(Settings.STRICT).isEmpty() ? ownRollups : null);
    return new QueryEngine(
        sources, names.uids(), opened.index(), parts.queries(), opened.shared(), options.clock());
  }

  /**
   * The store, guarded by the series index: puts through it are indexed. Its rows may lack points
   * that are in open rows.
   */
  public KeyValueStore store() {
    return store;
  }

  /**
   * As {@link #store}, after the points of open rows were written. If the store is read-only, as
   * {@link #reader}.
   */
  public KeyValueStore sealedStore() {
    if (writing.acknowledgement() != Acknowledgement.NONE) {
      writing.points().flush();
    }
    return writing.showsJournal() ? reader : store;
  }

  /** The store as queries see it, with the points of open rows; they can't be replaced. */
  public KeyValueStore reader() {
    return reader;
  }

  /** When points are acknowledged, unless another database has been opened over the store since. */
  public Acknowledgement acknowledgement() {
    return writing.acknowledgement();
  }

  /**
   * To be called before something new is put into {@link #store} other than by the parts of this.
   *
   * @throws org.hourstone.health.DiskReserveException if the store's disk is nearly full
   */
  public void admit() {
    opened.disk().admit();
  }

  /**
   * Renews the lease of this writer's journal, and takes over those of others whose lease has run
   * out: what happens periodically. No effect without a journal on a shared store.
   */
  public void tendJournals() {
    try {
      writing.head().renewLease();
    } finally { // these are two threads otherwise
      writing.head().sealExpired();
    }
  }

  /**
   * The journals of the writers of a shared store, to be listed, taken over or deleted.
   *
   * @throws RequestException if points are not stored so that the newest of duplicates is read: no
   *     writer has a journal then
   */
  public WriterJournals writerJournals() {
    if (options.duplicatePolicy() != DuplicatePolicy.NEWEST_WINS) {
      throw new RequestException(
          "journals of writers need the newest of duplicate points: "
              + QuerySettings.FIX_DUPLICATES.key());
    }
    return writing
        .head()
        .journals(UUID.randomUUID().getMostSignificantBits(), options.get(Settings.HEAD_LEASE));
  }

  /** As {@link Tsdb#corruptWriters}. */
  long corruptWriters() {
    return writing.head().writers().corrupt();
  }

  /** The state of the open rows; null if rows are written at once. */
  public @Nullable HeadStats headStats() {
    return writing.acknowledgement() == Acknowledgement.NONE ? null : writing.head().stats();
  }

  /** As {@link Tsdb#storeState}. */
  StoreState storeState() {
    boolean unused = growth.refresh(); // so that an idle store is asked, too
    String lost = writing.head().lost();
    return opened.watch().state().refusing(lost == null ? opened.disk().refusal() : lost);
  }

  /** As {@link Tsdb#storeCalls}. */
  List<StoreCalls> storeCalls() {
    return opened.watch().calls();
  }

  /** As {@link Tsdb#diskSpace}. */
  @Nullable DiskSpace diskSpace() {
    return opened.disk().space();
  }

  /** As {@link Tsdb#backups}. */
  Optional<Backups> backups() {
    return store().extension(Backups.class).map(opened.disk()::respectedBy);
  }

  /** As {@link Tsdb#diskBytes} and {@link Tsdb#storeMetrics}. */
  StoreFigures.Work storeWork() {
    return work.last().figures();
  }

  /** As {@link Tsdb#growth}. */
  Map<String, Long> growth() {
    return growth.last().figures();
  }

  /** As {@link Tsdb#figuresAge}. */
  Duration figuresAge() {
    Duration asked = growth.last().age();
    Duration own = work.last().age();
    return asked.compareTo(own) > 0 ? asked : own;
  }

  private StoreFigures.Work readWork() {
    return new StoreFigures.Work(
        store.extension(DiskUsage.class).stream().mapToLong(DiskUsage::bytes).findAny(),
        store.extension(StoreMetrics.class).map(StoreMetrics::metrics).orElse(List.of()));
  }

  /** Also reads how many UIDs are used, for {@link UidTable#lastUsage}. */
  private Map<String, Long> readGrowth() {
    for (UidKind kind : UidKind.values()) {
      var unused = names.uids().usage(kind);
    }
    List<MetricGrowth> growing = opened.index().growth(GROWING_METRICS);
    List<Optional<String>> found =
        names.uids().names(UidKind.METRIC, growing.stream().map(MetricGrowth::metric).toList());
    Map<String, Long> named = new LinkedHashMap<>();
    for (int i = 0; i < growing.size(); i++) {
      long series = growing.get(i).series();
      found.get(i).ifPresent(name -> named.put(name, series));
    }
    return named;
  }

  /**
   * A text that the tables of no other database have, but a copy of these; empty if there is none.
   *
   * @throws org.hourstone.kv.StoreException if the store can't say that now
   */
  public String storeIdentity() {
    String recorded = opened.record().identity();
    if (recorded != null) {
      return recorded;
    }
    String own = opened.ownIdentity();
    return own.isEmpty() ? own : own + "/" + tables.uidIds().table();
  }

  /** How long points may be buffered before they are stored, if no caller waits for them. */
  public Duration bufferedFor() {
    return writing.acknowledgement() == Acknowledgement.INTERVAL
        ? parts.head().buffering().interval()
        : Duration.ZERO;
  }

  /** The settings. */
  public TsdbOptions options() {
    return options;
  }

  /** Where everything is stored. */
  public Tables tables() {
    return tables;
  }

  /** The tables of rolled-up values, other than those of {@link #tables}. */
  public List<String> rollupTables() {
    return opened.rollupTables();
  }

  /** The tables of rolled-up values that the database computes itself. */
  public Set<String> computedTables() {
    RollupPlan plan = options().rollupPlan();
    return plan == null
        ? Set.of()
        : plan.longestFirst().stream().map(RollupInterval::table).collect(Collectors.toSet());
  }

  /** The row keys for the configured UID widths and salt. */
  public RowKey keys() {
    return keys;
  }

  /** Names and their UIDs. */
  public UidTable uids() {
    return names.uids();
  }

  /** Series by their names. */
  public SeriesNames seriesNames() {
    return new SeriesNames(keys, names.uids());
  }

  /** Which series there are. */
  public SeriesIndex index() {
    return opened.index();
  }

  /** The metadata of names and series. */
  public Metadata metadata() {
    return names.metadata();
  }

  /** The pipeline of points. */
  public PointWriter writer() {
    return writing.points();
  }

  /** The writer of rolled-up and pre-aggregated values. */
  public RollupWriter rollups() {
    return writing.rollups();
  }

  /** The writer of histograms. */
  public HistogramWriter histograms() {
    return writing.histograms();
  }

  /** Annotations. */
  public Annotations annotations() {
    return annotations;
  }

  /** The evaluation of queries. */
  public QueryEngine queries() {
    return queries;
  }

  /** As {@link Tsdb#last}. */
  LastPoints last(KeyValueReader store) {
    LastPointReader reader =
        new LastPointReader(
            store,
            tables.points(),
            keys,
            options.duplicatePolicy(),
            options.isStrict(StrictSubject.ROWS),
            // One series per bucket, as in OpenTSDB, has its points in one.
            options.isStrict(StrictSubject.SALT) ? () -> true : opened.index()::hasOwnBucketsOnly);
    return new LastPoints(
        reader,
        new LastPointSearch(
            reader, store, tables.points(), keys, options.get(Settings.LAST_MAX_ROWS)),
        lookup(store),
        names.metadata().series(),
        names.uids(),
        keys,
        options.clock());
  }

  /** A compactor of rows with the configured options. */
  public RowCompactor rowCompactor() {
    return compaction.compactor();
  }

  /** Rows that were written here and wait to be compacted. */
  public CompactionQueue compactions() {
    return compaction.queue();
  }

  /** The trees that series are sorted into. */
  public Trees trees() {
    return names.trees();
  }

  /** Sorts series into trees. */
  public TreeSync treeSync() {
    return names.treeSync();
  }

  /** Sorts series that have metadata into trees. */
  public SeriesTrees seriesTrees() {
    return names.seriesTrees();
  }

  /** Which of several values of one timestamp queries return, by the settings. */
  public Keep keptDuplicate() {
    return switch (options.duplicatePolicy()) {
      case NEWEST_WINS -> Keep.NEWEST;
      case FAIL -> Keep.OLDEST;
      case LARGEST_WINS -> Keep.LARGEST;
      case SMALLEST_WINS -> Keep.SMALLEST;
    };
  }

  /** As {@link Tsdb#explain}, with the rows that the store examined, if it counts them. */
  Explanation explain(Query query, @Nullable Instant at, RequestBudget budget) {
    Optional<ScanCounts> counts = reader.extension(ScanCounts.class);
    Optional<ScanCounts.Rows> before = counts.map(ScanCounts::total);
    Explanation explanation = queries.explain(query, at, budget);
    return counts
        .map(ScanCounts::total)
        .map(after -> explanation.withStoreCounts(after.minus(before.orElseThrow())))
        .orElse(explanation);
  }

  /** As {@link Tsdb#delete}. */
  long delete(Query query, RequestBudget budget) {
    PointDeletion deletion =
        new PointDeletion(
            store,
            tables.points(),
            keys,
            keptDuplicate(),
            parts.skipsCorruption(),
            Backoff.exponential());
    boolean wholeRows = options.isStrict(StrictSubject.DELETION);
    return new QueryDeletion(writing.points(), queries, deletion, wholeRows, writing.head())
        .delete(query, budget);
  }

  /** As {@link Tsdb#retention}. */
  Retention retention() {
    return retention;
  }

  /** As {@link Tsdb#ownRollups}. */
  Optional<OwnRollups> ownRollups() {
    return Optional.ofNullable(ownRollups);
  }

  /** As {@link Tsdb#compactor}. */
  public TableCompactor compactor() {
    return new TableCompactor(store, tables.points(), keys, names.uids(), compaction.compactor());
  }

  /** As {@link Tsdb#lookup}. */
  SeriesLookup lookup(KeyValueReader store) {
    return new SeriesLookup(
        store,
        tables.points(),
        tables.seriesMeta(),
        keys,
        names.uids(),
        opened.index(),
        parts.tracking() != TrackingMode.OFF);
  }

  void dropCaches() {
    names.uids().dropCaches();
    writing.points().dropCaches();
    opened.index().dropCaches();
  }

  /** Ends the threads and, if it was opened with the database, the store. */
  void close(Runnable last) {
    EngineThread.checkMayWait();
    List<Runnable> steps = new ArrayList<>();
    steps.add(() -> ownRollups().ifPresent(OwnRollups::stop));
    steps.addAll(writing.closing(names));
    steps.add(queries::close);
    steps.add(opened.watch()::close);
    steps.add(opened.disk()::close);
    steps.add(last);
    if (ownsStore) {
      steps.add(store::close);
    }
    ClosingSteps.run(steps);
  }
}
