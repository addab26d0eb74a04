package org.hourstone;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hourstone.annotation.Annotations;
import org.hourstone.codec.RowKey;
import org.hourstone.head.Acknowledgement;
import org.hourstone.head.Head;
import org.hourstone.head.HeadStats;
import org.hourstone.head.WrittenRows;
import org.hourstone.health.StoreState;
import org.hourstone.health.StoreWatch;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.index.SeriesIndex;
import org.hourstone.index.SeriesLookup;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.EngineThread;
import org.hourstone.kv.DiskUsage;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.ScanCounts;
import org.hourstone.kv.Trait;
import org.hourstone.meta.Metadata;
import org.hourstone.meta.TrackingMode;
import org.hourstone.query.Explanation;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.plan.QuerySources;
import org.hourstone.query.rows.RowListener;
import org.hourstone.query.run.LastPointReader;
import org.hourstone.query.run.LastPointSearch;
import org.hourstone.query.run.QueryEngine;
import org.hourstone.rewrite.CompactionOptions;
import org.hourstone.rewrite.CompactionOptions.Appends;
import org.hourstone.rewrite.CompactionQueue;
import org.hourstone.rewrite.CompactionThread;
import org.hourstone.rewrite.Keep;
import org.hourstone.rewrite.PointDeletion;
import org.hourstone.rewrite.RowCompactor;
import org.hourstone.rewrite.TableCompactor;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.tree.TreeSync;
import org.hourstone.tree.Trees;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.hourstone.write.HistogramWriter;
import org.hourstone.write.LineParser;
import org.hourstone.write.PointCheck;
import org.hourstone.write.PointWriter;
import org.hourstone.write.RollupWriter;
import org.hourstone.write.TextOptions;
import org.hourstone.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an open database, connected with each other and with their tables, settings and
 * clock. {@link Tsdb} is the facade for programs that write and query. This class is for
 * Hourstone's own modules and for tools that work on tables as they are stored; it may change in
 * any release. Thread-safe.
 */
public final class Engine {
  private final StoreWatch watch;
  private final KeyValueStore store;

  /** The rows that points go to first. */
  private final Head head;

  private final Acknowledgement acknowledgement;

  private final boolean showsJournal;
  private final Runnable closingHead;

  /** Null if other processes use the store, or it is read-only. */
  private final @Nullable StoreOwnership ownership;

  /** The store, with the points of the head. */
  private final KeyValueStore reader;

  private final boolean ownsStore;
  private final TsdbOptions options;
  private final EngineOptions parts;
  private final Tables tables;
  private final RowKey keys;
  private final SeriesIndex index;
  private final Metadata metadata;
  private final UidTable uids;
  private final StoreFigures figures = new StoreFigures(this::readFigures, System::nanoTime);
  private final PointWriter writer;
  private final Annotations annotations;
  private final RollupWriter rollups;
  private final List<String> rollupTables;
  private final HistogramWriter histograms;
  private final QueryEngine queries;
  private final RowCompactor rowCompactor;

  /** Whether rows are compacted after they were written to; rows of append cells need not be. */
  private final boolean compacts;

  private final CompactionQueue compactions;
  private final Trees trees;
  private final TreeSync treeSync;
  private final SeriesTrees seriesTrees;
  private final @Nullable CompactionThread compactionThread;

