package org.hourstone.tsd.command;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.hourstone.QuerySettings;
import org.hourstone.Tsdb;
import org.hourstone.api.request.PlotStyle;
import org.hourstone.expression.ExpressionDialect;
import org.hourstone.expression.ExpressionEngine;
import org.hourstone.expression.SeriesExpression;
import org.hourstone.query.Corruption;
import org.hourstone.query.Query;
import org.hourstone.query.QueryDialect;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RunningQuery;
import org.hourstone.query.SeriesCursor;
import org.hourstone.tool.Admin;
import org.hourstone.tsd.session.SessionCommand;
import org.hourstone.tsd.session.SimilarNames;
import org.hourstone.tsd.session.UsageException;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.view.ChartView;
import org.hourstone.tsd.view.CsvView;
import org.hourstone.tsd.view.ExplainView;
import org.hourstone.tsd.view.GraphView;
import org.hourstone.tsd.view.JsonView;
import org.hourstone.tsd.view.SeriesView;
import org.hourstone.tsd.view.TableView;
import org.hourstone.uid.NoSuchNameException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code query}. */
@Command(
    name = "query",
    parameterListHeading = "",
    customSynopsis = "hourstone query [OPTIONS] START [END] EXPRESSION…",
    description = {
      "Shows the points of series, or of groups of series, as a table, a chart, a picture, CSV or"
          + " JSON.",
      "",
      "START and END are: now, 1h-ago (ms, s, m, h, d, w, n for 30 days, y), 2014-02-14,"
          + " 2014-02-14T10:30:00Z, 2014/02/14, 2014/02/14-10:30, or seconds or milliseconds since"
          + " 1970. END defaults to now.",
      "",
      "Dates, calendar days and the times shown are in the time zone of --timezone, by default"
          + " that of tsd.core.timezone or the system.",
      "",
      "EXPRESSION is AGGREGATOR:[rate:][DOWNSAMPLING:]METRIC[{TAG=FILTER,…}[{TAG=FILTER,…}]], as"
          + " in OpenTSDB's parameter m. AGGREGATOR is sum, min, max, avg, count, p99 and"
          + " others, or"
          + " none (every series by itself). DOWNSAMPLING is an interval, an aggregator and"
          + " optionally a fill policy, such as 5m-avg or 1dc-sum-nan. rate{counter,MAX,RESET} is"
          + " for counters. FILTER is a value, a|b, * or a pattern with *, or TYPE(…); the tags in"
          + " the first braces make a group of each of their values, those in the second only"
          + " select.",
      "",
      "The same in words: AGGREGATOR [rate [counter,MAX,RESET]] [downsample INTERVAL AGGREGATOR]"
          + " METRIC [TAG=FILTER]…",
      "",
      "EXPRESSION may also be a function of such queries, such as scale(…,2), movingAverage(…,10),"
          + " highestMax(…,3) or divideSeries(…,…); their results are shown last."
    },
    footer = {
      "  hourstone query 1h-ago 'avg:1m-avg:sys.cpu.user{host=*}'",
      "  hourstone query 1d-ago 'sum:1h-avg:rate{counter}:net.bytes{}{dc=lga}' --chart",
      "  hourstone query 2014/02/14 2014/02/15 'none:aws.ec2.cpu_utilization' --json",
      "  hourstone query 2013/12/01 2014/02/20 'avg:6h-avg:machine.temperature' --chart",
      "  hourstone query 1h-ago 'highestMax(avg:1m-avg:sys.cpu.user{host=*},3)'"
    })
public final class QueryCommand extends SessionCommand {
  /** See {@link #whenInUse}. */
  static final String DELETED_BY_DAEMON =
      "if that is a daemon, its DELETE /api/query deletes points if "
          + QuerySettings.ALLOW_DELETE.key()
          + " is true; or stop it first";

  private static final int MIN_WIDTH = 20;
  private static final int MAX_SIZE = 10_000;

  @ArgGroup @Nullable Form form;

  @Option(
      names = "--ms",
      description =
          "JSON: timestamps in milliseconds. Without it the points of one second get the same"
              + " key, as in OpenTSDB.")
  boolean millis;

  @Option(names = "--arrays", description = "JSON: points as arrays of timestamp and value.")
  boolean arrays;

  @Option(names = "--show-tsuids", description = "JSON: the TSUIDs of the series of each group.")
  boolean showTsuids;

  @Option(
      names = "--delete",
      description =
          "Deletes the points of the series in the range, both ends inclusive, instead of showing"
              + " them; aggregator and downsampling have no effect. There is no confirmation.")
  boolean delete;

