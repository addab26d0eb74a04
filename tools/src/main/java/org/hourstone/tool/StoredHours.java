package org.hourstone.tool;

import java.util.Optional;
import java.util.OptionalLong;
import org.hourstone.Engine;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.RowSelection;

/**
 * The first and the last hour in which the series of a query have rows. They are found by about
 * thirty scans of a few rows each. The search is given up if too many rows belong to other series.
 */
public final class StoredHours {
  private static final long HOUR = 3600;
  private static final long END = 0xFFFF_FFFFL / HOUR * HOUR;
  private static final int ROWS = 2000;

  private final Engine engine;
  private final RowKey keys;
  private final Query query;

  /**
   * A range of hours, in seconds since the epoch.
   *
   * @param first the start of the first hour
   * @param last the start of the last hour
   */
  public record Range(long first, long last) {
    /** The end of the last hour. */
    public long end() {
      return last + HOUR;
    }
  }

  /** Thrown to give up. */
  private static final class TooManyRows extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private StoredHours(Engine engine, Query query) {
    this.engine = engine;
    this.keys = new RowKey(engine.options().schema());
    this.query = query.rate(null).downsample(null);
  }

  /** The range; empty if there are no rows or it can't be found cheaply. */
  static Optional<Range> of(Engine engine, Query query) {
    if (!engine.queries().isOfPoints(query)) {
      return Optional.empty();
    }
    StoredHours hours = new StoredHours(engine, query);
    try {
      OptionalLong first = hours.firstFrom(0);
      return first.isEmpty()
          ? Optional.empty()
          : Optional.of(new Range(first.getAsLong(), hours.lastAfter(first.getAsLong())));
    } catch (TooManyRows e) {
      return Optional.empty();
    }
  }

  private long lastAfter(long first) {
    long last = first;
    long none = END;
    while (none - last > HOUR) {
      long middle = last + (none - last) / 2 / HOUR * HOUR;
      OptionalLong found = firstFrom(Math.max(middle, last + HOUR));
      if (found.isEmpty()) {
        none = Math.max(middle, last + HOUR);
      } else {
        last = found.getAsLong();
      }
    }
    return last;
  }

  /** The first hour with a row at or after this one. */
  private OptionalLong firstFrom(long seconds) {
    RowSelection selection =
        engine.queries().select(query.betweenMillis(seconds * 1000, END * 1000));
    long first = Long.MAX_VALUE;
    for (Scan scan : selection.scans()) {
      first = Math.min(first, first(selection, scan, seconds));
    }
    return first == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first);
  }

  private long first(RowSelection selection, Scan scan, long seconds) {
    // The rows are filtered here, so that their number is limited.
    Scan all = scan.filter(RowFilter.any()).limit(ROWS);
    try (RowCursor rows = engine.reader().scan(engine.tables().points(), all)) {
      int read = 0;
      for (Row row = rows.next(); row != null; row = rows.next()) {
        read++;
        if (keys.isSeriesRow(row.key())
            && keys.baseTime(row.key()) >= seconds
            && scan.filter().matches(row.key())
            && selection.passes().test(row.key())) {
          return keys.baseTime(row.key());
        }
      }
      if (read == ROWS) {
        throw new TooManyRows();
      }
      return Long.MAX_VALUE;
    }
  }
}
