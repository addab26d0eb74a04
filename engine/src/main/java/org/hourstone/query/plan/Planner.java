package org.hourstone.query.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.TagPair;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.query.FilterDialect;
import org.hourstone.query.FilterOptions;
import org.hourstone.query.Query;
import org.hourstone.query.QueryOptions;
import org.hourstone.query.RequestBudget;
import org.hourstone.query.TagFilter;
import org.hourstone.query.rows.MetricRows;
import org.hourstone.query.rows.Route;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/** Resolves a query's names and decides which rows to read. Thread-safe. */
public final class Planner {
  private final QuerySources sources;
  private final QueryOptions queryOptions;
  private final FilterOptions options;
  private final UidTable uids;
  private final RowKey keys;
  private final FilterDialect dialect;

  public Planner(QuerySources sources, QueryOptions queryOptions, UidTable uids) {
    this.sources = sources;
    this.queryOptions = queryOptions;
    this.options = queryOptions.filters();
    this.uids = uids;
    this.keys = sources.keys();
    this.dialect = options.dialect();
  }

  /** A tag's UID and the filters on it, in the query's order. */
  private record FilteredTag(byte[] tagk, List<TagFilter> filters) {}

  /**
   * @param finder of series that have rows in the route's range
   * @throws NoSuchNameException if the metric, a tag name or, unless those are skipped, a tag value
   *     is unknown
   * @throws RequestException if TSUIDs are not of one metric, or not TSUIDs at all
   */
  public Plan plan(Route route, SeriesFinder finder, RequestBudget budget) {
    return route.query().series().isByTsuid() ? ofTsuids(route) : ofMetric(route, finder, budget);
  }

  private Plan ofTsuids(Route route) {
    TreeSet<Bytes> tsuids = new TreeSet<>();
    for (String text : route.query().series().tsuids()) {
      byte[] tsuid = HexFormat.of().parseHex(text);
      if (!keys.isTsuid(tsuid)) {
        throw new RequestException("not a TSUID: '" + text + "'");
      }
      tsuids.add(new Bytes(tsuid));
    }
    byte[] metric = keys.metricOfTsuid(tsuids.first().array());
    if (!Arrays.equals(metric, keys.metricOfTsuid(tsuids.last().array()))) {
      throw new RequestException("One or more TSUIDs did not share the same metric");
    }
    List<byte[]> chosen = arrays(tsuids);
    MetricRows rows = new MetricRows(sources.store(), route.source().family(), keys, metric);
    boolean everyBucket = !sources.ownBucketsOnly().getAsBoolean();
    long picks = (long) chosen.size() * (everyBucket ? keys.schema().distinctSalts() : 1);
    RowFilter rowFilter = chosen.size() == 1 ? exactly(chosen.get(0)) : RowFilter.any();
    return new Plan(
        sources,
        queryOptions,
        route,
        new Plan.Series(metric, rowFilter, tsuid -> tsuids.contains(new Bytes(tsuid)), List.of()),
        PathChoice.picks(rows, route.source().span(), route.range(), picks, PathChoice.UNKNOWN)
            ? new AccessPath.Picked(chosen, everyBucket, "the query names TSUIDs")
            : new AccessPath.Scanned("the query names TSUIDs, for which scanning is cheaper"));
  }

  private RowFilter exactly(byte[] tsuid) {
    List<Term> terms = new ArrayList<>();
    for (TagPair tag : keys.tagsOfTsuid(tsuid)) {
      terms.add(new Term(tag.tagk(), Presence.ONE_OF, List.of(tag.tagv())));
    }
    return pattern(terms, true);
  }

