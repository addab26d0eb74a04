package org.hourstone.query;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/** Answers queries over one data table. Thread-safe. */
public final class QueryEngine implements AutoCloseable {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final KeyValueReader store;
  private final Family family;
  private final RowKey keys;
  private final UidTable uids;
  private final QueryOptions options;
  private final RowListener listener;
  private final Planner planner;
  private final QueryThreads threads;
  private final RunningQueries running;

  /**
   * @param family the data table's
   * @param listener is told of every row that is read
   */
  public QueryEngine(
      KeyValueReader store,
      Family family,
      RowKey keys,
      UidTable uids,
      QueryOptions options,
      RowListener listener,
      InstantSource clock) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    this.uids = uids;
    this.options = options;
    this.listener = listener;
    this.planner = new Planner(uids, keys, options.filters(), SeriesFinder.none());
    this.threads = new QueryThreads(options.threads());
    this.running =
        new RunningQueries(options.limits(), clock, new SlowQueries(options.slowMillis()));
  }

  /** The queries that are being answered. */
  public RunningQueries running() {
    return running;
  }

  /**
   * Answers a query. Its rows are read before this returns.
   *
   * @throws org.hourstone.uid.NoSuchNameException if the metric, a tag name or a tag value it names
   *     is unknown
   * @throws org.hourstone.codec.CorruptDataException if a row is damaged, and damage is not to be
   *     passed over, or if it has conflicting points; naming it
   * @throws QueryLimitException if it uses more than is allowed
   * @throws QueryCancelledException if it was ended before
   * @throws org.hourstone.kv.StoreException if the store fails
   */
  public SeriesCursor run(Query query) {
    QueryRun run = prepare(query);
    run.groups();
    return new Answer(run);
  }

  /**
   * Answers several queries at once.
   *
   * @return as many as queries, in their order; all must be closed. What goes wrong as rows are
   *     read is thrown as the first series is asked for
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

  private QueryRun prepare(Query query) {
    QueryUse use = running.begin(query);
    try {
      Plan plan = planner.plan(query, use.regexBudget());
      return new QueryRun(
          new ReadingPlan(store, family, keys, options, listener, query, plan, use), threads);
    } catch (RuntimeException | Error e) {
      use.close();
      throw e;
    }
  }

  /** The rows a query would read, all of the hours that it touches. Throws as {@link #run} does. */
  public RowSelection select(Query query) {
    RegexBudget unlimited = new RegexBudget(Long.MAX_VALUE);
    Plan plan = planner.plan(query, unlimited);
    Set<Bytes> picked = new HashSet<>();
    if (query.series().isByTsuid() && plan.chosen() instanceof ChosenSeries.Picked chosen) {
      chosen.tsuids().forEach(tsuid -> picked.add(new Bytes(tsuid)));
    }
    return new RowSelection(
        plan.scans(),
        row ->
            !keys.isSeriesRow(row)
                || (plan.passes(keys.tsuid(row))
                    && (picked.isEmpty() || picked.contains(new Bytes(keys.tsuid(row))))));
  }

  /** Ends the threads that read. */
  @Override
  public void close() {
    threads.close();
  }

  /** The groups of a query as the series of its answer. */
  private final class Answer implements SeriesCursor {
    private final QueryRun run;

    /** The memory of the series that was answered last. */
    private long takenBytes;

    Answer(QueryRun run) {
      this.run = run;
    }

    @Override
    public @Nullable ResultSeries next() {
      run.reading().use().hold(-takenBytes);
      takenBytes = 0;
      SeriesGroup group = run.groups().poll();
      if (group == null) {
        run.close();
        return null;
      }
      run.reading().use().check();
      takenBytes = group.pointBytes() + group.otherBytes();
      return result(run.reading().query(), group);
    }

    @Override
    public Damage damage() {
      return run.damage();
    }

    @Override
    public void close() {
      run.close();
    }
  }

  private ResultSeries result(Query query, SeriesGroup group) {
    PointColumn points = group.points();
    List<FoundSeries> members = group.members();
    GroupTags tags = GroupTags.of(members, keys, uids);
    int from = points.firstFrom(query.startMillis());
    int to = points.firstFrom(Math.addExact(Math.min(query.endMillis(), Long.MAX_VALUE - 1), 1));
    return new ResultSeries(
        uids.name(UidKind.METRIC, keys.metricOfTsuid(members.get(0).tsuid())),
        tags.equal(),
        tags.differing(),
        members.stream().map(series -> HEX.formatHex(series.tsuid())).sorted().toList(),
        members.stream().flatMap(series -> series.notes().stream()).toList(),
        points,
        from,
        to);
  }
}
