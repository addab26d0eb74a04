package org.hourstone.query;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.hourstone.codec.RowKey;
import org.hourstone.error.RequestException;
import org.hourstone.index.SeriesIndex;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/** Runs queries on one data table. Thread-safe. */
public final class QueryEngine implements AutoCloseable {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final RowKey keys;
  private final UidTable uids;
  private final QueryOptions options;
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
    this.tables = new TablePlanner(sources, options, clock);
    this.finder = new IndexedSeries(index, keys);
    this.planner = new Planner(sources, options, uids);
    // Other processes may write without knowing of the index.
    this.scanned = shared ? index::observed : tsuids -> {};
    this.threads = new QueryThreads(options.threads());
    this.running =
        new RunningQueries(options.limits(), clock, new SlowQueries(options.slowMillis()));
  }

  /** The queries that are running. */
  public RunningQueries running() {
    return running;
  }

  /**
   * Runs a query. Its rows are read before this returns.
   *
   * @throws org.hourstone.uid.NoSuchNameException if the metric, a tag name or a tag value it names
   *     is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is corrupt and corruption is not
   *     skipped, or if it has conflicting points; naming the row
   * @throws QueryLimitException if it exceeds a limit
   * @throws QueryCancelledException if it was cancelled
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public SeriesCursor run(Query query) {
    QueryRun run = prepare(query);
    run.groups();
    return new Answer(run);
  }

  /**
   * Runs several queries at once.
   *
   * @return one cursor for each query, in their order; all must be closed. A failure to read rows
   *     is thrown when the first series is requested
   * @throws org.hourstone.uid.NoSuchNameException if a name in one of them is unknown
   */
  public List<SeriesCursor> runAll(List<Query> queries) {
    List<QueryRun> runs = new ArrayList<>();
    try {
      for (Query query : queries) {
        runs.add(prepare(query));
      }
    } catch (RuntimeException | Error e) {
      runs.forEach(QueryRun::close);
      throw e;
    }
    if (runs.size() > 1) {
      runs.forEach(QueryRun::start);
    }
    return runs.stream().map(run -> (SeriesCursor) new Answer(run)).toList();
  }

  /**
   * Runs a query and explains how that was done. Throws as {@link #run} does.
   *
   * @param at the timestamp of the values whose origins are listed; null for none
   * @throws RequestException if the origins of histograms are requested
   */
  public Explanation explain(Query query, @Nullable Instant at) {
    if (at != null && query.source().histograms() != null) {
      throw new RequestException("the origins of histogram values can't be listed");
    }
    QueryRun run = prepare(query);
    try (SeriesCursor answer = new Answer(run)) {
      Explainer explainer = new Explainer(run, planner, this::run);
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
          options.threads(),
          options.limits(),
          new Explanation.Cost(used.rows(), used.bytes(), used.points(), used.series(), null),
          values);
    }
  }

  private QueryRun prepare(Query query) {
    QueryContext use = running.begin(query);
    try {
      RegexBudget budget = use.regexBudget();
      List<Segment<Plan>> segments =
          tables.segments(query).stream()
              .map(segment -> segment.map(route -> plan(route, budget)))
              .toList();
      return new QueryRun(query, segments, use, threads, scanned);
    } catch (RuntimeException | Error e) {
      use.close();
      throw e;
    }
  }

  private Plan plan(Route route, RegexBudget budget) {
    // The index of the series in the data table need not apply to other tables.
    return planner.plan(route, route.source().isPoints() ? finder : SeriesFinder.none(), budget);
  }

  /**
   * The rows of points a query would read, all of the hours that it touches. Throws as {@link #run}
   * does.
   */
  public RowSelection select(Query query) {
    RegexBudget unlimited = new RegexBudget(Long.MAX_VALUE);
    Plan plan = planner.plan(tables.points(query), SeriesFinder.none(), unlimited);
    if (plan.isEmpty()) {
      return new RowSelection(List.of(), row -> false);
    }
    return new RowSelection(
        plan.allScans(), row -> !keys.isSeriesRow(row) || plan.passes(keys.tsuid(row)));
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
    private final QueryRun run;
    private final Queue<ResultSeries> ofGroup = new ArrayDeque<>();

    /** The group of the series returned last. */
    private @Nullable GroupResult group;

    Answer(QueryRun run) {
      this.run = run;
    }

    @Override
    public @Nullable ResultSeries next() {
      while (ofGroup.isEmpty()) {
        if (group != null) {
          group.close();
        }
        group = run.groups().poll();
        if (group == null) {
          run.close();
          return null;
        }
        run.use().check();
        addResults(run.query(), group, ofGroup);
      }
      return ofGroup.remove();
    }

    @Override
    public Corruption damage() {
      return run.damage();
    }

    @Override
    public RunningQuery use() {
      return run.use().snapshot();
    }

    @Override
    public void cancel(String reason) {
      run.use().cancel(reason);
    }

    @Override
    public void close() {
      run.close();
    }
  }

  /** A group is one series, or of histograms several. */
  private void addResults(Query query, GroupResult group, Queue<ResultSeries> into) {
    List<SeriesState> members = group.members();
    GroupTags tags = GroupTags.of(members, keys, uids);
    String metric = uids.name(UidKind.METRIC, keys.metricOfTsuid(members.get(0).tsuid()));
    List<String> tsuids =
        members.stream().map(series -> HEX.formatHex(series.tsuid())).distinct().sorted().toList();
    List<byte[]> notes = members.stream().flatMap(series -> series.notes().stream()).toList();
    HistogramView view = query.source().histograms();
    if (view == null) {
      into.add(
          new ResultSeries(
              metric,
              tags.equal(),
              tags.differing(),
              tsuids,
              notes,
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
              notes,
              one.points(),
              0,
              one.points().size()));
    }
  }
}
