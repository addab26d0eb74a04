package org.hourstone.query.run;

import static java.util.stream.Collectors.joining;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.hourstone.codec.RowKey;
import org.hourstone.error.RequestException;
import org.hourstone.index.SeriesIndex;
import org.hourstone.query.Corruption;
import org.hourstone.query.DecodedCellStats;
import org.hourstone.query.Explanation;
import org.hourstone.query.HistogramView;
import org.hourstone.query.Query;
import org.hourstone.query.QueryContext;
import org.hourstone.query.QueryOptions;
import org.hourstone.query.QueryThreads;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RowSelection;
import org.hourstone.query.RunningQueries;
import org.hourstone.query.RunningQuery;
import org.hourstone.query.SeriesCursor;
import org.hourstone.query.SlowQueries;
import org.hourstone.query.plan.IndexedSeries;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.plan.Planner;
import org.hourstone.query.plan.QuerySources;
import org.hourstone.query.plan.Segment;
import org.hourstone.query.plan.SeriesFinder;
import org.hourstone.query.plan.TablePlanner;
import org.hourstone.query.rows.DecodedCells;
import org.hourstone.query.rows.Route;
import org.hourstone.query.rows.SeriesState;
import org.hourstone.series.Aggregator;
import org.hourstone.series.MemoryLease;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/** Runs queries on one data table. Thread-safe. */
public final class QueryEngine implements AutoCloseable {
  private static final int MOST_TEXTS = 10;

  /** How many queries of a request are run at a time on a shared store, at most. */
  private static final int MOST_AT_ONCE = 10;

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final RowKey keys;
  private final UidTable uids;
  private final QueryOptions options;
  private final DecodedCells cells;
  private final TablePlanner tables;
  private final SeriesFinder finder;
  private final Planner planner;
  private final Consumer<Collection<byte[]>> scanned;
  private final QueryThreads threads;
  private final RunningQueries running;

  /**
   * @param index the series index
   * @param shared whether other processes may write, too
   */
  public QueryEngine(
      QuerySources sources,
      UidTable uids,
      SeriesIndex index,
      QueryOptions options,
      boolean shared,
      InstantSource clock) {
    this.keys = sources.keys();
    this.uids = uids;
    this.options = options;
    this.cells = new DecodedCells(options.work().decodedBytes());
    this.tables = new TablePlanner(sources, options, cells, clock);
    this.finder = new IndexedSeries(index, sources);
    this.planner = new Planner(sources, options, uids);
    // Other processes may write without knowing of the index.
    this.scanned = shared ? index::observed : tsuids -> {};
    this.threads = new QueryThreads(options.work().threads(), shared ? queriesAtOnce() : 0);
    this.running =
        new RunningQueries(
            options.limits(),
            clock,
            System::nanoTime,
            longAtOnce(options.work().threads(), shared),
            new SlowQueries(options.work().slowMillis()));
  }

  /**
   * On a store that other processes reach, too, queries mostly wait for servers. Each buffers some
   * megabytes of responses beside the memory of its request.
   */
  private static int queriesAtOnce() {
    return (int) Math.max(1, Math.min(MOST_AT_ONCE, Runtime.getRuntime().maxMemory() >> 27));
  }

  /**
   * How many requests that take long work at a time: enough for the processors while some wait for
   * servers. Each has other threads that read for it, and all delay short requests.
   */
  private static int longAtOnce(int threads, boolean shared) {
    return threads * (shared ? queriesAtOnce() : 1);
  }

  /** The requests that read and are running, with all their queries. */
  public RunningQueries running() {
    return running;
  }

  /** What the cache of decoded cells has and did. */
  public DecodedCellStats decodedCells() {
    return cells.stats();
  }

  /**
   * Runs a query. Its rows are read before this returns.
   *
   * @throws org.hourstone.uid.NoSuchNameException if the metric, a tag name or a tag value it names
   *     is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is corrupt and corruption is not
   *     skipped, or if it has conflicting points; naming the row
   * @throws org.hourstone.query.QueryLimitException if it exceeds a limit
   * @throws org.hourstone.query.QueryCancelledException if it was cancelled
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public SeriesCursor run(Query query) {
    return read(alone(List.of(query)));
  }

  /** As {@link #run(Query)}, as a part of a request. */
  public SeriesCursor run(Query query, RequestBudget budget) {
    budget.queries(1);
    return runUncounted(query, budget);
  }

