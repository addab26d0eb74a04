package org.hourstone;

import com.google.common.base.Throwables;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.hourstone.annotation.Annotations;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.expression.ExpressionEngine;
import org.hourstone.expression.SeriesExpression;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.histogram.HistogramWriter;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.index.IndexRebuild;
import org.hourstone.index.SeriesIndex;
import org.hourstone.index.SeriesLookup;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.Deadline;
import org.hourstone.internal.EngineThread;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.ScanCounts;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.Trait;
import org.hourstone.meta.Metadata;
import org.hourstone.meta.TrackingMode;
import org.hourstone.query.Explanation;
import org.hourstone.query.LastPointReader;
import org.hourstone.query.Query;
import org.hourstone.query.QueryEngine;
import org.hourstone.query.QuerySources;
import org.hourstone.query.RowListener;
import org.hourstone.query.RowSelection;
import org.hourstone.query.RunningQueries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.query.TimeText;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupWriter;
import org.hourstone.tool.CopyListener;
import org.hourstone.tool.CopyOptions;
import org.hourstone.tool.CopyScope;
import org.hourstone.tool.Fsck;
import org.hourstone.tool.FsckListener;
import org.hourstone.tool.FsckOptions;
import org.hourstone.tool.ImportLines;
import org.hourstone.tool.MetaPurge;
import org.hourstone.tool.MetaSync;
import org.hourstone.tool.MetaSyncListener;
import org.hourstone.tool.PointDeletion;
import org.hourstone.tool.RowNames;
import org.hourstone.tool.TableCopy;
import org.hourstone.tool.UidFsck;
import org.hourstone.tool.UidFsckListener;
import org.hourstone.tool.UidFsckOptions;
import org.hourstone.tree.PlantingReport;
import org.hourstone.tree.TreePlanting;
import org.hourstone.tree.TreeSeries;
import org.hourstone.tree.Trees;
import org.hourstone.uid.UidTable;
import org.hourstone.write.AppendRepair;
import org.hourstone.write.CompactionOptions;
import org.hourstone.write.CompactionOptions.Appends;
import org.hourstone.write.CompactionQueue;
import org.hourstone.write.CompactionThread;
import org.hourstone.write.ImportListener;
import org.hourstone.write.ImportOptions;
import org.hourstone.write.Importer;
import org.hourstone.write.LineParser;
import org.hourstone.write.PointCheck;
import org.hourstone.write.PointWriter;
import org.hourstone.write.RowCompactor;
import org.hourstone.write.TableCompactor;
import org.hourstone.write.TextOptions;
import org.hourstone.write.WrittenRows;
import org.jspecify.annotations.Nullable;

/**
 * A time-series database over a store, in OpenTSDB's format.
 *
 * <pre>{@code
 * try (Tsdb db = Tsdb.open("rocksdb:./data")) {
 *   db.put("sys.cpu.user", Instant.now(), 42.5, Tags.of("host", "web01"));
 *   db.flush();
 *   Query query = Query.parse("sum:sys.cpu.user{host=*}").between(Instant.EPOCH, Instant.now());
 *   try (SeriesCursor series = db.query(query)) { series.forEach(System.out::println); }
 * }
 * }</pre>
 *
 * <p>Points are written in the background: {@code put} answers when a point is taken, its future
 * completes when the store has accepted it. On a store that nobody else writes to that may take the
 * flush interval ({@link ConfigKey#FLUSH_INTERVAL}), and until then queries don't see the point: to
 * wait for a future, {@link #flush} and {@link #close} have it written at once. Thread-safe.
 */
public final class Tsdb implements AutoCloseable {
  private final KeyValueStore store;
  private final boolean ownsStore;
  private final TsdbOptions options;
  private final Tables tables;
  private final RowKey keys;
  private final SeriesIndex index;
  private final Metadata metadata;
  private final UidTable uids;
  private final PointWriter writer;
  private final Annotations annotations;
  private final RollupWriter rollups;
  private final List<String> rollupTables;
  private final HistogramWriter histograms;
  private final QueryEngine queries;
  private final LastPoints last;
  private final ExpressionEngine expressions;
  private final RowCompactor rowCompactor;

