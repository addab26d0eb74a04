package org.hourstone.testing.reference;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers requests to {@code /api/query} from points in memory, each step on all of them. */
final class Reference {
  private static final int MOST_DIGITS_OF_SECONDS = 10;

  private final PutLines points;
  private final Mode mode;
  private final Consumer<String> seen;

  /**
   * @param seen is notified of the substitutes for missing points
   */
  Reference(PutLines points, Mode mode, Consumer<String> seen) {
    this.points = points;
    this.mode = mode;
    this.seen = seen;
  }

  /**
   * @param request the body of a POST
   * @throws ArithmeticException if a result is infinite
   */
  List<Result> answer(JsonNode request) {
    ZoneId zone = ZoneId.of(request.path("timezone").asText("UTC"), ZoneId.SHORT_IDS);
    boolean useCalendar = request.path("useCalendar").asBoolean();
    Set<SubQuery> queries = new LinkedHashSet<>();
    for (JsonNode query : request.required("queries")) {
      queries.add(SubQuery.of(query, useCalendar, zone, mode));
    }
    List<Result> results = new ArrayList<>();
    for (SubQuery query : queries) {
      Window window =
          Window.of(
              millis(request.required("start").asText()),
              millis(request.required("end").asText()),
              query,
              mode);
      for (List<Series> group : groups(query, window)) {
        boolean milliseconds = request.path("msResolution").asBoolean();
        NavigableMap<Long, Number> values =
            values(group, query, window)
                .subMap(window.startMillis(), true, window.endMillis(), true);
        results.add(
            Result.of(
                query.metric(),
                group,
                milliseconds || mode.repeatedSeconds() ? values : seconds(values, group, query),
                milliseconds,
                query.downsampling() != null && query.downsampling().fill().equals("null")));
      }
    }
    return results;
  }

  /**
   * Each second once: the points of one series together, by the query's aggregator; the last number
   * of the others, whose values are computed from several points already.
   *
   * @throws ArithmeticException if a value is infinite, even one that does not count
   */
  private NavigableMap<Long, Number> seconds(
      NavigableMap<Long, Number> values, List<Series> group, SubQuery query) {
    NavigableMap<Long, List<Number>> bySecond = new TreeMap<>();
    values.forEach(
        (time, value) -> {
          if (Double.isInfinite(value.doubleValue())) {
            throw new ArithmeticException("Got Infinity");
          }
          bySecond.computeIfAbsent(time / 1000 * 1000, any -> new ArrayList<>()).add(value);
        });
    boolean together =
        group.size() == 1
            && query.rates() == null
            && query.downsampling() == null
            && !query.aggregator().equals("none");
    NavigableMap<Long, Number> seconds = new TreeMap<>();
    bySecond.forEach(
        (second, points) ->
            seconds.put(
                second,
                together && points.size() > 1
                    ? together(query.aggregator(), points)
                    : lastNumber(points)));
    return seconds;
  }

  private static Number lastNumber(List<Number> points) {
    Number last = points.get(points.size() - 1);
    for (Number point : points) {
      last = Double.isNaN(point.doubleValue()) ? last : point;
    }
    return last;
  }

  private Number together(String aggregator, List<Number> points) {
    return points.stream().allMatch(Long.class::isInstance)
        ? mode.ofLongs(aggregator, points.stream().map(Number::longValue).toList())
        : (Number)
            Functions.ofDoubles(aggregator, points.stream().map(Number::doubleValue).toList());
  }

  private static long millis(String time) {
    if (time.endsWith("ms")) {
      return Long.parseLong(time.substring(0, time.length() - 2));
    }
    return time.length() <= MOST_DIGITS_OF_SECONDS
        ? Long.parseLong(time) * 1000
        : Long.parseLong(time);
  }

  /** The series that have points in the hours read, in groups. */
  private Iterable<List<Series>> groups(SubQuery query, Window window) {
    Set<String> filtered = new TreeSet<>();
    Map<Integer, String> groupBy = new TreeMap<>();
    for (Filter filter : query.filters()) {
      filtered.add(filter.tagk());
      if (filter.groupBy()) {
        groupBy.put(points.tagk(filter.tagk()), filter.tagk());
      }
    }
    Map<List<Integer>, List<Series>> groups = new TreeMap<>(PutLines::compare);
    for (Series series : points.of(query.metric())) {
      Map<String, String> tags = series.tags();
      if (!window.concerns(series.points())
          || !query.filters().stream()
              .allMatch(filter -> filter.matches(tags, mode.negativesNeedTheTag()))
          || !(query.aggregator().equals("none") || tags.keySet().containsAll(groupBy.values()))
          || (query.explicitTags() && !filtered.isEmpty() && !tags.keySet().equals(filtered))) {
        continue;
      }
      List<Integer> key = new ArrayList<>();
      if (query.aggregator().equals("none")) {
        key.add(groups.size());
      } else {
        groupBy.values().forEach(tagk -> key.add(points.tagv(tags.getOrDefault(tagk, ""))));
      }
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(series);
    }
    groups.values().removeIf(group -> group.stream().noneMatch(s -> window.has(s.points())));
    return groups.values();
  }

  private NavigableMap<Long, Number> values(List<Series> group, SubQuery query, Window window) {
    List<Group.Member> members = new ArrayList<>();
    for (Series series : group) {
      NavigableMap<Long, Number> values = window.read(series.points());
      if (query.downsampling() != null) {
        values = query.downsampling().of(values, window);
      }
      if (!values.isEmpty()) {
        members.add(member(values, query.rates()));
      }
    }
    return new Group(members, query.aggregator(), query.rates() != null, mode, seen).aggregate();
  }

  /**
   * A series gives its first rate, counted from nothing, until there is a real one, or it doesn't.
   */
  private Group.Member member(NavigableMap<Long, Number> values, @Nullable Rates rates) {
    if (rates == null) {
      return new Group.Member(values, 0.0);
    }
    if (!mode.heldFirstRate()) {
      return new Group.Member(rates.of(values, mode), Double.NaN);
    }
    NavigableMap<Long, Number> made = rates.sinceTheBeginning(values, mode);
    Map.Entry<Long, Number> first = made.pollFirstEntry();
    return new Group.Member(made, first == null ? Double.NaN : first.getValue().doubleValue());
  }
}
