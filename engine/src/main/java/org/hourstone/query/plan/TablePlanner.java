package org.hourstone.query.plan;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.histogram.HistogramRowDecoder;
import org.hourstone.kv.Family;
import org.hourstone.query.Query;
import org.hourstone.query.QueryOptions;
import org.hourstone.query.RollupDialect;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.TagFilter;
import org.hourstone.query.rows.DataRowValues;
import org.hourstone.query.rows.DecodedCells;
import org.hourstone.query.rows.HistogramRowValues;
import org.hourstone.query.rows.RolledPart;
import org.hourstone.query.rows.RollupRowValues;
import org.hourstone.query.rows.Route;
import org.hourstone.query.rows.RowSource;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.query.rows.SpareDecoder;
import org.hourstone.rollup.HourRange;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Buckets;
import org.hourstone.series.Downsample;
import org.jspecify.annotations.Nullable;

/** Decides which tables a query reads. Thread-safe. */
public final class TablePlanner {
  /** The column family of all tables of values. */
  private static final String FAMILY = "t";

  /** Fewer hours are read as points, which takes no longer, unless these may have expired. */
  private static final long LEAST_ROLLED = 2 * Timestamps.ROW_SECONDS;

  private final QuerySources sources;
  private final QueryOptions options;
  private final SpareDecoder decoder;
  private final DecodedCells cells;
  private final InstantSource clock;

  public TablePlanner(
      QuerySources sources, QueryOptions options, DecodedCells cells, InstantSource clock) {
    this.sources = sources;
    this.options = options;
    this.decoder = new SpareDecoder(options.cells());
    this.cells = cells;
    this.clock = clock;
  }

  /**
   * The segments of the query's range, in time order.
   *
   * @throws RequestException if histograms or rolled-up values don't support the query; the message
   *     has the reason
   */
  public List<Segment<Route>> segments(Query query) {
    if (query.source().histograms() != null) {
      return List.of(whole(query, List.of(histograms(query))));
    }
    RolledPart own = rolledPart(query);
    if (own != null) {
      return List.of(whole(query, List.of(points(query).rolled(own))));
    }
    RollupReading rollups = sources.rollups();
    if (rollups == null) {
      if (query.source().preAggregate()) {
        throw new RequestException("pre-aggregates are not configured (tsd.rollups.enable=false)");
      }
      return List.of(whole(query, List.of(points(query))));
    }
    Query meant = rollups.dialect().meant(query, rollups.config());
    List<RollupInterval> intervals = intervals(meant, rollups);
    if (intervals.isEmpty()) {
      return List.of(whole(meant, List.of(points(meant, rollups))));
    }
    return segments(meant, intervals, rollups);
  }

  /** What can be read from rollups of our own with the same result; null if that is too little. */
  private @Nullable RolledPart rolledPart(Query query) {
    Downsample downsample = query.downsample();
    OwnRollups own = sources.own();
    if (own == null
        || downsample == null
        || downsample.isAll()
        || downsample.countsFromFirstPoint()
        || query.source().preAggregate()
        || query.source().rollups() == RollupUsage.RAW) {
      return null;
    }
    List<String> stored =
        switch (downsample.aggregator()) {
          case SUM, ZIMSUM, PFSUM -> List.of("sum");
          case COUNT -> List.of("count");
          case MIN, MIMMIN -> List.of("min");
          case MAX, MIMMAX -> List.of("max");
          case AVG -> List.of("sum", "count");
          default -> List.of();
        };
    HourRange done = own.hours().done();
    ScanRange needed = points(query).range();
    HourRange hours = new HourRange(needed.startSeconds(), needed.stopSeconds());
    long expired =
        Math.max(
            own.hours().expiredBefore(), own.expired().mayContainBefore() + Timestamps.ROW_SECONDS);
    for (RollupInterval interval : own.plan().longestFirst()) {
      HourRange part =
          own.plan()
              .usable(interval, done)
              .within(hours)
              .inWhole(Math.max(interval.seconds(), Timestamps.ROW_SECONDS));
      boolean divides = downsample.intervalMillis() % (interval.seconds() * 1000) == 0;
      if (!stored.isEmpty()
          && divides
          && RollupDialect.HOURSTONE.fits(interval, downsample, hours.from(), hours.until())
          && !part.isEmpty()
          && (part.until() - part.from() >= LEAST_ROLLED || part.from() < expired)) {
        return new RolledPart(
            interval,
            part,
            downsample.aggregator(),
            stored,
            Collections.emptySortedMap(),
            Collections.emptySortedMap());
      }
    }
    return null;
  }

