package org.hourstone.query.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hourstone.index.Condition;
import org.hourstone.index.SeriesIndex;
import org.hourstone.index.SeriesSet;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.query.rows.MetricRows;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.rollup.RowSpan;
import org.jspecify.annotations.Nullable;

/**
 * Selects series by the index where reading their rows one by one is cheaper than scanning the rows
 * of all series. Thread-safe.
 */
public final class IndexedSeries implements SeriesFinder {
  private final SeriesIndex index;
  private final QuerySources sources;

  public IndexedSeries(SeriesIndex index, QuerySources sources) {
    this.index = index;
    this.sources = sources;
  }

  @Override
  public AccessPath find(
      byte[] metric,
      List<Term> terms,
      List<NameFilter> byName,
      boolean onlyTerms,
      ScanRange range) {
    List<Condition> conditions = conditions(terms, byName, onlyTerms);
    if (conditions.isEmpty()) {
      return new AccessPath.Scanned("all series of the metric are requested", all(metric));
    }
    Optional<SeriesSet> match = index.match(metric, conditions);
    if (match.isEmpty()) {
      return new AccessPath.Scanned("the index is not usable");
    }
    SeriesSet found = match.get();
    String counts = found.size() + " of " + found.ofMetric() + " series";
    boolean everyBucket = !sources.ownBucketsOnly().getAsBoolean();
    long picks = (long) found.size() * (everyBucket ? sources.keys().schema().distinctSalts() : 1);
    MetricRows rows = new MetricRows(sources.store(), sources.points(), sources.keys(), metric);
    if (!PathChoice.picks(rows, RowSpan.OF_POINTS, range, picks, found.ofMetric())) {
      return new AccessPath.Scanned(
          "the index has " + counts + ", for which scanning is cheaper", found);
    }
    List<byte[]> tsuids = new ArrayList<>(found.size());
    found.forEach(tsuids::add); // the rows are tested by the filters that the index can't evaluate
    return new AccessPath.Picked(tsuids, everyBucket, "the index has " + counts);
  }

  /** All series, to divide their rows between threads; null if salt buckets divide them. */
  private @Nullable SeriesSet all(byte[] metric) {
    return sources.keys().schema().distinctSalts() > 1
        ? null
        : index.match(metric, List.of()).orElse(null);
  }

  private static List<Condition> conditions(
      List<Term> terms, List<NameFilter> byName, boolean onlyTerms) {
    List<Condition> conditions = new ArrayList<>();
    for (Term term : terms) {
      conditions.add(
          switch (term.presence()) {
            case ANY_VALUE -> new Condition.Present(term.key());
            case ONE_OF -> new Condition.AnyOf(term.key(), term.values());
            case ABSENT -> new Condition.Absent(term.key());
          });
    }
    for (NameFilter filter : byName) {
      if (!filter.passesAbsent()) { // else tested on the rows
        conditions.add(new Condition.Matching(filter.tagk(), filter));
      }
    }
    if (onlyTerms) {
      conditions.add(
          new Condition.ExactlyKeys(
              terms.stream()
                  .filter(term -> term.presence() != Presence.ABSENT)
                  .map(Term::key)
                  .toList()));
    }
    return conditions;
  }
}
