package org.hourstone.query.plan;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.hourstone.codec.RowKey;
import org.hourstone.index.SeriesSet;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowPattern;
import org.hourstone.kv.RowPattern.Presence;
import org.hourstone.kv.RowPattern.Term;
import org.hourstone.kv.Scan;
import org.hourstone.query.Query;
import org.hourstone.query.QueryOptions;
import org.hourstone.query.rows.MergedRows;
import org.hourstone.query.rows.MetricRows;
import org.hourstone.query.rows.RolledPart;
import org.hourstone.query.rows.Route;
import org.hourstone.query.rows.RowSource;
import org.hourstone.query.rows.RowsWithUnusable;
import org.hourstone.query.rows.ScanRange;
import org.hourstone.query.rows.Slice;

/**
 * The reads of one route of a query: names are resolved, rows and series selected. Thread-safe.
 *
 * @param sources the store to read from
 * @param route the source, the query to run on it, and the hours to read
 * @param series which series are read, and how they are grouped
 * @param path how the rows of the series are found
 */
public record Plan(
    QuerySources sources, QueryOptions options, Route route, Series series, AccessPath path) {
  private static final int FEW_ROWS = 32;

  /**
   * The series that are read and grouped.
   *
   * @param metric whose rows are read
   * @param rowFilter the condition that row keys must meet, tested by the store
   * @param passes tests the TSUID of a series, by the conditions that are not set on row keys
   * @param groupBy the UIDs of the tags to group by, ascending
   */
  public record Series(
      byte[] metric, RowFilter rowFilter, Predicate<byte[]> passes, List<byte[]> groupBy) {}

  public RowKey keys() {
    return sources.keys();
  }

  public RowSource source() {
    return route.source();
  }

  public Query query() {
    return route.query();
  }

  public ScanRange range() {
    return route.range();
  }

  /** The hours in which a series must have points to be in the result. */
  public ScanRange own() {
    return route.own();
  }

  /** Whether rows are found by scanning, so that their series need not be known before. */
  public boolean isScan() {
    return path instanceof AccessPath.Scanned;
  }

  /**
   * The tags of series at which the rows of an hour are divided, if they are many: ascending.
   *
   * @param parts the maximum number of parts
   */
  public List<byte[]> cuts(int parts) {
    SeriesSet known = path instanceof AccessPath.Scanned scanned ? scanned.series() : null;
    if (known == null || known.size() < options.work().sliceRows()) {
      return List.of();
    }
    int metric = series.metric().length;
    return known.cuts(parts).stream()
        .map(tsuid -> Arrays.copyOfRange(tsuid, metric, tsuid.length))
        .toList();
  }

  /** Whether a series is selected, by the conditions that are not set on row keys. */
  public boolean passes(byte[] tsuid) {
    return series.passes().test(tsuid);
  }

  /** Whether few rows are read, one by one, such as those of a day of a series. */
  public boolean isSmall() {
    if (!(path instanceof AccessPath.Picked picked)) {
      return false;
    }
    long salts = picked.everyBucket() ? keys().schema().distinctSalts() : 1;
    return picked.tsuids().size() * salts * range().rows(source().span()) <= FEW_ROWS;
  }

  /** Whether no row can be selected. */
  public boolean isEmpty() {
    return path instanceof AccessPath.Picked picked && picked.tsuids().isEmpty();
  }

  /** Whether this plan's rows include another plan's, which has a source of the same kind. */
  public boolean covers(Plan other) {
    return range().contains(other.range())
        && source().family().equals(other.source().family())
        && Arrays.equals(series.metric(), other.series.metric())
        && hasSeriesOf(other);
  }

  private boolean hasSeriesOf(Plan other) {
    if (path instanceof AccessPath.Picked mine) {
      return other.path instanceof AccessPath.Picked theirs && mine.contains(theirs);
    }
    return series.rowFilter() == RowFilter.any()
        || (series.rowFilter() instanceof RowPattern mine
            && !mine.onlyTerms()
            && other.series.rowFilter() instanceof RowPattern theirs
            && mine.terms().stream()
                .allMatch(term -> theirs.terms().stream().anyMatch(by -> isImplied(term, by))));
  }

  /** Whether all row keys that meet one condition meet another. */
  private static boolean isImplied(Term term, Term by) {
    return Arrays.equals(term.key(), by.key())
        && switch (term.presence()) {
          case ANY_VALUE -> by.presence() != Presence.ABSENT;
          case ABSENT -> by.presence() == Presence.ABSENT;
          case ONE_OF ->
              by.presence() == Presence.ONE_OF
                  && AccessPath.containsAll(term.values(), by.values());
        };
  }

  /**
   * The rows of a slice, hour by hour.
   *
   * @param abandoned whether to stop; may throw
   */
  public RowCursor rows(Slice slice, BooleanSupplier abandoned) {
    RolledPart rolled = route.rolled();
    RowCursor stored = storedRows(slice, abandoned);
    return rolled == null || rolled.unusable().isEmpty()
        ? stored
        : new RowsWithUnusable(
            stored, keys().schema().saltWidth(), RolledLegs.missing(this, rolled, slice));
  }

  private RowCursor storedRows(Slice slice, BooleanSupplier abandoned) {
    if (path instanceof AccessPath.Picked picked) {
      return new PickedRows(this, picked, slice.hours(), abandoned);
    }
    List<Scan> scans =
        scans(slice.hours(), slice.firstSalt(), slice.stopSalt()).stream()
            .map(scan -> slice.within(scan).check(() -> checked(abandoned)))
            .toList();
    Family family = source().family();
    return scans.size() == 1
        ? sources.store().scan(family, scans.get(0))
        : new MergedRows(sources.store(), family, scans, keys().schema().saltWidth());
  }

  private static void checked(BooleanSupplier abandoned) {
    // Rows that are skipped after it was abandoned are few; it throws if the query was cancelled.
    var unused = abandoned.getAsBoolean();
  }

  /** All scans of the whole range, one per salt bucket. */
  public List<Scan> allScans() {
    return scans(range(), 0, keys().schema().distinctSalts());
  }

  /** The cells that are read; coded ones stay coded if their bytes are not needed. */
  Columns columns() {
    return options.cells().inStoredOrder() ? Columns.all() : Columns.allAsStored();
  }

  /** The rows of the metric. */
  MetricRows metricRows() {
    return new MetricRows(sources.store(), source().family(), keys(), series.metric());
  }

  /**
   * The scans of some hours and salt buckets, one per bucket.
   *
   * @param firstSalt the first bucket
   * @param stopSalt the bucket after the last
   */
  private List<Scan> scans(ScanRange hours, int firstSalt, int stopSalt) {
    MetricRows rows = metricRows();
    return IntStream.range(firstSalt, stopSalt)
        .mapToObj(bucket -> rows.scan(bucket, hours).filter(series.rowFilter()).columns(columns()))
        .toList();
  }
}
