package org.hourstone.query;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.hourstone.query.Explanation.Origin;
import org.hourstone.query.Explanation.Value;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.jspecify.annotations.Nullable;

/** Explains how a query is run, by running it. */
final class Explainer {
  private final QueryRun run;
  private final Planner planner;
  private final Function<Query, SeriesCursor> answering;

  /**
   * @param answering runs another query
   */
  Explainer(QueryRun run, Planner planner, Function<Query, SeriesCursor> answering) {
    this.run = run;
    this.planner = planner;
    this.answering = answering;
  }

  List<Explanation.Part> parts() {
    List<Explanation.Part> parts = new ArrayList<>();
    for (QueryRun.Segment span : run.spans()) {
      for (ScanPlan way : span.ways()) {
        parts.add(part(span, way));
        if (run.isTaken(way)) {
          break;
        }
      }
    }
    return parts;
  }

  private Explanation.Part part(QueryRun.Segment span, ScanPlan way) {
    List<String> byKey = new ArrayList<>();
    List<String> byName = new ArrayList<>();
    for (TagFilter filter : way.query().filters()) {
      String text = filter.tagk() + "=" + filter.type().requestName() + "(" + filter.text() + ")";
      (planner.isByName(filter) ? byName : byKey).add(text);
    }
    AccessPath chosen = way.plan().chosen();
    return new Explanation.Part(
        way.source().name(),
        way.family().toString(),
        span.fromMillis(),
        span.toMillis(),
        way.plan().range().startSeconds(),
        way.plan().range().stopSeconds(),
        way.keys().schema().distinctSalts(),
        byKey,
        byName,
        chosen instanceof AccessPath.Picked picked ? picked.tsuids().size() : -1,
        chosen.why(),
        SliceCutting.of(way).downsamples(),
        run.isTaken(way));
  }

  /** Where the value of a result series comes from. */
  Value value(ResultSeries series, long millis) {
    List<Origin> origins = new ArrayList<>();
    ScanPlan way = way(millis);
    if (way != null) {
      series.tsuids().forEach(tsuid -> origins.add(origin(way, tsuid, millis)));
    }
    return new Value(series.metric(), series.tags(), millis, text(series, millis), origins);
  }

  private @Nullable ScanPlan way(long millis) {
    for (QueryRun.Segment span : run.spans()) {
      if (millis >= span.fromMillis() && millis <= span.toMillis()) {
        for (ScanPlan way : span.ways()) {
          if (run.isTaken(way)) {
            return way;
          }
        }
      }
    }
    return null;
  }

  private Origin origin(ScanPlan way, String tsuid, long millis) {
    ScanRange range = way.plan().range();
    Query points =
        Query.tsuids(List.of(tsuid))
            .aggregate(Aggregator.NONE)
            .betweenMillis(range.startSeconds() * 1000, range.stopSeconds() * 1000 - 1)
            .from(run.query().source());
    OriginSearch search = new OriginSearch(way.query(), range);
    try (SeriesCursor cursor = answering.apply(asStored(points, way))) {
      ResultSeries series = cursor.next();
      return series == null
          ? new Origin(tsuid, Explanation.Kind.NOTHING, List.of(), 0)
          : search.origin(tsuid, series, millis);
    }
  }

  /** The same, but of rolled-up values these, each by itself. */
  private Query asStored(Query points, ScanPlan way) {
    Downsample asked = run.query().downsample();
    long seconds = way.source().intervalSeconds();
    if (seconds == 0 || asked == null) {
      return points.from(points.source().withRollups(RollupUsage.RAW));
    }
    Downsample each = Downsample.parse(seconds + "s-" + asked.aggregator().requestName());
    return points.downsample(each).from(points.source().withRollups(RollupUsage.NOFALLBACK));
  }

  private static @Nullable String text(ResultSeries series, long millis) {
    for (int i = 0; i < series.size(); i++) {
      if (series.millis(i) == millis) {
        return series.text(i);
      }
    }
    return null;
  }
}
