package org.hourstone.index;

import java.util.function.Consumer;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidKind;

/** The rules of series lookups ({@code hourstone.strict=lookups}). See {@code docs/api.md}. */
public enum LookupDialect {
  HOURSTONE,

  /** The behaviour of OpenTSDB 2.4. */
  OPENTSDB {
    /** OpenTSDB returns a series once for each of its rows. */
    @Override
    public void findInData(
        SeriesLookup series, SeriesPattern pattern, long limit, Consumer<byte[]> action) {
      series.findRows(pattern, limit, action);
    }

    /** OpenTSDB ignores it in lookups. */
    @Override
    public boolean takesStartIndex() {
      return false;
    }

    /** OpenTSDB ignores this parameter in a query string. */
    @Override
    public boolean readsUseMetaOfUris() {
      return false;
    }

    /** OpenTSDB ignores known values without a tag name if there are tags with names. */
    @Override
    public boolean readsValuesOfAnyTag() {
      return false;
    }

    /** OpenTSDB looks for the name, which no value can have. */
    @Override
    public void checkValues(SeriesPattern pattern) {
      for (SeriesPattern.Tag tag : pattern.tags()) {
        if (tag.isPattern()) {
          throw new NoSuchNameException(UidKind.TAGV, tag.value());
        }
      }
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

  /** Whether the first results may be left out. */
  public boolean takesStartIndex() {
    return true;
  }

  /** Whether a query string may request a search of the data table. */
  public boolean readsUseMetaOfUris() {
    return true;
  }

  /** Whether a pattern with tag names may also have values of any tag. */
  public boolean readsValuesOfAnyTag() {
    return true;
  }

  /**
   * Checks values with stars and alternatives.
   *
   * @throws NoSuchNameException if they are taken for names
   */
  public void checkValues(SeriesPattern pattern) {}

  /** Whether series with deleted names are omitted, since they can't be reported. */
  public boolean skipsDeletedNames() {
    return true;
  }

  /** Whether a malformed body is reported as the client's error. */
  public boolean explainsMalformedBodies() {
    return true;
  }
}