  /** Whether rows are compacted after they were written to; appends may be nobody's business. */
  private final boolean compacts;

  private final CompactionQueue compactions;
  private final Trees trees;
  private final TreePlanting planting;
  private final SeriesTrees seriesTrees;
  private final @Nullable CompactionThread compactionThread;
  private final FailedPoints failed = new FailedPoints();

  private Tsdb(KeyValueStore unguarded, boolean ownsStore, TsdbOptions options) {
    this.ownsStore = ownsStore;
    this.options = options;
    this.tables = options.tables();
    this.keys = new RowKey(options.schema());
    Backoff backoff = Backoff.exponential();
    RollupConfig rollupConfig = options.rollupConfig();
    this.rollupTables = rollupConfig == null ? List.of() : rollupConfig.tables();
    this.index = options.seriesIndex(unguarded, schemaMode(unguarded, options));
    this.store = index.guarded();
    this.metadata =
        new Metadata(
            store,
            tables.uidNames(),
            tables.seriesMeta(),
            keys,
            options.trackingMode(),
            options.flag(ConfigKey.META_REALTIME_UID),
            options.clock(),
            backoff);
    this.uids =
        new UidTable(
            store,
            tables.uidIds(),
            tables.uidNames(),
            keys.schema(),
            options.uidOptions(unguarded.traits().contains(Trait.SHARED)),
            backoff,
            options.clock(),
            new SecureRandom());
    uids.onAssigned(metadata::assigned);
    this.annotations =
        new Annotations(
            store, tables.points(), keys, options.flag(ConfigKey.ANNOTATION_RANGES), backoff);
    boolean shared = store.traits().contains(Trait.SHARED);
    CompactionOptions compaction = options.compactionOptions(shared);
    this.compacts =
        options.flag(ConfigKey.ENABLE_COMPACTION)
            && (!options.flag(ConfigKey.ENABLE_APPENDS) || compaction.appends() == Appends.MERGED);
    this.rowCompactor = new RowCompactor(store, tables.points(), keys, compaction, options.clock());
    this.compactions =
        new CompactionQueue(
            rowCompactor,
            options.clock(),
            options.compactionQueue(),
            options.number(ConfigKey.COMPACTION_SPREAD));
    HistogramCodecs histogramCodecs = options.histogramCodecs();
    QuerySources sources =
        new QuerySources(
            tables.points(),
            rewritingListener(),
            histogramCodecs,
            rollupConfig == null ? null : options.rollupReading(rollupConfig));
    this.queries =
        new QueryEngine(
            store, sources, keys, uids, index, options.queryOptions(), shared, options.clock());
    this.last =
        new LastPoints(
            new LastPointReader(
                store,
                tables.points(),
                keys,
                options.duplicatePolicy(),
                options.flag(ConfigKey.CELLS_AS_THEY_STAND)),
            metadata.series(),
            uids,
            keys,
            options.clock());
    this.expressions =
        new ExpressionEngine(
            queries::run,
            uids,
            options.flag(ConfigKey.EXPRESSION_QUIRKS),
            options.number(ConfigKey.EXPRESSION_MAX_VALUES));
    this.trees = new Trees(store, tables.trees(), backoff);
    this.planting =
        new TreePlanting(
            store,
            tables.trees(),
            trees,
            options.flag(ConfigKey.STORE_NOT_MATCHED),
            options.clock(),
            backoff);
    this.seriesTrees = new SeriesTrees(uids, metadata, keys, planting);
    if (options.flag(ConfigKey.TREE_PROCESSING)) {
      metadata.onNewSeries(seriesTrees::plant);
    }
    List<FamilySpec> families = tables.withRollups(rollupTables);
    if (index.isOn()) {
      families.add(new FamilySpec(options.indexFamily(), false));
    }
    ensure(families);
    if (options.flag(ConfigKey.SALT_CHECK)) {
      SaltCheck.check(store, tables.points(), keys.schema());
    }
    TextOptions text = options.textOptions();
    LineParser parser = new LineParser(text.anyTelnetDots());
    this.writer =
        new PointWriter(
            store,
            tables.points(),
            keys,
            uids,
            options.nameRules(),
            options.writeOptions(shared),
            text,
            options.clock(),
            backoff,
            new WrittenRows() {
              @Override
              public void written(List<byte[]> rows, List<Integer> points) {
                Tsdb.this.written(rows, points);
              }

              @Override
              public void await() {
                metadata.await();
              }
            });
    this.rollups = new RollupWriter(writer, keys, rollupConfig, options.rollupOptions(), parser);
    this.histograms =
        new HistogramWriter(
            writer,
            tables.points(),
            keys,
            histogramCodecs,
            parser,
            PointCheck.ofAnyTime(text.wrapBaseTime()));
    this.compactionThread =
        compacts && options.flag(ConfigKey.COMPACTION_BACKGROUND)
            ? CompactionThread.start(compactions, options.number(ConfigKey.COMPACTION_RATE))
            : null;
    try {
      writer.start();
    } catch (RuntimeException | Error e) {
      runAll(closing());
      throw e;
    }
  }