  private static Segment<Route> whole(Query query, List<Route> routes) {
    return new Segment<>(routes, query.startMillis(), query.endMillis());
  }

  /** Reads the time that is not rolled up yet as points, in whole buckets. */
  private List<Segment<Route>> segments(
      Query query, List<RollupInterval> intervals, RollupReading rollups) {
    Downsample downsample = query.downsample();
    long sla = intervals.get(0).delaySla();
    long rolledUp = clock.millis() - sla * 1000;
    if (!rollups.split() || sla == 0 || downsample == null || query.endMillis() <= rolledUp) {
      return List.of(whole(query, rolledUp(query, intervals, rollups)));
    }
    long split = Buckets.start(downsample, rolledUp);
    if (split - 1 <= query.startMillis()) {
      return List.of(whole(query, List.of(points(query, rollups))));
    }
    Query before = query.betweenMillis(query.startMillis(), split - 1);
    // A rate needs the bucket before.
    long from = query.rate() == null ? split : Buckets.start(downsample, split - 1);
    Query after = query.betweenMillis(from, query.endMillis());
    return List.of(
        new Segment<>(rolledUp(before, intervals, rollups), query.startMillis(), split - 1),
        new Segment<>(List.of(points(after, rollups)), split, query.endMillis()));
  }

  private List<Route> rolledUp(Query query, List<RollupInterval> intervals, RollupReading rollups) {
    List<Route> routes = new ArrayList<>();
    RollupUsage usage = query.source().rollups();
    int most = usage == RollupUsage.FALLBACK ? intervals.size() : 1;
    for (RollupInterval interval : intervals.subList(0, most)) {
      routes.add(rolledUp(query, interval, rollups));
    }
    if (usage == RollupUsage.FALLBACK || usage == RollupUsage.FALLBACK_RAW) {
      routes.add(points(query, rollups));
    }
    return routes;
  }

  /**
   * The intervals from which the query's buckets can be computed, longest first; empty for points.
   */
  private List<RollupInterval> intervals(Query query, RollupReading rollups) {
    Downsample downsample = query.downsample();
    List<RollupInterval> intervals = new ArrayList<>();
    if (downsample == null || query.source().rollups() == RollupUsage.RAW) {
      return intervals;
    }
    ScanRange needed = points(query).range();
    for (RollupInterval interval : rollups.config().dividing(downsample.intervalMillis())) {
      if (interval.isDefault()) {
        break; // shorter intervals are not less exact
      }
      if (rollups
          .dialect()
          .fits(interval, downsample, needed.startSeconds(), needed.stopSeconds())) {
        intervals.add(interval);
      }
    }
    return intervals;
  }