  @Option(
      names = "--explain",
      description =
          "Explains how the query is executed instead of showing its result: which rows are"
              + " read, how series are found, and the cost.")
  boolean explain;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "With --explain: the points from which the values at this timestamp are" + " computed.")
  @Nullable String at;

  @Option(
      names = "--width",
      paramLabel = "COLUMNS",
      description = "Chart: width. Default: that of the terminal. Graph: in pixels; 1024.")
  @Nullable Integer width;

  @Option(
      names = "--height",
      paramLabel = "ROWS",
      description = "Chart: height of the plot of each series. Graph: in pixels; 576.")
  @Nullable Integer height;

  @Parameters(hidden = true)
  List<String> words = new ArrayList<>();

  /** The output format: at most one of these options; a table if none is given. */
  static final class Form {
    @Option(names = "--json", description = "Shows the JSON that OpenTSDB's /api/query returns.")
    boolean json;

    @Option(
        names = "--csv",
        description =
            "Shows lines of metric, timestamp, value and tags, in the format of import --csv.")
    boolean csv;

    @Option(names = "--chart", description = "Shows a plot of each series.")
    boolean chart;

    @Option(
        names = "--graph",
        paramLabel = "FILE",
        description = "Draws all series in this PNG file; .png is appended if missing.")
    @Nullable Path graph;
  }

  @Override
  public String whenInUse() {
    return DELETED_BY_DAEMON;
  }

  @Override
  protected boolean run() {
    ZoneId zone = session().settings().options().timeZone();
    ZoneId days = daysZone(zone);
    SeriesView view = view(zone);
    QueryDialect requests = session().settings().options().queryDialect();
    QueryWords.Range range = QueryWords.range(words, session().clock(), zone, requests);
    List<Query> queries =
        QueryWords.queries(of(range, word -> !QueryWords.isFunction(word)), requests, days);
    List<String> functionTexts = of(range, QueryWords::isFunction).words();
    if (!functionTexts.isEmpty() && (delete || explain)) {
      throw new UsageException(
          "--delete and --explain apply to queries, not to functions: " + functionTexts.get(0));
    }
    if (delete) {
      return delete(queries);
    }
    if (explain || at != null) {
      return explain(queries, zone);
    }
    ExpressionDialect dialect = ExpressionDialect.of(session().settings().options());
    List<SeriesExpression> functions =
        functionTexts.stream().map(text -> SeriesExpression.parse(text, dialect)).toList();
    try (Tsdb db = session().store().openToRead()) {
      session().status().show(() -> pointsRead(db));
      List<Asked> asked = new ArrayList<>();
      queries.forEach(query -> asked.add(new Asked(query, () -> db.query(query))));
      functions.forEach(
          function ->
              asked.add(
                  new Asked(
                      null,
                      () -> functionsOf(db, days).evaluate(function, range.start(), range.end()))));
      Counted counted = new Counted(view);
      boolean whole;
      try {
        whole = isWhole(show(asked, counted));
      } catch (NoSuchNameException e) {
        throw SimilarNames.of(e, db.uids());
      }
      if (counted.points == 0 && !queries.isEmpty()) {
        showHours(db, queries.get(0), zone);
      }
      return whole;
    }
  }

  private static String pointsRead(Tsdb db) {
    long points = db.runningQueries().list().stream().mapToLong(RunningQuery::points).sum();
    return Plurals.count(points, "point") + " read";
  }

  /** If the range has no points, shows the time range that has some. */
  private void showHours(Tsdb db, Query query, ZoneId zone) {
    out().flush(); // the reason comes after the result
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssXXX", Locale.ROOT).withZone(zone);
    Admin.of(db)
        .storedHours(query)
        .ifPresent(
            hours ->
                session()
                    .report(
                        "no points in this time range: the series have points between "
                            + format.format(Instant.ofEpochSecond(hours.first()))
                            + " and "
                            + format.format(Instant.ofEpochSecond(hours.end()))));
  }

  /** A view that counts its points. */
  private static final class Counted implements SeriesView {
    private final SeriesView view;
    private long points;

    Counted(SeriesView view) {
      this.view = view;
    }

    @Override
    public void begin(@Nullable Query query) {
      view.begin(query);
    }

    @Override
    public void add(ResultSeries series) {
      points += series.size();
      view.add(series);
    }

    @Override
    public void finish() {
      view.finish();
    }
  }

  /** The zone of calendar intervals. */
  private ZoneId daysZone(ZoneId zone) {
    return session().settings().hasTimeZone()
        ? zone
        : session().settings().options().queryDialect().calendarZone(zone);
  }

  private static ExpressionEngine functionsOf(Tsdb db, ZoneId days) {
    return ExpressionEngine.of(db, query -> QueryWords.inZone(query, days));
  }

  private boolean explain(List<Query> queries, ZoneId zone) {
    if (!explain || form != null) {
      throw new UsageException(
          "--at requires --explain; --json, --csv, --chart and --graph can't be combined with it");
    }
    try (Tsdb db = session().store().openToRead()) {
      ExplainView view = new ExplainView(out(), zone);
      String time = at;
      for (Query query : queries) {
        view.show(
            time == null
                ? db.explain(query)
                : db.explain(
                    query, Instant.ofEpochMilli(session().settings().time("--at", time, 0))));
      }
      return true;
    }
  }

  private static QueryWords.Range of(QueryWords.Range range, Predicate<String> words) {
    return new QueryWords.Range(
        range.start(), range.end(), range.words().stream().filter(words).toList());
  }

  private boolean delete(List<Query> queries) {
    if (form != null || explain || at != null) {
      throw new UsageException(
          "--delete shows no points: --json, --csv, --chart, --graph and --explain can't be"
              + " combined with it");
    }
    try (Tsdb db = session().store().openExisting()) {
      long deleted = 0;
      for (Query query : queries) {
        deleted += db.delete(query);
      }
      out().line(Plurals.count(deleted, "point") + " deleted");
      return true;
    }
  }

  /** Reports skipped data; returns whether no data was skipped. */
  private boolean isWhole(List<Corruption> corruptions) {
    boolean whole = true;
    for (Corruption corruption : corruptions) {
      whole &= corruption.count() == 0;
      corruption.first().forEach(what -> session().report("skipped: " + what));
      long more = corruption.count() - corruption.first().size();
      if (more > 0) {
        session().report("skipped: " + Plurals.number(more) + " more");
      }
    }
    return whole;
  }

  private static int pixels(String option, @Nullable Integer given, int otherwise) {
    return size(option, given, otherwise, PlotStyle.MIN_PIXELS, PlotStyle.MAX_PIXELS);
  }

  private SeriesView view(ZoneId zone) {
    boolean json = form != null && form.json;
    boolean chart = form != null && form.chart;
    if (!json && (millis || arrays || showTsuids)) {
      throw new UsageException("--ms, --arrays and --show-tsuids require --json");
    }
    Path graph = form == null ? null : form.graph;
    if (!chart && graph == null && (width != null || height != null)) {
      throw new UsageException("--width and --height require --chart or --graph");
    }
    if (graph != null) {
      return new GraphView(
          out(),
          graph,
          PlotStyle.of(
              pixels("--width", width, PlotStyle.WIDTH),
              pixels("--height", height, PlotStyle.HEIGHT),
              zone));
    }
    if (form != null && form.csv) {
      return new CsvView(out(), zone);
    }
    if (json) {
      return new JsonView(out(), millis, arrays, showTsuids);
    }
    if (chart) {
      int columns = size("--width", width, session().streams().columns(), MIN_WIDTH, MAX_SIZE);
      size("--height", height, 1, 1, MAX_SIZE);
      return new ChartView(out(), zone, columns, height);
    }
    return new TableView(out(), zone);
  }

  private static int size(
      String option, @Nullable Integer given, int otherwise, int least, int most) {
    int size = given == null ? otherwise : given;
    if (size < least || size > most) {
      throw new UsageException(option + " " + size + ": must be " + least + " to " + most);
    }
    return size;
  }

  /**
   * A query of the command line.
   *
   * @param query the query; null for a function of queries
   * @param answer starts its execution
   */
  record Asked(@Nullable Query query, Supplier<SeriesCursor> answer) {}

  /**
   * Shows the results. All queries are started before the first result is shown, so that a wrong
   * name does not truncate the output.
   *
   * @return the skipped data of each query
   */
  static List<Corruption> show(List<Asked> asked, SeriesView view) {
    Deque<SeriesCursor> answers = new ArrayDeque<>();
    List<Corruption> corruptions = new ArrayList<>();
    try {
      asked.forEach(each -> answers.add(each.answer().get()));
      for (Asked each : asked) {
        view.begin(each.query());
        try (SeriesCursor answer = answers.remove()) {
          answer.forEach(view::add);
          corruptions.add(answer.corruption());
        }
      }
    } finally {
      answers.forEach(SeriesCursor::close);
    }
    view.finish();
    return corruptions;
  }
}