  private SeriesCursor runUncounted(Query query, RequestBudget budget) {
    return read(batch(List.of(query), budget, () -> {}));
  }

  /** The answer of the only query of a batch, whose rows are read now. */
  private SeriesCursor read(QueryBatch batch) {
    QueryRun run = batch.runs().get(0);
    batch.groups(run);
    return new Answer(batch, run);
  }

  /**
   * Runs several queries of a request. Some are read at once, the others as the caller takes the
   * series of these, so take the series in the order of the queries. Rows that several of them need
   * are read once.
   *
   * @return one cursor for each query, in their order; all must be closed. A failure to read rows
   *     is thrown when the first series is requested
   * @throws org.hourstone.uid.NoSuchNameException if a name in one of them is unknown
   * @throws org.hourstone.query.QueryLimitException if there are too many
   */
  public List<SeriesCursor> runAll(List<Query> queries) {
    return started(alone(queries));
  }

  /** As {@link #runAll(List)}, as a part of a request. */
  public List<SeriesCursor> runAll(List<Query> queries, RequestBudget budget) {
    budget.queries(queries.size());
    return started(batch(queries, budget, () -> {}));
  }

  private List<SeriesCursor> started(QueryBatch batch) {
    if (batch.runs().size() > 1) {
      batch.start(threads.queries());
    }
    return batch.runs().stream().map(run -> (SeriesCursor) new Answer(batch, run)).toList();
  }

  /** Queries that are a request of their own; its time passes while they are planned and read. */
  private QueryBatch alone(List<Query> queries) {
    RequestBudget budget = running.begin(() -> textOf(queries));
    try {
      budget.queries(queries.size());
      QueryBatch batch = batch(queries, budget, budget::close);
      budget.pause();
      return batch;
    } catch (RuntimeException | Error e) {
      budget.close();
      throw e;
    }
  }

  /** The text of queries in the list of running requests; if there are many, of the first. */
  public static String textOf(List<Query> queries) {
    String first = queries.stream().limit(MOST_TEXTS).map(Query::text).collect(joining(" "));
    int more = queries.size() - MOST_TEXTS;
    return more > 0 ? first + " and " + more + " more" : first;
  }

  /** Plans queries; nothing is read yet. */
  private QueryBatch batch(List<Query> queries, RequestBudget budget, Runnable onEnd) {
    List<QueryRun> runs = new ArrayList<>(queries.size());
    try {
      for (Query query : queries) {
        runs.add(prepare(query, budget));
      }
    } catch (RuntimeException | Error e) {
      runs.forEach(QueryRun::close);
      throw e;
    }
    AtomicBoolean sharing = new AtomicBoolean(runs.size() > 1);
    SharedReading.among(runs, threads, scanned, sharing, budget::check);
    return new QueryBatch(runs, sharing, onEnd);
  }

  /**
   * Runs a query and explains how it was evaluated, as a part of a request. Throws as {@link #run}
   * does.
   *
   * @param at the timestamp of the values whose origins are listed; null for none
   * @throws RequestException if the origins of histograms are requested
   */
  public Explanation explain(Query query, @Nullable Instant at, RequestBudget budget) {
    if (at != null && query.source().histograms() != null) {
      throw new RequestException("the origins of histogram values can't be listed");
    }
    QueryBatch batch = batch(List.of(query), budget, () -> {});
    QueryRun run = batch.runs().get(0);
    try (SeriesCursor answer = new Answer(batch, run)) {
      Explainer explainer = new Explainer(run, planner, each -> runUncounted(each, budget), budget);
      List<Explanation.Value> values = new ArrayList<>();
      for (ResultSeries series = answer.next(); series != null; series = answer.next()) {
        if (at != null) {
          values.add(explainer.value(series, at.toEpochMilli()));
        }
      }
      RunningQuery used = run.use().snapshot();
      return new Explanation(
          query.text(),
          explainer.parts(),
          options.work().threads(),
          options.limits(),
          new Explanation.Cost(used.rows(), used.bytes(), used.points(), used.series(), null),
          values);
    }
  }