  Engine(KeyValueStore unguarded, boolean ownsStore, TsdbOptions options) {
    this.ownsStore = ownsStore;
    this.options = options;
    boolean shared = unguarded.traits().contains(Trait.SHARED);
    this.parts = new EngineOptions(options, unguarded.traits());
    StoreRecord record = StoreRecord.compare(unguarded, options);
    this.tables = options.tables();
    this.keys = new RowKey(options.schema());
    Backoff backoff = Backoff.exponential();
    RollupConfig rollupConfig = options.rollupConfig();
    this.rollupTables = rollupConfig == null ? List.of() : rollupConfig.tables();
    this.watch = new StoreWatch(unguarded);
    KeyValueStore watched = watch.watched();
    this.index = options.seriesIndex(watched, TableSetup.schemaMode(watched, options));
    this.store = index.guarded();
    List<FamilySpec> families = tables.withRollups(rollupTables);
    if (index.isOn()) {
      families.add(new FamilySpec(options.indexFamily(), false));
    }
    TableSetup.ensure(store, families, options);
    if (options.get(Settings.SALT_CHECK)) {
      SaltCheck.check(store, tables.points(), keys.schema());
    }
    record.identify();
    HeadOpening opening = new HeadOpening(store, options, parts, keys, index, backoff);
    this.reader = opening.reader();
    this.metadata = metadata(backoff);
    this.uids = uids(backoff);
    uids.onAssigned(metadata::assigned);
    this.annotations =
        new Annotations(
            store,
            tables.points(),
            keys,
            parts.annotationRanges(),
            parts.maxAnnotationBytes(),
            backoff);
    CompactionOptions compaction = parts.compaction();
    this.compacts =
        options.get(Settings.ENABLE_COMPACTION)
            && (!options.get(Settings.ENABLE_APPENDS) || compaction.appends() == Appends.MERGED);
    this.rowCompactor = new RowCompactor(store, tables.points(), keys, compaction, options.clock());
    this.compactions =
        new CompactionQueue(
            rowCompactor,
            options.clock(),
            parts.compactionQueue(),
            options.get(Settings.COMPACTION_SPREAD));
    HistogramCodecs histogramCodecs = parts.histogramCodecs();
    this.queries = queries(rollupConfig, histogramCodecs, shared);
    this.trees = new Trees(store, tables.trees(), backoff);
    this.treeSync = treeSync(backoff);
    this.seriesTrees = new SeriesTrees(uids, metadata, keys, treeSync);
    if (options.get(Settings.TREE_PROCESSING)) {
      metadata.onNewSeries(seriesTrees::sync);
    }
    TextOptions text = parts.text();
    LineParser parser = new LineParser(text.lines(), text.zone());
    this.ownership = shared || record.isReadOnly() ? null : StoreOwnership.join(store, record);
    this.closingHead = opening.head()::close;
    try {
      this.head = opening.head();
      this.acknowledgement = opening.open(ownership);
      record.recordSettings();
      this.showsJournal = opening.showsJournal();
      this.writer = writer(text);
      this.rollups = new RollupWriter(writer, keys, rollupConfig, parts.rollupWriting(), parser);
      this.histograms =
          new HistogramWriter(
              writer,
              tables.points(),
              keys,
              histogramCodecs,
              parser,
              PointCheck.ofAnyTime(text.wrapBaseTime()));
      this.compactionThread =
          compacts && options.get(Settings.COMPACTION_BACKGROUND)
              ? CompactionThread.start(compactions, options.get(Settings.COMPACTION_RATE))
              : null;
    } catch (RuntimeException | Error e) {
      try {
        ClosingSteps.run(List.of(closingHead, this::endOwnership));
      } catch (RuntimeException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
    try {
      writer.start();
      if (ownership != null) {
        ownership.opened(this::retire);
      }
      watch.start(() -> writer.stats().waiting(), () -> writer.stats().failed());
    } catch (RuntimeException | Error e) {
      ClosingSteps.run(closing());
      throw e;
    }
  }

  /**
   * Another database is being opened over the store: neither must hide points from the other, or
   * undo what the other has written.
   */
  private void retire() {
    head.retire();
    if (head.stopAppending() || acknowledgement == Acknowledgement.JOURNAL) {
      writer.flush();
    }
  }

  private void endOwnership() {
    StoreOwnership ending = ownership;
    if (ending != null) {
      ending.close();
    }
  }

  private Metadata metadata(Backoff backoff) {
    return new Metadata(
        store,
        tables.uidNames(),
        tables.seriesMeta(),
        keys,
        parts.tracking(),
        options.get(Settings.META_REALTIME_UID),
        options.clock(),
        backoff);
  }

  private UidTable uids(Backoff backoff) {
    return new UidTable(
        store,
        tables.uidIds(),
        tables.uidNames(),
        keys.schema(),
        parts.uids(),
        backoff,
        options.clock(),
        new SecureRandom());
  }

  private QueryEngine queries(
      @Nullable RollupConfig rollupConfig, HistogramCodecs histogramCodecs, boolean shared) {
    QuerySources sources =
        new QuerySources(
            reader,
            keys,
            tables.points(),
            index::hasOwnBucketsOnly,
            rewritingListener(),
            histogramCodecs,
            rollupConfig == null ? null : parts.rollupReading(rollupConfig));
    return new QueryEngine(sources, uids, index, parts.queries(), shared, options.clock());
  }

  private RowListener rewritingListener() {
    if (options.isStrict(StrictSubject.ROWS) && options.get(Settings.ENABLE_COMPACTION)) {
      return compactions::compactRead; // repairs appends, too, if that is enabled
    }
    if (options.isStrict(StrictSubject.ROWS) && options.get(Settings.REPAIR_APPENDS)) {
      return compactions::repairRead;
    }
    return row -> {};
  }

  private TreeSync treeSync(Backoff backoff) {
    return new TreeSync(
        store,
        tables.trees(),
        trees,
        options.get(Settings.STORE_NOT_MATCHED),
        options.clock(),
        backoff);
  }

  private PointWriter writer(TextOptions text) {
    WriteOptions writing = parts.writing();
    WrittenRows written =
        new WrittenRowsListener(
            compacts ? compactions : null, metadata, parts.tracking() != TrackingMode.OFF);
    boolean alone = ownership != null && ownership.isOwner();
    int threads = writing.batching().threads();
    return new PointWriter(
        keys,
        uids,
        options.nameRules(),
        writing,
        text,
        options.clock(),
        written,
        head.shards(acknowledgement, threads, alone, written));
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
    if (acknowledgement != Acknowledgement.NONE) {
      writer.flush();
    }
    return showsJournal ? reader : store;
  }

  /** The store as queries see it, with the points of open rows; they can't be replaced. */
  public KeyValueStore reader() {
    return reader;
  }

  /** When points are acknowledged, unless another database has been opened over the store since. */
  public Acknowledgement acknowledgement() {
    return acknowledgement;
  }

  /** The state of the open rows; null if rows are written at once. */
  public @Nullable HeadStats headStats() {
    return acknowledgement == Acknowledgement.NONE ? null : head.stats();
  }

  /** As {@link Tsdb#storeState}. */
  StoreState storeState() {
    boolean unused = figures.refresh(); // so that an idle store is asked, too
    return watch.state();
  }

  /** As {@link Tsdb#diskBytes} and {@link Tsdb#figuresAge}. */
  StoreFigures.Reading figures() {
    return figures.last();
  }

  private OptionalLong readFigures() {
    for (UidKind kind : UidKind.values()) {
      var unused = uids.usage(kind);
    }
    return store.extension(DiskUsage.class).stream().mapToLong(DiskUsage::bytes).findAny();
  }

  /** How long points may be buffered before they are stored, if no caller waits for them. */
  public Duration bufferedFor() {
    return acknowledgement == Acknowledgement.INTERVAL
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
    return rollupTables;
  }

  /** The row keys for the configured UID widths and salt. */
  public RowKey keys() {
    return keys;
  }

  /** Names and their UIDs. */
  public UidTable uids() {
    return uids;
  }

  /** Series by their names. */
  public SeriesNames seriesNames() {
    return new SeriesNames(keys, uids);
  }

  /** Which series there are. */
  public SeriesIndex index() {
    return index;
  }

  /** The metadata of names and series. */
  public Metadata metadata() {
    return metadata;
  }

  /** The pipeline of points. */
  public PointWriter writer() {
    return writer;
  }

  /** The writer of rolled-up and pre-aggregated values. */
  public RollupWriter rollups() {
    return rollups;
  }

  /** The writer of histograms. */
  public HistogramWriter histograms() {
    return histograms;
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
            options.isStrict(StrictSubject.SALT) ? () -> true : index::hasOwnBucketsOnly);
    return new LastPoints(
        reader,
        new LastPointSearch(
            reader, store, tables.points(), keys, options.get(Settings.LAST_MAX_ROWS)),
        lookup(store),
        metadata.series(),
        uids,
        keys,
        options.clock());
  }

  /** A compactor of rows with the configured options. */
  public RowCompactor rowCompactor() {
    return rowCompactor;
  }

  /** Rows that were written here and wait to be compacted. */
  public CompactionQueue compactions() {
    return compactions;
  }

  /** The trees that series are sorted into. */
  public Trees trees() {
    return trees;
  }

  /** Sorts series into trees. */
  public TreeSync treeSync() {
    return treeSync;
  }

  /** Sorts series that have metadata into trees. */
  public SeriesTrees seriesTrees() {
    return seriesTrees;
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
    return new QueryDeletion(writer, queries, deletion, wholeRows, head).delete(query, budget);
  }

  /** As {@link Tsdb#compactor}. */
  public TableCompactor compactor() {
    return new TableCompactor(store, tables.points(), keys, uids, rowCompactor);
  }

  /** As {@link Tsdb#lookup}. */
  SeriesLookup lookup(KeyValueReader store) {
    return new SeriesLookup(
        store,
        tables.points(),
        tables.seriesMeta(),
        keys,
        uids,
        index,
        parts.tracking() != TrackingMode.OFF);
  }

  void dropCaches() {
    uids.dropCaches();
    writer.dropCaches();
    index.dropCaches();
  }

  /** Ends the threads and, if it was opened with the database, the store. */
  void close(Runnable last) {
    EngineThread.checkMayWait();
    List<Runnable> steps = new ArrayList<>(closing());
    steps.add(queries::close);
    steps.add(watch::close);
    steps.add(last);
    if (ownsStore) {
      steps.add(store::close);
    }
    ClosingSteps.run(steps);
  }

  /** The steps that end the threads. */
  private List<Runnable> closing() {
    Deadline deadline =
        Deadline.in(options.get(MemorySettings.WRITE_CLOSE).toMillis(), options.clock());
    CompactionThread compacting = compactionThread;
    return List.of(
        writer::close,
        closingHead,
        () -> metadata.close(deadline),
        compacting == null ? () -> {} : () -> compacting.close(deadline, options.clock()),
        this::endOwnership);
  }
}
