package org.hourstone.query.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.hourstone.query.Explanation;
import org.hourstone.query.Explanation.Origin;
import org.hourstone.query.Explanation.Value;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.RollupUsage;
import org.hourstone.query.SeriesCursor;
import org.hourstone.query.TagFilter;
import org.hourstone.query.plan.AccessPath;
import org.hourstone.query.plan.Plan;
import org.hourstone.query.plan.Planner;
import org.hourstone.query.plan.RolledLegs;
import org.hourstone.query.plan.Segment;
import org.hourstone.query.plan.SliceCutting;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.MemoryLease;
import org.jspecify.annotations.Nullable;

/** Explains how a query is run, by running it. */
final class Explainer {
  private static final int ORIGIN_BYTES = 200;
  private static final int POINT_BYTES = 100;

  private final QueryRun run;
  private final Planner planner;
  private final Function<Query, SeriesCursor> answering;
  private final RequestBudget budget;
  private final MemoryLease memory;

  /**
   * @param answering runs another query
   * @param budget of the request
   */
  Explainer(
      QueryRun run,
      Planner planner,
      Function<Query, SeriesCursor> answering,
      RequestBudget budget) {
    this.run = run;
    this.planner = planner;
    this.answering = answering;
    this.budget = budget;
    this.memory = budget.memory();
  }

  List<Explanation.Part> parts() {
    List<Explanation.Part> parts = new ArrayList<>();
    for (Segment<Plan> segment : run.segments()) {
      for (Plan plan : segment.sources()) {
        parts.addAll(parts(segment, plan));
        if (run.isTaken(plan)) {
          break;
        }
      }
    }
    return parts;
  }

  /** One, or one for each leg if the plan is rolled up in part. */
  private List<Explanation.Part> parts(Segment<Plan> segment, Plan plan) {
    try (MemoryLease marked = memory.child()) {
      RolledLegs legs =
          plan.route().rolled() == null ? null : RolledLegs.of(plan, marked, budget::check);
      return legs == null
          ? List.of(part(segment, plan, run.isTaken(plan)))
          : parts(segment, plan, legs);
    }
  }

  private List<Explanation.Part> parts(Segment<Plan> segment, Plan plan, RolledLegs legs) {
    List<Explanation.Part> parts = new ArrayList<>();
    long from = segment.fromMillis();
    for (RolledLegs.Leg leg : legs.legs()) {
      long to = Math.min(segment.toMillis(), leg.untilSeconds() * 1000 - 1);
      if (from <= to) {
        parts.add(part(new Segment<>(List.of(), from, to), leg.plan(), run.isTaken(plan)));
      }
      from = Math.max(from, leg.untilSeconds() * 1000);
    }
    return parts;
  }

  private Explanation.Part part(Segment<Plan> segment, Plan plan, boolean isTaken) {
    List<String> byKey = new ArrayList<>();
    List<String> byName = new ArrayList<>();
    for (TagFilter filter : plan.query().filters()) {
      String text = filter.tagk() + "=" + filter.type().requestName() + "(" + filter.text() + ")";
      (planner.isByName(filter) ? byName : byKey).add(text);
    }
    return new Explanation.Part(
        plan.source().name(),
        segment.fromMillis(),
        segment.toMillis(),
        new Explanation.Rows(
            plan.source().family().toString(),
            plan.range().startSeconds(),
            plan.range().stopSeconds(),
            plan.keys().schema().distinctSalts()),
        new Explanation.Filters(byKey, byName),
        new Explanation.Series(
            plan.path() instanceof AccessPath.Picked picked ? picked.tsuids().size() : -1,
            plan.path().why()),
        SliceCutting.of(plan, List.of(plan)).downsamples(plan),
        isTaken);
  }

  /** Where the value of a result series comes from. */
  Value value(ResultSeries series, long millis) {
    List<Origin> origins = new ArrayList<>();
    Plan plan = planOf(millis);
    if (plan != null) {
      for (String tsuid : series.tsuids()) {
        Origin origin = origin(plan, tsuid, millis);
        memory.grow(ORIGIN_BYTES + (long) POINT_BYTES * origin.points().size());
        origins.add(origin);
      }
    }
    return new Value(series.metric(), series.tags(), millis, text(series, millis), origins);
  }

  /** The plan with which the values at a timestamp were read, or null. */
  private @Nullable Plan planOf(long millis) {
    for (Segment<Plan> segment : run.segments()) {
      if (millis >= segment.fromMillis() && millis <= segment.toMillis()) {
        for (Plan plan : segment.sources()) {
          if (run.isTaken(plan)) {
            return plan;
          }
        }
      }
    }
    return null;
  }

  private Origin origin(Plan plan, String tsuid, long millis) {
    ScanRange range = plan.range();
    Query points =
        Query.tsuids(List.of(tsuid))
            .aggregate(Aggregator.NONE)
            .betweenMillis(range.startSeconds() * 1000, range.stopSeconds() * 1000 - 1)
            .from(run.query().source());
    OriginSearch search = new OriginSearch(plan.query(), range);
    try (SeriesCursor cursor = answering.apply(asStored(points, plan))) {
      ResultSeries series = cursor.next();
      return series == null
          ? new Origin(tsuid, Explanation.Kind.NOTHING, List.of(), 0)
          : search.origin(tsuid, series, millis);
    }
  }

  /** The query for the values as they are stored: if they are rolled up, each value by itself. */
  private Query asStored(Query points, Plan plan) {
    Downsample asked = run.query().downsample();
    long seconds = plan.source().intervalSeconds();
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