  private void written(List<byte[]> rows, List<Integer> points) {
    if (compacts) {
      rows.forEach(compactions::add);
    }
    metadata.written(rows, points);
  }

  private RowListener rewritingListener() {
    if (options.flag(ConfigKey.READS_REWRITE) && options.flag(ConfigKey.ENABLE_COMPACTION)) {
      return compactions::compactRead; // repairs appends, too, if that is enabled
    }
    if (options.flag(ConfigKey.READS_REWRITE) && options.flag(ConfigKey.REPAIR_APPENDS)) {
      boolean asTheyStand = options.flag(ConfigKey.CELLS_AS_THEY_STAND);
      AppendRepair repair =
          new AppendRepair(store, tables.points(), keys, asTheyStand, options.clock());
      return row -> compactions.repairRead(row, repair);
    }
    return row -> {};
  }

  /** Only this class knows the setting that decides whether tables are created. */
  private void ensure(Collection<FamilySpec> families) {
    SchemaMode mode = schemaMode(store, options);
    try {
      store.ensure(families, mode);
    } catch (StoreException e) {
      if (mode == SchemaMode.CREATE || e.outcome() != StoreException.Outcome.REJECTED) {
        throw e;
      }
      throw new StoreException(
          e.outcome(),
          e.getMessage() + "; " + ConfigKey.CREATE_TABLES.key() + "=true creates them",
          e);
    }
  }

  private static SchemaMode schemaMode(KeyValueStore store, TsdbOptions options) {
    boolean create =
        options.text(ConfigKey.CREATE_TABLES).equals("auto")
            ? !store.traits().contains(Trait.MANAGED_TABLES)
            : options.flag(ConfigKey.CREATE_TABLES);
    return create ? SchemaMode.CREATE : SchemaMode.VERIFY;
  }

  /** As {@link #open(String, TsdbOptions)} with {@link TsdbOptions#defaults}. */
  public static Tsdb open(String uri) {
    return open(uri, TsdbOptions.defaults());
  }

