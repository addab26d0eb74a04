package org.hourstone.query.plan;

import java.util.List;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.query.rows.ScanRange;

/** Finds the series that pass filters before reading, if it can. Thread-safe. */
@FunctionalInterface
public interface SeriesFinder {
  /**
   * @param terms conditions on the tags' UIDs
   * @param byName conditions on the values' names
   * @param onlyTerms whether series with tags that no term names are excluded
   * @param range the hours to read
   */
  AccessPath find(
      byte[] metric, List<Term> terms, List<NameFilter> byName, boolean onlyTerms, ScanRange range);

  /** Knows nothing. */
  static SeriesFinder none() {
    return (metric, terms, byName, onlyTerms, range) -> new AccessPath.Scanned("no index");
  }
}