  private QueryRun prepare(Query query, RequestBudget budget) {
    budget.check();
    MemoryLease plans = budget.memory().child();
    try {
      List<Segment<Plan>> segments =
          tables.segments(query).stream()
              .map(segment -> segment.map(route -> plan(route, budget, plans)))
              .toList();
      return new QueryRun(
          query,
          segments,
          () -> new QueryContext(query, options.limits(), budget),
          plans,
          threads,
          scanned);
    } catch (RuntimeException | Error e) {
      plans.close();
      throw e;
    }
  }

  private Plan plan(Route route, RequestBudget budget, MemoryLease memory) {
    // The index of the series in the data table need not apply to other tables.
    SeriesFinder applicable = route.source().isPoints() ? finder : SeriesFinder.none();
    Plan plan = planner.plan(route, applicable, budget);
    memory.grow(plan.path().heldBytes());
    return plan;
  }

  /**
   * The rows of points that a query would read, in all hours of its range, without limits. Throws
   * as {@link #run} does.
   */
  public RowSelection select(Query query) {
    return select(query, RequestBudget.unlimited());
  }

  /** As {@link #select(Query)}, for a request, which is checked at each row. */
  public RowSelection select(Query query, RequestBudget budget) {
    // Deletion combines nothing.
    Query rows = query.aggregate(Aggregator.NONE).rate(null);
    Plan plan = planner.plan(tables.points(rows), SeriesFinder.none(), budget);
    if (plan.isEmpty()) {
      return new RowSelection(List.of(), row -> false);
    }
    return new RowSelection(
        plan.allScans(),
        row -> {
          budget.check();
          return !keys.isSeriesRow(row) || plan.passes(keys.tsuid(row));
        });
  }

  /** Whether a query reads only the data table. */
  public boolean isOfPoints(Query query) {
    return tables.segments(query).stream()
        .flatMap(segment -> segment.sources().stream())
        .allMatch(route -> route.source().isPoints());
  }

  /** Ends the threads that read. */
  @Override
  public void close() {
    threads.close();
  }

  /** The groups of a query as result series. */
  private final class Answer implements SeriesCursor {
    private final QueryBatch batch;
    private final QueryRun run;
    private final Queue<ResultSeries> ofGroup = new ArrayDeque<>(1);

    /** The group of the series returned last. */
    private @Nullable GroupResult group;

    Answer(QueryBatch batch, QueryRun run) {
      this.batch = batch;
      this.run = run;
    }

    @Override
    public @Nullable ResultSeries next() {
      while (ofGroup.isEmpty()) {
        if (group != null) {
          group.close();
        }
        group = batch.groups(run).poll();
        if (group == null) {
          batch.finish(run);
          return null;
        }
        run.use().check();
        addResults(run.query(), group, ofGroup);
      }
      return ofGroup.remove();
    }

    @Override
    public Corruption corruption() {
      return run.corruption();
    }

    @Override
    public RunningQuery use() {
      return run.use().snapshot();
    }

    @Override
    public void cancel(String reason) {
      run.use().budget().cancel(reason);
    }

    @Override
    public void close() {
      batch.close(run);
    }
  }

  /** A group is one series, or of histograms several. */
  private void addResults(Query query, GroupResult group, Queue<ResultSeries> into) {
    List<SeriesState> members = group.members();
    GroupTags tags = GroupTags.of(members, keys, uids);
    String metric = uids.name(UidKind.METRIC, keys.metricOfTsuid(members.get(0).tsuid()));
    boolean alone = members.size() == 1; // as of most results, and of most queries
    List<String> tsuids =
        alone
            ? List.of(HEX.formatHex(members.get(0).tsuid()))
            : members.stream()
                .map(series -> HEX.formatHex(series.tsuid()))
                .distinct()
                .sorted()
                .toList();
    List<byte[]> annotations =
        alone
            ? List.copyOf(members.get(0).annotations())
            : members.stream().flatMap(series -> series.annotations().stream()).toList();
    HistogramView view = query.source().histograms();
    if (view == null) {
      into.add(
          new ResultSeries(
              metric,
              tags.equal(),
              tags.differing(),
              tsuids,
              annotations,
              group.points(),
              group.from(),
              group.to()));
      return;
    }
    for (HistogramSeries one : HistogramSeries.of(group.histograms().all(), view)) {
      into.add(
          new ResultSeries(
              metric + one.suffix(),
              tags.equal(),
              tags.differing(),
              tsuids,
              annotations,
              one.points(),
              0,
              one.points().size()));
    }
  }
}
