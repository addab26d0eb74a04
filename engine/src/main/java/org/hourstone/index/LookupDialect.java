package org.hourstone.index;

import java.util.function.Consumer;

/** How series are looked up ({@code hourstone.lookup.opentsdb_quirks}). See {@code docs/api.md}. */
public enum LookupDialect {
  HOURSTONE,

  /** That of OpenTSDB 2.4. */
  OPENTSDB {
    /** OpenTSDB returns a series once for each of its rows. */
    @Override
    public void findInData(
        SeriesLookup series, SeriesPattern pattern, long limit, Consumer<byte[]> action) {
      series.findRows(pattern, limit, action);
    }

    /** OpenTSDB ignores it in a query string. */
    @Override
    public boolean readsUseMetaOfUris() {
      return false;
    }

    /** OpenTSDB ignores them, if they are known, if there are tags with names. */
    @Override
    public boolean readsValuesOfAnyTag() {
      return false;
    }

    /** OpenTSDB fails. */
    @Override
    public boolean skipsDeletedNames() {
      return false;
    }

    /** OpenTSDB reports it as its own failure. */
    @Override
    public boolean explainsMalformedBodies() {
      return false;
    }
  };

  /** Calls back with the TSUIDs of the series that have points. */
  public void findInData(
      SeriesLookup series, SeriesPattern pattern, long limit, Consumer<byte[]> action) {
    series.findInData(pattern, limit, action);
  }

  /** Whether a query string may say that series are looked for in the data table. */
  public boolean readsUseMetaOfUris() {
    return true;
  }

  /** Whether a pattern with names of tags may have values of any tag as well. */
  public boolean readsValuesOfAnyTag() {
    return true;
  }

  /** Whether series are left out whose names were deleted, so that they can't be reported. */
  public boolean skipsDeletedNames() {
    return true;
  }

  /** Whether a body that can't be read is the client's error. */
  public boolean explainsMalformedBodies() {
    return true;
  }
}
