package org.hourstone.query;

import org.hourstone.error.RequestException;
import org.hourstone.series.Durations;

/**
 * How queries in requests are read ({@code hourstone.query.opentsdb_requests}). See {@code
 * docs/format/quirks.md}.
 */
public enum QueryDialect {
  HOURSTONE(Durations.HOURSTONE),
  OPENTSDB(Durations.OPENTSDB) {
    /** OpenTSDB has a filter for absent tags, but can't be asked for it. */
    @Override
    public boolean knows(TagFilter.Type type) {
      return type != TagFilter.Type.NOT_KEY;
    }

    /** OpenTSDB ignores unknown options. */
    @Override
    void unknownOption(RequestException e) {}
  };

  private final Durations durations;

  QueryDialect(Durations durations) {
    this.durations = durations;
  }

  /** How durations are read. */
  public Durations durations() {
    return durations;
  }

  /** Whether a request may contain filters of a type. */
  public boolean knows(TagFilter.Type type) {
    return true;
  }

  /** A query in the {@code m=} form has an option that is not known. */
  void unknownOption(RequestException e) {
    throw e;
  }
}