  private Route rolledUp(Query asked, RollupInterval interval, RollupReading rollups) {
    Downsample downsample = asked.downsample();
    if (downsample == null) {
      throw new IllegalStateException("rolled-up values without downsampling");
    }
    Aggregator by = downsample.aggregator();
    List<String> stored = rollups.dialect().stored(by, rollups.config());
    boolean readable = by != Aggregator.AVG || rollups.dialect().readsAverages(rollups.config());
    boolean adds = by == Aggregator.AVG || by == Aggregator.COUNT;
    Query query = adds ? asked.downsample(downsample.withAggregator(Aggregator.SUM)) : asked;
    boolean preAggregate = query.source().preAggregate();
    String table = preAggregate ? interval.preAggregationTable() : interval.table();
    RowSource source =
        RowSource.ofRollups(
            (preAggregate ? "pre-aggregates, rollup " : "rollup ") + interval.name(),
            new Family(table, FAMILY),
            interval,
            by == Aggregator.AVG,
            corruption ->
                readable
                    ? new RollupRowValues(
                        rollups.config(),
                        interval,
                        stored,
                        options.cells().duplicates(),
                        corruption)
                    : (rows, base, into) -> rollups.config().idOf(by.requestName()));
    Query selecting = preAggregate ? ofAggregate(query, rollups) : query;
    return rollups.dialect().completesLastBucket()
        ? Route.of(source, selecting, options.nominalHours())
        : Route.of(source, selecting, ScanRange.nominalOfRollups(query, interval));
  }

  /** The points of the data table. */
  public Route points(Query asked) {
    RowSource source =
        RowSource.ofDataTable(
            "points",
            sources.points(),
            corruption -> new DataRowValues(decoder, cells, corruption, sources.listener()));
    return hourly(source, asked);
  }

  /** Reads rows of an hour. */
  private Route hourly(RowSource source, Query query) {
    return options.nominalHours()
        ? Route.of(
            source,
            query,
            ScanRange.nominal(query.startMillis(), query.endMillis(), query.downsample()))
        : Route.of(source, query, false);
  }

  /** Points, or pre-aggregates without an interval, which are stored as points are. */
  private Route points(Query asked, RollupReading rollups) {
    if (!asked.source().preAggregate()) {
      return points(asked);
    }
    Family family = new Family(rollups.config().defaultInterval().preAggregationTable(), FAMILY);
    RowSource source =
        RowSource.ofPreAggregates(
            "pre-aggregates",
            family,
            corruption -> new DataRowValues(decoder, cells, corruption, row -> {}));
    return hourly(source, ofAggregate(asked, rollups));
  }

  /** Selects only values aggregated as the query does, unless the query selects them itself. */
  private static Query ofAggregate(Query query, RollupReading rollups) {
    String tagk = rollups.tagKey();
    if (!rollups.dialect().selectsAggregates()
        || query.series().isByTsuid()
        || query.aggregator() == Aggregator.NONE
        || query.filters().stream().anyMatch(filter -> filter.tagk().equals(tagk))) {
      return query;
    }
    String aggregation = query.aggregator().requestName().toUpperCase(Locale.ROOT);
    return query.filter(new TagFilter(TagFilter.Type.LITERAL_OR, tagk, aggregation, false));
  }

  private Route histograms(Query asked) {
    if (sources.histograms().isEmpty()) {
      throw HistogramCodecs.noneConfigured();
    }
    refuseUnless(
        asked.aggregator() == Aggregator.SUM || asked.aggregator() == Aggregator.NONE,
        "Only NONE or SUM aggregation function supported for histogram query");
    Downsample downsample = asked.downsample();
    refuseUnless(
        downsample == null || downsample.aggregator() == Aggregator.SUM,
        "Only SUM downsampling aggregation supported for histogram query");
    refuseUnless(asked.rate() == null, "histograms have no rate");
    refuseUnless(!asked.source().preAggregate(), "there are no pre-aggregates of histograms");
    HistogramRowDecoder decoder = new HistogramRowDecoder(sources.histograms());
    RowSource source =
        RowSource.ofDataTable(
            "histograms",
            sources.points(),
            corruption -> new HistogramRowValues(decoder, asked, corruption));
    Route route = hourly(source, asked);
    return new Route(source, asked.downsample((Downsample) null), route.range(), route.own(), null);
  }

  private static void refuseUnless(boolean possible, String why) {
    if (!possible) {
      throw new RequestException(why);
    }
  }
}
