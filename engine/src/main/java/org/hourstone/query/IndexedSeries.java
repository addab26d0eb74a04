package org.hourstone.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.index.Condition;
import org.hourstone.index.SeriesIndex;
import org.hourstone.index.SeriesSet;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;

/**
 * Selects series by the index where reading their rows one by one is cheaper than scanning the rows
 * of all series. Thread-safe.
 */
final class IndexedSeries implements SeriesFinder {
  /** Approximately how many rows a scan skips in the time that one is read by its key. */
  private static final int ROWS_PER_PICK = 8;

  private final SeriesIndex index;
  private final RowKey keys;

  IndexedSeries(SeriesIndex index, RowKey keys) {
    this.index = index;
    this.keys = keys;
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
      return new AccessPath.Scanned("all series of the metric are requested");
    }
    Optional<SeriesSet> match = index.match(metric, conditions);
    if (match.isEmpty()) {
      return new AccessPath.Scanned("the index is not usable");
    }
    SeriesSet found = match.get();
    long looks = (long) found.size() * keys.schema().distinctSalts();
    String counts = found.size() + " of " + found.ofMetric() + " series";
    if (looks * ROWS_PER_PICK > found.ofMetric() && found.size() > 0) {
      return new AccessPath.Scanned("the index has " + counts + ", for which scanning is cheaper");
    }
    if (looks * hours(range) > AccessPath.MOST_PICKS) {
      return new AccessPath.Scanned("the index has " + counts + ", but the range is long");
    }
    List<byte[]> tsuids = new ArrayList<>(found.size());
    found.forEach(tsuids::add); // the rows are tested by the filters that the index can't evaluate
    return new AccessPath.Picked(tsuids, "the index has " + counts);
  }

  static long hours(ScanRange range) {
    return (range.stopSeconds() - range.startSeconds()) / Timestamps.ROW_SECONDS;
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
