package org.hourstone.query;

import java.util.List;
import org.hourstone.kv.RowPattern.Term;

/** Knows beforehand which series pass filters, or doesn't. Thread-safe. */
@FunctionalInterface
interface SeriesFinder {
  /**
   * @param terms what is demanded of the tags' UIDs
   * @param byName what is demanded of the values' names
   * @param onlyTerms whether series with tags that no term names are left out
   * @param range which hours are to be read
   */
  AccessPath find(
      byte[] metric, List<Term> terms, List<NameFilter> byName, boolean onlyTerms, ScanRange range);

  /** Knows nothing. */
  static SeriesFinder none() {
    return (metric, terms, byName, onlyTerms, range) -> new AccessPath.Scanned("no index");
  }
}
