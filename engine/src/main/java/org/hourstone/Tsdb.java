package org.hourstone;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.hourstone.annotation.Annotations;
import org.hourstone.error.RequestException;
import org.hourstone.export.Export;
import org.hourstone.export.ExportRequest;
import org.hourstone.head.HeadStats;
import org.hourstone.health.DiskSpace;
import org.hourstone.health.StoreCalls;
import org.hourstone.health.StoreState;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.index.SeriesIndex;
import org.hourstone.index.SeriesLookup;
import org.hourstone.kv.Backups;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.StoreMetrics;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.Trait;
import org.hourstone.meta.Metadata;
import org.hourstone.query.DecodedCellStats;
import org.hourstone.query.Explanation;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.RowSelection;
import org.hourstone.query.RunningQueries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.query.TimeText;
import org.hourstone.retention.Retention;
import org.hourstone.rewrite.CompactionQueue;
import org.hourstone.rewrite.TableCompactor;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.tree.Trees;
import org.hourstone.uid.SeriesNames;
import org.hourstone.uid.UidTable;
import org.hourstone.write.HistogramWriter;
import org.hourstone.write.ImportListener;
import org.hourstone.write.ImportOptions;
import org.hourstone.write.Importer;
import org.hourstone.write.PointWriter;
import org.hourstone.write.RollupWriter;
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
 * <p>Points are written in the background: {@code put} returns when a point is accepted, and its
 * future completes when the store has acknowledged it; from then on queries return the point. With
 * a head ({@link Settings#HEAD}) that takes milliseconds, without it up to the flush interval
 * ({@link Settings#FLUSH_INTERVAL}). Waiting for a future, {@link #flush} and {@link #close} write
 * the point at once.
 *
 * <p>Thread-safe.
 */
public final class Tsdb implements AutoCloseable {
  private final Engine engine;
  private final FailedPoints failed;
  private final boolean isBorrowed;

  private Tsdb(Engine engine) {
    this(engine, new FailedPoints(), false);
  }

  private Tsdb(Engine engine, FailedPoints failed, boolean isBorrowed) {
    this.engine = engine;
    this.failed = failed;
    this.isBorrowed = isBorrowed;
  }

  /** The same database, for code that closes it when it has used it: that has no effect. */
  public Tsdb borrowed() {
    return new Tsdb(engine, failed, true);
  }

  /** As {@link #open(String, TsdbOptions)} with {@link TsdbOptions#defaults}. */
  public static Tsdb open(String uri) {
    return open(uri, TsdbOptions.defaults());
  }

  /**
   * Opens the database in the store that a URI names, such as {@code rocksdb:/var/lib/hourstone} or
   * {@code memory:test}. Missing tables are created, unless the store's operator creates them
   * ({@link Trait#MANAGED_TABLES}).
   *
   * @throws IllegalArgumentException if the URI or a setting is invalid
   * @throws org.hourstone.kv.StoreException if the store can't be opened, or lacks a table
   */
  public static Tsdb open(String uri, TsdbOptions options) {
    KeyValueStore store = KeyValueStores.open(uri, new StoreOptions(options.clock()));
    try {
      return new Tsdb(new Engine(store, true, options));
    } catch (RuntimeException | Error e) {
      try {
        store.close();
      } catch (RuntimeException | Error closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /** A database in a store that is already open; closing the database leaves the store open. */
  public static Tsdb over(KeyValueStore store, TsdbOptions options) {
    return new Tsdb(new Engine(store, false, options));
  }

  /**
   * A store as queries would see it: its rows of points with those of the head's journal, as it is
   * now. For readers without a {@link Tsdb}, while no {@code Tsdb} has the store open; changes
   * nothing.
   *
   * @throws org.hourstone.codec.CorruptDataException if the journal can't be read
   * @throws IllegalArgumentException if it was written with other UID widths or another salt
   */
  public static KeyValueReader withJournal(KeyValueStore store, TsdbOptions options) {
    return HeadOpening.withJournal(store, options);
  }

  /**
   * Writes a point, its value in 8 bytes.
   *
   * <p>If two points of a series share a timestamp, the later put is read, whatever their types. A
   * store that lacks {@link Trait#MONOTONIC_WRITE_TIMES} (HBase) can only order points that were
   * put in different milliseconds.
   *
   * @param time stored in seconds if it is a whole second, otherwise in milliseconds; finer digits
   *     are dropped
   * @return completes when the point is stored (in the data table, or in the journal of the head),
   *     or exceptionally with a StoreException. It completes on a writing thread, which must not
   *     block: a stage that writes again belongs in thenRunAsync. It may be ignored, since {@link
   *     #flush} and {@link #close} report points that failed. If a caller waits for the future, the
   *     point is written at once; if a stage depends on it, within a second
   * @throws RequestException if a name is invalid, the value is not finite, or the time is out of
   *     range
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown and names are not assigned
   *     automatically
   * @throws org.hourstone.uid.UidAssignmentException if no UID is left for a new name
   * @throws org.hourstone.health.DiskReserveException if the store's disk is nearly full ({@link
   *     Settings#DISK_RESERVE})
   */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> put(
      String metric, Instant time, double value, Tags tags) {
    StoredFuture stored = new StoredFuture(writer(), failed);
    writer().put(metric, tags.asMap(), PointTime.of(time), value, stored, 0);
    return stored;
  }

  /** Writes a point, its integer value in the fewest bytes that can hold it. */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> put(String metric, Instant time, long value, Tags tags) {
    StoredFuture stored = new StoredFuture(writer(), failed);
    writer().put(metric, tags.asMap(), PointTime.of(time), value, stored, 0);
    return stored;
  }

  /** Writes a point, its value in 4 bytes. */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> put(
      String metric, Instant time, float value, Tags tags) {
    StoredFuture stored = new StoredFuture(writer(), failed);
    writer().put(metric, tags.asMap(), PointTime.of(time), value, stored, 0);
    return stored;
  }

  /**
   * Writes a histogram, encoded by OpenTSDB's built-in codec.
   *
   * @throws RequestException as for a point, and if that codec is not configured, or as {@link
   *     SimpleHistogram#check} says
   */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> put(
      String metric, Instant time, SimpleHistogram value, Tags tags) {
    value.check();
    StoredFuture stored = new StoredFuture(writer(), failed);
    int codecId = histograms().codecs().simpleId();
    histograms().put(codecId, metric, tags.asMap(), PointTime.of(time), value, stored, 0);
    return stored;
  }

  /** Writes the point of a telnet line, {@code put metric timestamp value tag=value …}. */
  @CanIgnoreReturnValue
  public CompletableFuture<@Nullable Void> putLine(String line) {
    StoredFuture stored = new StoredFuture(writer(), failed);
    writer().putTelnetLine(line, stored, 0);
    return stored;
  }

  /**
   * Waits until all points accepted so far are stored in the data table, those of the head, too.
   *
   * @throws org.hourstone.kv.StoreException if points put since the last flush were not stored, or
   *     rows of the head can't be written to the data table; these stay in its journal
   */
  public void flush() {
    writer().flush();
    failed.throwIfAny();
  }

  /**
   * Runs a query.
   *
   * @return the result, which must be closed
   * @throws org.hourstone.uid.NoSuchNameException if a name in the query is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is corrupt and corruption is not
   *     configured to be skipped, or if a row has conflicting points; it names the row
   * @throws org.hourstone.query.QueryLimitException if the query exceeds a limit
   * @throws org.hourstone.query.QueryCancelledException if the query is cancelled
   */
  public SeriesCursor query(Query query) {
    return engine.queries().run(query);
  }

  /** As {@link #query(Query)}, as a part of a request that was {@linkplain #begin begun}. */
  public SeriesCursor query(Query query, RequestBudget budget) {
    return engine.queries().run(query, budget);
  }

  /**
   * Runs several queries. Some are read at once, the others as the caller takes the series of
   * these, so take the series in the order of the queries.
   *
   * @return one result per query, in order; each must be closed. An error that occurs while rows
   *     are read is thrown when the first series is requested
   * @throws org.hourstone.uid.NoSuchNameException if a name in one of them is unknown
   */
  public List<SeriesCursor> queryAll(List<Query> queries) {
    return engine.queries().runAll(queries);
  }

  /** As {@link #queryAll(List)}, as a part of a request that was {@linkplain #begin begun}. */
  public List<SeriesCursor> queryAll(List<Query> queries, RequestBudget budget) {
    return engine.queries().runAll(queries, budget);
  }

  /**
   * Begins a request that reads: its queries and lookups share one budget, it is in the list of
   * {@linkplain #runningQueries running queries}, and it can be cancelled.
   *
   * @param text describes it in that list
   * @return the budget, which must be closed
   */
  public RequestBudget begin(Supplier<String> text) {
    return engine.queries().running().begin(text);
  }

  /** Runs a query and reports how it was evaluated; throws as {@link #query} does. */
  public Explanation explain(Query query) {
    return explained(query, null);
  }

  /**
   * As {@link #explain(Query)}, and also reports the stored points from which the values of one
   * timestamp were computed.
   *
   * @throws RequestException if it is a query for histograms
   */
  public Explanation explain(Query query, Instant at) {
    return explained(query, at);
  }

  private Explanation explained(Query query, @Nullable Instant at) {
    try (RequestBudget budget = begin(() -> "explain " + query.text())) {
      return explain(query, at, budget);
    }
  }

  /**
   * As {@link #explain(Query, Instant)}, as a part of a request that was {@linkplain #begin begun}.
   *
   * @param at null for no points
   */
  public Explanation explain(Query query, @Nullable Instant at, RequestBudget budget) {
    return engine.explain(query, at, budget);
  }

  /**
   * Deletes the points that a query reads: those of its series from its start to its end, both
   * inclusive, regardless of its aggregator, downsampling and rate; or their histograms, if it
   * queries these. Annotations and rolled-up values stay. No concurrent write to the same rows is
   * lost. In strict mode ({@link StrictSubject#DELETION}) it deletes the rows that the query reads,
   * whole hours with everything in them, as OpenTSDB does.
   *
   * @return how many points there were; points of a series that share a timestamp count as one
   * @throws RequestException if the query is evaluated from rolled-up values or pre-aggregates,
   *     other than in strict mode
   * @throws org.hourstone.uid.NoSuchNameException if a name in the query is unknown
   * @throws org.hourstone.codec.CorruptDataException if a cell is corrupt and corruption is not
   *     configured to be skipped; it names the row. Points deleted before stay deleted
   * @throws org.hourstone.kv.StoreException if the store fails; the deletion may be repeated
   */
  public long delete(Query query) {
    try (RequestBudget budget = begin(() -> "delete " + query.text())) {
      return delete(query, budget);
    }
  }

  /**
   * As {@link #delete(Query)}, as a part of a request that was {@linkplain #begin begun}. If it is
   * cancelled, points deleted before stay deleted.
   */
  public long delete(Query query, RequestBudget budget) {
    return engine.delete(query, budget);
  }

  /**
   * Exports stored points as text, as a part of a request that was {@linkplain #begin begun}.
   *
   * @throws org.hourstone.uid.NoSuchNameException if a query names something unknown
   * @throws RequestException if a query or the place after which to continue is wrong
   */
  public Export export(ExportRequest what, RequestBudget budget) {
    budget.queries(what.queries().size());
    List<RowSelection> selections =
        what.queries().stream()
            .map(query -> query.betweenMillis(what.fromMillis(), what.toMillis()))
            .map(query -> engine.queries().select(query, budget))
            .toList();
    return new Export(
        engine.reader(),
        engine.tables().points(),
        engine.keys(),
        seriesNames(),
        engine.options().nameRules(),
        selections,
        what,
        budget,
        runningQueries().limits());
  }

  /** The running queries, and other running requests that read. */
  public RunningQueries runningQueries() {
    return engine.queries().running();
  }

  /** The latest points of series. */
  public LastPoints last() {
    return engine.last(engine.reader());
  }

  /** As {@link #last()}, as a part of a request that was {@linkplain #begin begun}. */
  public LastPoints last(RequestBudget budget) {
    return engine.last(budget.reading(engine.reader()));
  }

  /**
   * A timestamp as requests specify it, such as {@code 1h-ago}, in milliseconds since the epoch, by
   * this database's clock and time zone.
   *
   * @throws RequestException if it is not a time
   */
  public long parseTime(String text) {
    TsdbOptions options = engine.options();
    return TimeText.parseMillis(
        text, options.clock().instant(), options.timeZone(), options.queryDialect());
  }

  /** Writes many points: receipts instead of futures, and handles for series. */
  public PointWriter writer() {
    return engine.writer();
  }

  /** Writes histograms of any codec. */
  public HistogramWriter histograms() {
    return engine.histograms();
  }

  /** Writes rolled-up and pre-aggregated values. */
  public RollupWriter rollups() {
    return engine.rollups();
  }

  /** Imports files of points. */
  public Importer importer(ImportOptions how, ImportListener listener) {
    Family points = engine.tables().points();
    return new Importer(
        writer(),
        engine.reader(),
        points,
        engine.keys(),
        baseTime -> retention().mayHaveExpired(points, baseTime),
        row -> retention().hasExpired(points, row),
        row -> retention().admit(points, row),
        how,
        listener);
  }

  /**
   * The rows that this database has written and that wait for compaction. Rows that still wait when
   * it is closed are not compacted; {@link #compactor} finds them.
   */
  public CompactionQueue compactions() {
    return engine.compactions();
  }

  /**
   * How long data is kept ({@link RetentionSettings#RULES}). Rows that have expired are not
   * returned; they are deleted by {@link Retention#run}, and by servers once an hour.
   */
  public Retention retention() {
    return engine.retention();
  }

  /** The rollups that this database computes itself ({@link RollupSettings#AUTO}), if any. */
  public Optional<OwnRollups> ownRollups() {
    return engine.ownRollups();
  }

  /** Compacts the rows of the table, whichever process wrote them. */
  public TableCompactor compactor() {
    return engine.compactor();
  }

  /** Names and their UIDs. */
  public UidTable uids() {
    return engine.uids();
  }

  /** Series by their names. */
  public SeriesNames seriesNames() {
    return engine.seriesNames();
  }

  /** Annotations of series and global ones. */
  public Annotations annotations() {
    return engine.annotations();
  }

  /** The metadata of names and series. */
  public Metadata metadata() {
    return engine.metadata();
  }

  /** The index of series. */
  public SeriesIndex index() {
    return engine.index();
  }

  /** Finds the series that have given tags. */
  public SeriesLookup lookup() {
    return engine.lookup(engine.reader());
  }

  /** As {@link #lookup()}, as a part of a request that was {@linkplain #begin begun}. */
  public SeriesLookup lookup(RequestBudget budget) {
    return engine.lookup(budget.reading(engine.reader()));
  }

  /** The trees that series are sorted into. */
  public Trees trees() {
    return engine.trees();
  }

  /** Sorts series that have metadata into trees. */
  public SeriesTrees seriesTrees() {
    return engine.seriesTrees();
  }

  /** The state of the open rows; null if rows are written at once. */
  public @Nullable HeadStats headStats() {
    return engine.headStats();
  }

  /**
   * How many writers of a shared store have a corrupt state or journal, as far as this process has
   * read them: their journals are not taken over, and rows that are newer are not compacted.
   */
  public long corruptWriters() {
    return engine.corruptWriters();
  }

  /** The state of the cache of decoded cells. */
  public DecodedCellStats decodedCells() {
    return engine.queries().decodedCells();
  }

  /**
   * The size of the store's files in bytes, as of {@link #figuresAge}; empty if it has none, or if
   * they were not read yet.
   */
  public OptionalLong diskBytes() {
    return engine.storeWork().diskBytes();
  }

  /**
   * The store's figures about its own work, as of {@link #figuresAge}; empty if it has none, or if
   * they were not read yet.
   */
  public List<StoreMetrics.Metric> storeMetrics() {
    return engine.storeWork().metrics();
  }

  /**
   * The new series within the last hour of the ten metrics with most, by their names, as of {@link
   * #figuresAge}; those that the writers of this database entered into the index.
   */
  public Map<String, Long> growth() {
    return engine.growth();
  }

  /**
   * The file system of the store's files, as seen within the last second; empty if it has none, or
   * that is not known. Never waits.
   */
  public Optional<DiskSpace> diskSpace() {
    return Optional.ofNullable(engine.diskSpace());
  }

  /**
   * The age of the oldest of the figures that are read from the store in the background: {@link
   * #diskBytes} and {@link #storeMetrics}, which need no call to the servers of a store, {@link
   * #growth} and {@link UidTable#lastUsage}. Asking for them never waits for the store, except for
   * the first time, when it waits for at most a second.
   */
  public Duration figuresAge() {
    return engine.figuresAge();
  }

  /** Whether the store answers, as known from the calls made to it; never waits for the store. */
  public StoreState storeState() {
    return engine.storeState();
  }

  /** The calls made to each table of the store so far; never waits for the store. */
  public List<StoreCalls> storeCalls() {
    return engine.storeCalls();
  }

  /** Clears the caches of names and series, so that renames and deletions have an effect now. */
  public void dropCaches() {
    engine.dropCaches();
  }

  /**
   * Backups of the whole store, if the store makes any itself; on the store's own disk they leave
   * {@link Settings#DISK_RESERVE} free.
   */
  public Optional<Backups> backups() {
    return engine.backups();
  }

  /** The parts below this facade, for tools that work on tables as they are stored. */
  public Engine engine() {
    return engine;
  }

  /**
   * Writes all accepted points and closes the database; may be called again. Points that are not
   * written within {@link MemorySettings#WRITE_CLOSE} fail.
   *
   * @throws org.hourstone.kv.StoreException if points put since the last flush were not stored; the
   *     database is closed nevertheless
   * @throws IllegalStateException if it is called from a callback on a thread of the database,
   *     which stays open
   */
  @Override
  public void close() {
    if (!isBorrowed) {
      engine.close(failed::throwIfAny);
    }
  }
}