  /**
   * Opens the database in the store a URI names, such as {@code rocksdb:/var/lib/hourstone} or
   * {@code memory:test}. Tables that are missing are created unless the store's operator makes them
   * ({@link Trait#MANAGED_TABLES}).
   *
   * @throws IllegalArgumentException if the URI or a setting is wrong
   * @throws org.hourstone.kv.StoreException if the store can't be opened, or lacks a table
   */
  public static Tsdb open(String uri, TsdbOptions options) {
    KeyValueStore store = KeyValueStores.open(uri, new StoreOptions(options.clock()));
    try {
      return new Tsdb(store, true, options);
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  /** The database in a store that is open already, and stays open when the database is closed. */
  public static Tsdb over(KeyValueStore store, TsdbOptions options) {
    return new Tsdb(store, false, options);
  }

  /**
   * Takes a point in, its value stored on 8 bytes.
   *
   * @param time stored in seconds if it is a whole second, else in milliseconds; finer digits are
   *     dropped
   *     <p>Of two points of one series and instant the one that is put later is read, whatever
   *     their types. A store that lacks {@link Trait#MONOTONIC_WRITE_TIMES} (HBase) can tell that
   *     only of points put in different milliseconds.
   * @return completes when the point is stored, or exceptionally with a StoreException, on a thread
   *     that must not be kept waiting: what follows and writes again belongs into thenRunAsync; may
   *     be dropped, since {@link #flush} and {@link #close} report points that failed. A point
   *     whose future is waited for is written at once, and one that a stage depends on within a
   *     second
   * @throws IllegalArgumentException if a name is not legal, the value is not finite, or the time
   *     is out of range
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown and not to be created
   * @throws org.hourstone.uid.UidAssignmentException if no UID is left for a new name
   */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> put(
      String metric, Instant time, double value, Tags tags) {
    StoredFuture stored = new StoredFuture(writer, failed);
    writer.put(metric, tags.asMap(), timestamp(time), value, stored, 0);
    return stored;
  }

  /** Takes a point in, its integer value stored on the fewest bytes that hold it. */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> put(String metric, Instant time, long value, Tags tags) {
    StoredFuture stored = new StoredFuture(writer, failed);
    writer.put(metric, tags.asMap(), timestamp(time), value, stored, 0);
    return stored;
  }

  /** Takes a point in, its value stored on 4 bytes. */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> put(
      String metric, Instant time, float value, Tags tags) {
    StoredFuture stored = new StoredFuture(writer, failed);
    writer.put(metric, tags.asMap(), timestamp(time), value, stored, 0);
    return stored;
  }

  /**
   * Takes a histogram in, stored by OpenTSDB's built-in codec.
   *
   * @throws IllegalArgumentException as for a point, and if that codec is not configured
   */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> put(
      String metric, Instant time, SimpleHistogram value, Tags tags) {
    StoredFuture stored = new StoredFuture(writer, failed);
    int codecId = histograms.codecs().simpleId();
    histograms.put(codecId, metric, tags.asMap(), timestamp(time), value, stored, 0);
    return stored;
  }

  /** Takes in a line {@code put metric timestamp value tag=value …}, as it comes by telnet. */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> putLine(String line) {
    StoredFuture stored = new StoredFuture(writer, failed);
    writer.putTelnetLine(line, stored, 0);
    return stored;
  }

  private static long timestamp(Instant time) {
    long millis;
    try {
      millis = time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("time out of range: " + time, e);
    }
    if (millis % 1000 == 0 && !Timestamps.isMillis(millis / 1000)) {
      return millis / 1000;
    }
    if (millis >= 0 && !Timestamps.isMillis(millis)) {
      throw new IllegalArgumentException(
          "time "
              + time
              + " can't be stored: before 1970-02-19T17:02:47.296Z only whole seconds can");
    }
    return millis;
  }

  /** For writing many points: receipts instead of futures, and handles for series. */
  public PointWriter writer() {
    return writer;
  }

  /** For writing histograms of any codec. */
  public HistogramWriter histograms() {
    return histograms;
  }

  /** For writing rolled-up and pre-aggregated values. */
  public RollupWriter rollups() {
    return rollups;
  }

  /** For importing files of points. */
  public Importer importer(ImportOptions how, ImportListener listener) {
    return new Importer(writer, store, tables.points(), keys, how, listener);
  }

  /** The import options the settings ask for. */
  public ImportOptions importOptions(boolean skipErrors) {
    return new ImportOptions(skipErrors, options.flag(ConfigKey.OUT_OF_ORDER_IMPORT));
  }

  /**
   * Waits until all points taken so far are stored.
   *
   * @throws org.hourstone.kv.StoreException if points that {@code put} took since the last flush
   *     were not stored
   */
  public void flush() {
    writer.flush();
    failed.throwIfAny();
  }

  /**
   * Answers a query.
   *
   * @return the series; must be closed
   * @throws org.hourstone.uid.NoSuchNameException if a name in it is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is damaged, and damage is not to be
   *     passed over, or if it has conflicting points; naming it
   * @throws org.hourstone.query.QueryLimitException if it uses more than is allowed
   * @throws org.hourstone.query.QueryCancelledException if it was ended before
   */
  public SeriesCursor query(Query query) {
    return queries.run(query);
  }

  /**
   * Answers functions around queries, such as {@code scale(sum:sys.cpu.user{host=*},2)}. Throws as
   * {@link #query} does.
   *
   * @param start first instant, inclusive
   * @param end last instant, inclusive
   * @return the series
   * @throws org.hourstone.expression.ExpressionException if the expression is wrong, saying what
   *     and where
   */
  public SeriesCursor expression(String expression, Instant start, Instant end) {
    return expressions.evaluate(
        SeriesExpression.parse(expression, expressions.openTsdb()),
        start.toEpochMilli(),
        end.toEpochMilli());
  }

  /** For evaluating expressions. */
  public ExpressionEngine expressions() {
    return expressions;
  }

  /**
   * Answers several queries at once.
   *
   * @return as many as queries, in their order; all must be closed. What goes wrong as rows are
   *     read is thrown as the first series is asked for
   * @throws org.hourstone.uid.NoSuchNameException if a name in one of them is unknown
   */
  public List<SeriesCursor> queryAll(List<Query> queries) {
    return this.queries.runAll(queries);
  }

  /** Tells how a query is answered, by answering it; throws as {@link #query} does. */
  public Explanation explain(Query query) {
    return explained(query, null);
  }

  /**
   * As {@link #explain(Query)}, and tells of which points the values of one instant are made.
   *
   * @throws IllegalArgumentException if the query is one of histograms
   */
  public Explanation explain(Query query, Instant at) {
    return explained(query, at);
  }

  private Explanation explained(Query query, @Nullable Instant at) {
    Optional<ScanCounts> counts = store.extension(ScanCounts.class);
    Optional<ScanCounts.Rows> before = counts.map(ScanCounts::total);
    Explanation explanation = queries.explain(query, at);
    return counts
        .map(ScanCounts::total)
        .map(after -> explanation.withStoreCounts(after.minus(before.orElseThrow())))
        .orElse(explanation);
  }

  /**
   * Deletes the points that a query is made of: those of its series from its start to its end, both
   * inclusive, whatever its aggregator, downsampling and rate; or their histograms, if it asks for
   * these. Notes stay, and so do rolled-up values. Who writes to the same rows meanwhile loses
   * nothing. In strict mode ({@link ConfigKey#DELETES_ROWS}) all rows go that the query reads,
   * whole hours with all that is in them, as in OpenTSDB.
   *
   * @return how many points were there; those that one instant of a series had count as one
   * @throws IllegalArgumentException if the query is answered from rolled-up values or
   *     pre-aggregates, other than in strict mode
   * @throws org.hourstone.uid.NoSuchNameException if a name in it is unknown
   * @throws org.hourstone.codec.CorruptDataException if a cell is damaged, and damage is not to be
   *     passed over, naming its row; what was deleted before stays deleted
   * @throws org.hourstone.kv.StoreException if the store fails; it may be begun anew
   */
  public long delete(Query query) {
    if (!options.flag(ConfigKey.DELETES_ROWS) && !queries.isOfPoints(query)) {
      throw new IllegalArgumentException(
          "rolled-up values and pre-aggregates can't be deleted: "
              + query.text()
              + " is answered from some; ask for points by rollup_raw");
    }
    writer.flush();
    RowSelection rows = queries.select(query);
    PointDeletion deletion =
        new PointDeletion(
            store, tables.points(), keys, keptDuplicate(), options.queryOptions().skipDamage());
    PointDeletion.Selected selected =
        new PointDeletion.Selected(
            rows.scans(),
            rows.passes(),
            query.startMillis(),
            query.endMillis(),
            query.source().histograms() != null);
    return options.flag(ConfigKey.DELETES_ROWS)
        ? deletion.deleteRows(selected)
        : deletion.deletePoints(selected);
  }

  /** The queries that are being answered. */
  public RunningQueries runningQueries() {
    return queries.running();
  }

  /** The latest points of series. */
  public LastPoints last() {
    return last;
  }

  /** The rows a query would read, for tools that want them as they are stored. */
  public RowSelection select(Query query) {
    return queries.select(query);
  }

  /** Names behind rows. */
  public RowNames rowNames() {
    return new RowNames(keys, uids);
  }

  /** Rows as lines for import. */
  public ImportLines importLines() {
    return new ImportLines(keys, rowNames(), options.nameRules());
  }

  /** A run that looks for damage in the data table. */
  public Fsck fsck(FsckOptions how, FsckListener listener) {
    return new Fsck(store, tables.points(), keys, uids, rowCompactor, how, listener);
  }

  /**
   * A run that copies cells as they are to another database, which must have the same settings of
   * UIDs, salt and rollups.
   *
   * @throws IllegalArgumentException if it has others
   */
  public TableCopy copyTo(Tsdb target, CopyScope scope, CopyOptions how, CopyListener listener) {
    if (!keys.schema().equals(target.keys.schema()) || !rollupTables.equals(target.rollupTables)) {
      throw new IllegalArgumentException(
          "the databases have different UID widths, salts or rollup tables");
    }
    return new TableCopy(
        store,
        target.store,
        CopiedCells.families(tables, target.tables, options.rollupConfig()),
        keys,
        uids,
        scope,
        how,
        listener,
        Backoff.exponential(),
        options.clock());
  }

  /**
   * The rows of the series and hours of queries, for copying; of rollups those of the same time.
   *
   * @throws org.hourstone.uid.NoSuchNameException if a name in them is unknown
   */
  public CopyScope copyScope(List<Query> of) {
    List<CopyScope.Selected> selected = new ArrayList<>();
    for (Query query : of) {
      selected.addAll(CopiedCells.selected(keys, select(query), query.endMillis()));
    }
    return new CopyScope.Series(selected);
  }

  /** Which of different values of one instant such a run keeps by these settings. */
  public FsckOptions.Keep keptDuplicate() {
    return switch (options.duplicatePolicy()) {
      case NEWEST_WINS -> FsckOptions.Keep.NEWEST;
      case FAIL -> FsckOptions.Keep.OLDEST;
      case LARGEST_WINS -> FsckOptions.Keep.LARGEST;
      case SMALLEST_WINS -> FsckOptions.Keep.SMALLEST;
    };
  }

  /**
   * An instant as it stands in requests, in milliseconds since the epoch, by this database's clock
   * and time zone.
   *
   * @throws IllegalArgumentException if it is not a time
   */
  public long parseTime(String text) {
    return TimeText.parseMillis(text, options.clock().instant(), options.timeZone());
  }

  /**
   * For checking the UID table and mending it.
   *
   * @param fix whether what is wrong is repaired
   * @param deleteUnknown whether columns are deleted that are nothing known
   */
  public UidFsck uidFsck(boolean fix, boolean deleteUnknown, UidFsckListener listener) {
    return new UidFsck(
        store,
        tables.uidIds(),
        tables.uidNames(),
        tables.pointsAndRollups(rollupTables),
        keys.schema(),
        new UidFsckOptions(fix, deleteUnknown, options.flag(ConfigKey.RANDOM_METRICS)),
        listener);
  }

  /** For making up for metadata that was not stored as points were. */
  public MetaSync metaSync(MetaSyncListener listener) {
    return new MetaSync(store, tables.points(), keys, uids, metadata, listener);
  }

  /**
   * For deleting all metadata.
   *
   * @param progress is told now and then how many rows were read
   */
  public MetaPurge metaPurge(LongConsumer progress) {
    return new MetaPurge(store, tables.uidNames(), tables.seriesMeta(), progress);
  }

  /**
   * The rows that were written here and wait to be compacted. What still waits when the database is
   * closed stays as it is; {@link #compactor} finds it.
   */
  public CompactionQueue compactions() {
    return compactions;
  }

  /** For compacting the rows that are in the table, whoever wrote them. */
  public TableCompactor compactor() {
    return new TableCompactor(store, tables.points(), keys, uids, rowCompactor);
  }

  /** Names and their UIDs. */
  public UidTable uids() {
    return uids;
  }

  /** Notes on moments and spans of time. */
  public Annotations annotations() {
    return annotations;
  }

  /** What is known of names and series. */
  public Metadata metadata() {
    return metadata;
  }

  /** Which series there are. */
  public SeriesIndex index() {
    return index;
  }

  /** For finding out which series have which tags. */
  public SeriesLookup lookup() {
    return new SeriesLookup(
        store,
        tables.points(),
        tables.seriesMeta(),
        keys,
        uids,
        index,
        options.trackingMode() != TrackingMode.OFF);
  }

  /**
   * A run that enters all series there are into the index, and makes it complete.
   *
   * @throws IllegalStateException if the index is off
   */
  public IndexRebuild rebuildIndex(IndexRebuild.Listener listener) {
    return index.rebuild(listener);
  }

  /** The trees series are sorted into. */
  public Trees trees() {
    return trees;
  }

  /** Sorting series into trees. */
  public TreePlanting planting() {
    return planting;
  }

  /**
   * What the rules of trees look at in a series.
   *
   * @throws org.hourstone.uid.NoSuchUidException if a UID of it has no name
   * @throws org.hourstone.codec.CorruptDataException if it can't be a TSUID, or its metadata is
   *     damaged
   */
  public TreeSeries treeSeries(byte[] tsuid) {
    return seriesTrees.series(tsuid);
  }

  /**
   * Sorts all series that have metadata into one tree, or into all that are enabled. What is stored
   * already stays as it is.
   *
   * @param treeId the one tree, enabled or not; empty for all that are
   * @throws org.hourstone.tree.NoSuchTreeException if there is no such tree
   * @throws org.hourstone.kv.StoreException if the store fails; it may be begun anew
   */
  public PlantingReport plantAll(Optional<Integer> treeId) {
    return seriesTrees.plantAll(treeId);
  }

  /** Forgets names and series that were looked up, so that renames and deletions are seen now. */
  public void dropCaches() {
    uids.dropCaches();
    writer.dropCaches();
    index.dropCaches();
  }

  /** The store underneath. */
  public KeyValueStore store() {
    return store;
  }

  public Tables tables() {
    return tables;
  }

  public TsdbOptions options() {
    return options;
  }

  /**
   * Writes what was taken and closes. May be repeated. What is not written within {@link
   * ConfigKey#WRITE_CLOSE} is failed.
   *
   * @throws org.hourstone.kv.StoreException if points that {@code put} took since the last flush
   *     were not stored; the database is closed all the same
   * @throws IllegalStateException if it is called from a callback on a thread of the database,
   *     which stays open
   */
  @Override
  public void close() {
    EngineThread.checkMayWait();
    List<Runnable> steps = new ArrayList<>(closing());
    steps.add(queries::close);
    steps.add(failed::throwIfAny);
    if (ownsStore) {
      steps.add(store::close);
    }
    runAll(steps);
  }

  /** What ends the threads. */
  private List<Runnable> closing() {
    Deadline deadline = Deadline.in(options.closeMillis(), options.clock());
    CompactionThread compacting = compactionThread;
    return List.of(
        writer::close,
        () -> metadata.close(deadline),
        compacting == null ? () -> {} : () -> compacting.close(deadline, options.clock()));
  }

  /** Runs every step, whatever another throws; what is thrown first is thrown in the end. */
  private static void runAll(List<Runnable> steps) {
    Throwable first = null;
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException | Error e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      Throwables.throwIfUnchecked(first);
    }
  }
}