  private Plan ofMetric(Route route, SeriesFinder finder, RequestBudget budget) {
    Query query = route.query();
    byte[] metric = uids.uid(UidKind.METRIC, query.metric());
    List<Term> terms = new ArrayList<>();
    List<NameFilter> byName = new ArrayList<>();
    TreeSet<Bytes> groupBy = new TreeSet<>();
    boolean first = true;
    boolean none = false;
    for (FilteredTag tag : filteredTags(query.filters())) {
      Term term = term(tag, first);
      none |= term == null;
      if (term != null && (term.presence() != Presence.ANY_VALUE || demandsTag(tag, query))) {
        terms.add(term);
      }
      for (TagFilter filter : tag.filters()) {
        if (filter.groupBy()) {
          groupBy.add(new Bytes(tag.tagk()));
        }
        if (isByName(filter)) {
          byName.add(
              new NameFilter(
                  tag.tagk(),
                  filter.type() + " " + filter.text(),
                  dialect.passesAbsent(filter),
                  ValueMatch.of(filter, dialect, budget.regex()),
                  uids,
                  budget.memory(),
                  budget::check));
        }
      }
      first = false;
    }
    RowFilter rowFilter =
        terms.isEmpty() && !query.series().onlyFilteredTags()
            ? RowFilter.any()
            : pattern(terms, query.series().onlyFilteredTags());
    AccessPath chosen =
        none
            ? new AccessPath.Picked(List.of(), false, "no value of a filter exists")
            : finder.find(metric, terms, byName, query.series().onlyFilteredTags(), route.range());
    return new Plan(
        sources,
        queryOptions,
        route,
        new Plan.Series(metric, rowFilter, tsuid -> passesAll(byName, tsuid), arrays(groupBy)),
        chosen);
  }

  private boolean passesAll(List<NameFilter> filters, byte[] tsuid) {
    for (NameFilter filter : filters) {
      if (!filter.passes(keys, tsuid)) {
        return false;
      }
    }
    return true;
  }

  private List<FilteredTag> filteredTags(List<TagFilter> filters) {
    Map<Bytes, List<TagFilter>> byTag = new TreeMap<>();
    for (TagFilter filter : filters) {
      dialect.check(filter);
      byTag
          .computeIfAbsent(new Bytes(uids.uid(UidKind.TAGK, filter.tagk())), k -> new ArrayList<>())
          .add(filter);
    }
    return byTag.entrySet().stream()
        .map(entry -> new FilteredTag(entry.getKey().array(), entry.getValue()))
        .toList();
  }

  /** Whether a filter is tested by name; other filters are tested on the row's key. */
  public boolean isByName(TagFilter filter) {
    return switch (filter.type()) {
      case LITERAL_OR -> filter.literals().size() > options.expansionLimit();
      case NOT_KEY -> false;
      default -> !filter.passesAll();
    };
  }

  /** Whether series without the tag are excluded, regardless of the tag's filters on values. */
  private boolean demandsTag(FilteredTag tag, Query query) {
    return query.series().onlyFilteredTags()
        || tag.filters().stream().anyMatch(filter -> !dialect.passesAbsent(filter));
  }

  /**
   * The condition that the filters on a tag set on row keys, or null if no key can meet it.
   *
   * @param first whether it is the first of all filtered tags by their UIDs
   */
  private @Nullable Term term(FilteredTag tag, boolean first) {
    boolean absent = false;
    boolean contradicts = false;
    for (TagFilter filter : tag.filters()) {
      absent |= filter.type() == TagFilter.Type.NOT_KEY;
      contradicts |= !filter.type().passesAbsent();
    }
    if (absent) {
      return contradicts ? null : new Term(tag.tagk(), Presence.ABSENT, List.of());
    }
    Set<Bytes> values = null;
    for (TagFilter filter : tag.filters()) {
      if (filter.type() == TagFilter.Type.LITERAL_OR && !isByName(filter)) {
        Set<Bytes> listed = uidsOf(filter);
        values = values == null ? listed : dialect.combined(values, listed, first);
      }
    }
    if (values == null) {
      return new Term(tag.tagk(), Presence.ANY_VALUE, List.of());
    }
    return values.isEmpty() ? null : new Term(tag.tagk(), Presence.ONE_OF, arrays(values));
  }

  private static List<byte[]> arrays(Set<Bytes> all) {
    List<byte[]> arrays = new ArrayList<>(all.size());
    all.forEach(each -> arrays.add(each.array()));
    return arrays;
  }

  private Set<Bytes> uidsOf(TagFilter filter) {
    Set<Bytes> values = new TreeSet<>();
    for (String value : filter.literals()) {
      byte[] uid = uids.find(UidKind.TAGV, value);
      if (uid != null) {
        values.add(new Bytes(uid));
      } else if (!options.skipUnresolvedTagvs()) {
        throw new NoSuchNameException(UidKind.TAGV, value);
      }
    }
    return values;
  }

  private RowPattern pattern(List<Term> terms, boolean onlyTerms) {
    Schema schema = keys.schema();
    return new RowPattern(
        schema.tagsOffset(), schema.tagkWidth(), schema.tagvWidth(), terms, onlyTerms);
  }
}
