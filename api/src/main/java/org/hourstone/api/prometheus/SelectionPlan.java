package org.hourstone.api.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.hourstone.Tsdb;
import org.hourstone.error.RequestException;
import org.hourstone.query.Query;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.TagFilter;
import org.hourstone.series.Aggregator;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * The queries for the series that matchers select: one for each metric, whose filters leave out
 * most of the others. What they return must still be {@linkplain #passes tested}: stored names are
 * escaped, and a filter can't say all that a matcher can.
 */
final class SelectionPlan {
  /** What means the same to Java as it does to Prometheus, after a backslash and without one. */
  private static final Pattern ESCAPES = Pattern.compile("\\\\[.dw/-]");

  private static final Pattern PORTABLE = Pattern.compile("[\\w .*+?()|/:,@=-]*");

  /** Java's take the longer for each value the longer they are. */
  private static final int LONGEST_REGEX = 1000;

  /** The bytes that a metric's name takes beside its letters. */
  private static final int NAME_BYTES = 64;

  private final UidTable uids;
  private final LabelNames names;
  private final ReadRequest.Selection selection;

  SelectionPlan(Tsdb db, LabelNames names, ReadRequest.Selection selection) {
    this.uids = db.uids();
    this.names = names;
    this.selection = selection;
  }

  /** The queries, by their metrics; none if no series can be selected. */
  List<Query> queries(RequestBudget budget) {
    long start = Math.max(0, selection.startMillis());
    long end = Math.min(selection.endMillis(), Long.MAX_VALUE - 1);
    if (end < start) {
      return List.of();
    }
    Optional<List<TagFilter>> filters = filters();
    List<Query> queries = new ArrayList<>();
    if (filters.isPresent()) {
      for (String metric : metrics(budget)) {
        Query query =
            Query.metric(metric)
                .betweenMillis(start, end == start ? end + 1 : end) // it may not be empty
                .aggregate(Aggregator.NONE);
        for (TagFilter filter : filters.get()) {
          query = query.filter(filter);
        }
        queries.add(query);
      }
    }
    return queries;
  }

  private Iterable<String> metrics(RequestBudget budget) {
    TreeSet<String> metrics = new TreeSet<>();
    for (LabelMatcher matcher : selection.matchers()) {
      if (matcher.isOfMetric() && !matcher.isNegative() && !matcher.literals().isEmpty()) {
        for (String literal : matcher.literals()) {
          for (String stored : known(UidKind.METRIC, literal)) {
            if (passesMetric(stored)) {
              metrics.add(stored);
            }
          }
        }
        return metrics;
      }
    }
    uids.forEach(
        UidKind.METRIC,
        (stored, uid) -> {
          budget.check();
          if (passesMetric(stored)) {
            budget.memory().grow(NAME_BYTES + stored.length());
            metrics.add(stored);
          }
        });
    return metrics;
  }

  /** Conditions that all series meet which are selected; empty if there are none. */
  private Optional<List<TagFilter>> filters() {
    List<TagFilter> filters = new ArrayList<>();
    for (LabelMatcher matcher : selection.matchers()) {
      if (!matcher.isOfMetric()) {
        List<String> keys = known(UidKind.TAGK, matcher.name());
        if (keys.isEmpty() && !matcher.passes("")) {
          return Optional.empty();
        }
        if (keys.size() == 1 && !addFilters(matcher, keys.get(0), filters)) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(filters);
  }

  /** Returns whether any series may pass. */
  private boolean addFilters(LabelMatcher matcher, String tagk, List<TagFilter> filters) {
    List<String> values = new ArrayList<>();
    matcher.literals().forEach(literal -> values.addAll(known(UidKind.TAGV, literal)));
    boolean canBeListed = values.stream().noneMatch(value -> value.indexOf('|') >= 0);
    if (!matcher.passes("")) {
      filters.add(new TagFilter(TagFilter.Type.WILDCARD, tagk, "*", false));
    }
    if (matcher.isNegative()) {
      return true;
    }
    if (!matcher.literals().isEmpty()) {
      if (values.isEmpty()) {
        return false;
      }
      if (canBeListed) {
        String list = String.join("|", values);
        filters.add(new TagFilter(TagFilter.Type.LITERAL_OR, tagk, list, false));
      }
    } else if (!matcher.passes("") && isPortable(matcher.regex())) {
      addRegex(tagk, matcher.regex(), filters);
    }
    return true;
  }

  private static boolean isPortable(String regex) {
    return regex.length() <= LONGEST_REGEX
        && PORTABLE.matcher(ESCAPES.matcher(regex).replaceAll("")).matches();
  }

  /** Escaped values pass, too. */
  private static void addRegex(String tagk, String regex, List<TagFilter> filters) {
    String all = "\\A(?:U__(?s:.*)|(?s:" + regex + "))\\z";
    try {
      filters.add(new TagFilter(TagFilter.Type.REGEXP, tagk, all, false));
    } catch (RequestException e) {
      // Java has another idea of it: all series are tested by the matcher.
    }
  }

  private List<String> known(UidKind kind, String asked) {
    return names.stored(asked).stream().filter(name -> uids.find(kind, name) != null).toList();
  }

  private boolean passesMetric(String stored) {
    String original = names.original(stored);
    String shown = names.metric(stored);
    return selection.matchers().stream()
        .filter(LabelMatcher::isOfMetric)
        .allMatch(matcher -> matcher.passes(original, shown));
  }

  /** Whether a series of one of the queries is selected. */
  boolean passes(Map<String, String> tags) {
    for (LabelMatcher matcher : selection.matchers()) {
      if (!matcher.isOfMetric() && !matcher.passes(value(tags, matcher.name()))) {
        return false;
      }
    }
    return true;
  }

  /** The value of a label; empty if it is absent. */
  private String value(Map<String, String> tags, String name) {
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      if (name.equals(names.original(tag.getKey())) || name.equals(names.label(tag.getKey()))) {
        return names.original(tag.getValue());
      }
    }
    return "";
  }
}
