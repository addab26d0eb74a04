package org.hourstone.query;

import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import org.hourstone.error.RequestException;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;

/** How rolled-up values are used ({@code hourstone.strict=rollups}). */
public enum RollupDialect {
  HOURSTONE,
  OPENTSDB {
    /** OpenTSDB uses intervals for any calendar. */
    @Override
    public boolean fits(
        RollupInterval interval, Downsample downsample, long fromSeconds, long untilSeconds) {
      return true;
    }

    /** OpenTSDB doesn't read rows of the last bucket that begin after the range. */
    @Override
    public boolean completesLastBucket() {
      return false;
    }

    /** OpenTSDB looks for the id when it reads, and has fewer synonyms. */
    @Override
    public List<String> stored(Aggregator by, RollupConfig config) {
      return switch (by) {
        case AVG -> PAIR;
        case ZIMSUM, MIMMIN, MIMMAX -> List.of(storedAs(by));
        default -> List.of(by.toString());
      };
    }

    /** OpenTSDB requires an id for averages, although it reads sums and counts. */
    @Override
    public boolean readsAverages(RollupConfig config) {
      return config.has(Aggregator.AVG.requestName());
    }

    /** OpenTSDB adds the values of series that are to be counted, also those of points. */
    @Override
    public Query meant(Query query, RollupConfig config) {
      Downsample downsample = query.downsample();
      return downsample != null
              && query.aggregator() == Aggregator.COUNT
              && query.source().rollups() != RollupUsage.RAW
              && !config.dividing(downsample.intervalMillis()).isEmpty()
          ? query.aggregate(Aggregator.SUM)
          : query;
    }

    /** OpenTSDB reads all, however they were aggregated. */
    @Override
    public boolean selectsAggregates() {
      return false;
    }
  };

  private static final List<String> PAIR = List.of("sum", "count");

  private static final long DAY_SECONDS = 86_400;

  /**
   * Whether buckets consist of whole intervals, which are counted in UTC.
   *
   * @param fromSeconds not after the start of any bucket that is read: one that begins before the
   *     range may have begun when the zone had another offset
   * @param untilSeconds not before the end of any
   */
  public boolean fits(
      RollupInterval interval, Downsample downsample, long fromSeconds, long untilSeconds) {
    return !downsample.calendar()
        || daysFit(interval.seconds(), downsample.zone(), fromSeconds, untilSeconds);
  }

  /** Whether all rows of the last bucket are read. */
  public boolean completesLastBucket() {
    return true;
  }

  /**
   * The names of the stored aggregations from which another one is computed.
   *
   * @throws RequestException if it can't be computed
   */
  public List<String> stored(Aggregator by, RollupConfig config) {
    if (by == Aggregator.AVG) {
      return PAIR;
    }
    if (by == Aggregator.DEV) {
      throw new RequestException(
          "dev can't be computed from rolled-up values: request points with rollup_raw");
    }
    String name = by.requestName();
    String stored = config.has(name) ? name : storedAs(by);
    config.idOf(stored);
    return List.of(stored);
  }

  private static String storedAs(Aggregator by) {
    return switch (by) {
      case ZIMSUM, PFSUM -> "sum";
      case MIMMIN -> "min";
      case MIMMAX -> "max";
      default -> by.requestName();
    };
  }

  /** Whether averages can be read; if not, reading a row fails. */
  public boolean readsAverages(RollupConfig config) {
    return true;
  }

  /** The query that is run. */
  public Query meant(Query query, RollupConfig config) {
    return query;
  }

  /** Whether pre-aggregates are only those that were aggregated as the query aggregates. */
  public boolean selectsAggregates() {
    return true;
  }

  private static boolean daysFit(long seconds, ZoneId zone, long from, long until) {
    if (DAY_SECONDS % seconds != 0) {
      return false;
    }
    Instant at = Instant.ofEpochSecond(from);
    Instant end = Instant.ofEpochSecond(until);
    boolean fits = zone.getRules().getOffset(at).getTotalSeconds() % seconds == 0;
    for (ZoneOffsetTransition next = zone.getRules().nextTransition(at);
        fits && next != null && !next.getInstant().isAfter(end);
        next = zone.getRules().nextTransition(next.getInstant())) {
      fits = next.getOffsetAfter().getTotalSeconds() % seconds == 0;
    }
    return fits;
  }
}
