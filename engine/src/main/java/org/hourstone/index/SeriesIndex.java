package org.hourstone.index;

import com.google.common.collect.Lists;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.index.IndexTable.Entry;
import org.hourstone.index.IndexTable.Freshness;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.UidText;
import org.hourstone.internal.WritesUnderWay;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.jspecify.annotations.Nullable;

/**
 * The index of all series, by metric, tag name and tag value.
 *
 * <p><strong>It can never hide a series.</strong> A result contains every series with a row that
 * was acknowledged before the request, in any data table: a row of points, histograms, annotations
 * or rolled-up values. It may also contain series whose rows were deleted since or are still being
 * written. If this can't be guaranteed, there is no result, and the caller has to read the data
 * table.
 *
 * <p>Every process that uses a store maintains this as follows:
 *
 * <ol>
 *   <li>Before the first row of a series is put, its entry is put into the index table as pending,
 *       the metric's counter there is incremented, the series is announced under the counter's
 *       value, and then the entry is marked done. All writes go through {@link #guarded}. An entry
 *       that another process has left pending is announced again.
 *   <li>A reader reads the counter first. It uses its copy of the metric in memory only if the copy
 *       was read when the counter already had this value, because the entries of all announced
 *       series were then in the table. Otherwise it adds the series announced under the later
 *       values, or reads all entries again.
 *   <li>Only an index that is marked complete is used, see {@link Completeness}. Any process that
 *       finds a row whose series is {@linkplain #observed not in it} marks it incomplete.
 * </ol>
 *
 * <p>A process that writes without knowing of the index, as OpenTSDB does, breaks this: the index
 * must not be used for stores that such processes write to. The index requires only what the SPI
 * guarantees for every store. Thread-safe.
 */
public final class SeriesIndex {
  /** The offset of the TSUID in the row key of an entry. */
  static final int TSUID_FROM = 1;

  /** The maximum number of entries read with one call for series that a scan has found. */
  private static final int ENTRIES_AT_ONCE = 1000;

  /** A quarter of the memory is for the series whose entries are known to be written. */
  private static final int PARTS_FOR_WRITING = 4;

  private final KeyValueStore store;
  private final List<Family> rows;
  private final RowKey keys;
  private final Schema schema;
  private final InstantSource clock;
  private final Completeness completeness;
  private final boolean on;
  private final IndexTable table;
  private final AssignedUids uids;
  private final IndexAge age;
  private final SeriesEntries entries;
  private final LoadedMetrics loaded;
  private final LongAdder answered = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final KnownSeries known;
  private final SeriesLimit limit;
  private final SeriesGrowth growth;
  private final SeriesRemoval removal;
  private final UidRemoval uidRemoval;
  private final WritesUnderWay writes = new WritesUnderWay();
  private final KeyValueStore guarded;
  private final AtomicReference<String> problem = new AtomicReference<>("");

  private volatile long knownGeneration;

  /**
   * @param family the index table's family; must exist if the index is on
   * @param rows all families with row keys like those of points
   * @param ids the family that leads from names to UIDs
   * @param names the family that leads from UIDs to names
   * @param keys the row keys of these families
   */
  public SeriesIndex(
      KeyValueStore store,
      Family family,
      Collection<Family> rows,
      Family ids,
      Family names,
      RowKey keys,
      IndexOptions options,
      InstantSource clock,
      Backoff backoff) {
    this.store = store;
    this.rows = List.copyOf(rows);
    this.keys = keys;
    this.schema = keys.schema();
    this.clock = clock;
    this.on = options.on();
    this.table = new IndexTable(store, family, backoff);
    this.uids = new AssignedUids(store, table, ids, names, schema);
    boolean shared = store.traits().contains(Trait.SHARED);
    this.completeness = new Completeness(table, this.rows, schema, clock, shared);
    long forWriting = options.memoryBytes() / PARTS_FOR_WRITING;
    this.loaded = new LoadedMetrics(table, schema, options.memoryBytes() - forWriting);
    this.known = new KnownSeries(forWriting);
    this.age = new IndexAge(on, table, uids, completeness, problem);
    this.limit =
        new SeriesLimit(
            options.maxSeries(),
            options.maxSeriesPerMetric(),
            keys,
            table,
            completeness,
            this::prepare,
            known,
            clock,
            shared,
            options.memoryBytes() / 2);
    this.growth = new SeriesGrowth(clock);
    this.removal = new SeriesRemoval(table, loaded, known, limit, writes);
    this.uidRemoval = new UidRemoval(keys, writes);
    this.entries =
        new SeriesEntries(
            on,
            store,
            keys,
            table,
            completeness,
            age,
            uids,
            loaded,
            known,
            limit,
            growth,
            removal,
            uidRemoval,
            writes);
    this.guarded = new GuardedStore(store, Set.copyOf(rows), entries, age);
  }

  /**
   * The store through which all data rows must be written. If the index can't be written, it
   * refuses a write, which then has not been applied.
   */
  public KeyValueStore guarded() {
    return guarded;
  }

  /** Whether this process maintains and uses the index. */
  public boolean isOn() {
    return on;
  }

  /**
   * The series of a metric that meet all conditions.
   *
   * @return empty if the index has no result: it is off, not complete, unreadable, or the metric
   *     does not fit in memory
   */
  public Optional<SeriesSet> match(byte[] metric, List<Condition> conditions) {
    return ask(
        metric,
        series -> {
          try {
            return series.match(conditions);
          } finally {
            loaded.asked(metric, series);
          }
        });
  }

  /** Whether there is such a series; empty as for {@link #match}. */
  public Optional<Boolean> contains(byte[] tsuid) {
    return ask(keys.metricOfTsuid(tsuid), series -> series.contains(tsuid));
  }

  /**
   * The number of series of a metric, and the number of values of each of its tag names.
   *
   * @param top the number of most frequent values to count series for
   * @return empty as for {@link #match}
   */
  public Optional<MetricCardinality> cardinality(byte[] metric, int top) {
    return ask(metric, series -> series.cardinality(top));
  }

  /**
   * The number of values of a tag name among the series of a metric; zero if no series has it.
   *
   * @param top as for {@link #cardinality(byte[], int)}; {@link Integer#MAX_VALUE} for all
   * @return empty as for {@link #match}
   */
  public Optional<TagCardinality> cardinality(byte[] metric, byte[] tagk, int top) {
    return ask(
        metric,
        series -> {
          TagCardinality found = series.cardinality(tagk, top);
          return found == null ? new TagCardinality(tagk.clone(), 0, 0, List.of()) : found;
        });
  }

  private <T> Optional<T> ask(byte[] metric, Function<MetricSeries, T> question) {
    MetricSeries series = series(metric);
    return series == null ? Optional.empty() : Optional.of(question.apply(series));
  }

  private @Nullable MetricSeries series(byte[] metric) {
    MetricSeries found = on ? read(metric) : null;
    (found == null ? unanswered : answered).increment();
    return found;
  }

  private @Nullable MetricSeries read(byte[] metric) {
    try {
      age.compare();
      Freshness freshness = table.freshness(metric);
      IndexState state = completeness.read(freshness.state());
      if (state == null || !completeness.isComplete(state)) {
        return null;
      }
      noticeGeneration(state.generation());
      return loaded.get(metric, freshness.counter(), state.generation());
    } catch (StoreException e) {
      problem.set(String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** Drops all copies if the table was created again since they were read. */
  private void noticeGeneration(long generation) {
    if (knownGeneration != generation) {
      if (knownGeneration != 0) {
        known.clear();
      }
      knownGeneration = generation;
    }
  }

  /**
   * Calls back with every metric that has series, ascending, and the number of its series. Also
   * works if the index is not complete. Reads the whole table.
   *
   * @throws StoreException if there is no index
   */
  public void forEachMetric(MetricConsumer action) {
    table.forEachMetric(schema.metricWidth(), action);
  }

  /**
   * Calls back with the TSUIDs of all series, ascending, until the callback returns false. Reads
   * the whole table.
   *
   * @param filter a filter of the table's row keys
   * @param action returns whether to continue
   * @return false, before any callback, if the index can't be used
   */
  boolean forEachSeries(RowFilter filter, Predicate<byte[]> action) {
    if (!on || !isComplete()) {
      return false;
    }
    table.forEachEntry(filter, (tsuid, writeTime) -> action.test(tsuid));
    return true;
  }

  private boolean isComplete() {
    try {
      age.compare();
      return completeness.complete() != null;
    } catch (StoreException e) {
      problem.set(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /**
   * Whether every row is in its own salt bucket. False if that is not known: the index is off, not
   * complete, or can't be read, or rows may have been written with another number of buckets.
   */
  public boolean hasOwnBucketsOnly() {
    if (schema.saltWidth() == 0 || !on) {
      return schema.saltWidth() == 0;
    }
    try {
      age.compare();
      return completeness.hasOwnBucketsOnly();
    } catch (StoreException e) {
      problem.set(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /**
   * Reports series whose rows were found in a data table. If one of them is missing from a complete
   * index, a process has written without maintaining the index, and it is marked incomplete.
   *
   * @return whether all of them were in the index; also true if the index is not used or can't be
   *     read
   */
  public boolean observed(Collection<byte[]> tsuids) {
    if (!on) {
      return true;
    }
    int use = writes.begin();
    try {
      tsuids.forEach(removal::keep);
      List<byte[]> unknown = tsuids.stream().filter(tsuid -> !isKnown(tsuid)).toList();
      return Lists.partition(unknown, ENTRIES_AT_ONCE).stream().allMatch(this::areEntered);
    } catch (StoreException e) {
      // The caller already has the series and does not need the index.
      problem.set("it could not be read: " + e.getMessage());
      return true;
    } finally {
      writes.end(use);
    }
  }

  private boolean areEntered(List<byte[]> unknown) {
    if (completeness.complete() == null) {
      return true;
    }
    // The rows are older than this read: if there is no entry now, there was none when they were
    // put.
    List<Entry> entries = table.entries(unknown);
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) == Entry.ABSENT && !removal.wasRemoved(unknown.get(i))) {
        problem.set("series " + UidText.format(unknown.get(i)) + " was written past the index");
        completeness.invalidate();
        return false;
      }
      if (entries.get(i) == Entry.DONE) {
        known.add(unknown.get(i));
      }
    }
    return true;
  }

  private boolean isKnown(byte[] tsuid) {
    return known.contains(tsuid) || loaded.has(keys.metricOfTsuid(tsuid), tsuid);
  }

  /**
   * As a put through the {@linkplain #guarded guarded} store, for rows that become readable before
   * they are put. Throws the same exceptions.
   *
   * @param rows all different
   * @param show makes them readable
   */
  public void showing(List<byte[]> rows, Runnable show) {
    entries.puttingRows(
        rows,
        () -> {
          show.run();
          return true;
        });
  }

  /**
   * Called after rows were put and before they are acknowledged, as {@link Completeness} requires.
   *
   * @throws StoreException UNKNOWN if they must not be acknowledged, since the index may lack them
   */
  public void afterPuts() {
    entries.afterPuts();
  }

  /** The number of series that this process has written and that were not in the index before. */
  public long created() {
    return entries.created();
  }

  /** The limits of the number of series. */
  public SeriesLimit limit() {
    return limit;
  }

  /** Removes series that have no row left. */
  public SeriesRemoval removal() {
    return removal;
  }

  /** Lets UIDs that nothing uses lose their names. */
  public UidRemoval uidRemoval() {
    return uidRemoval;
  }

  /**
   * Calls back with the TSUIDs of all entries, ascending, whether or not the index is complete.
   *
   * @throws StoreException if there is no index
   */
  public void forEachEntry(Consumer<byte[]> action) {
    table.forEachEntry(
        RowFilter.any(),
        (tsuid, enteredAt) -> {
          action.accept(tsuid);
          return true;
        });
  }

  /** All families with rows of series. */
  public List<Family> rowFamilies() {
    return rows;
  }

  /** Whether the index has series of other tables than {@link #rowFamilies}. */
  public boolean coversOtherTables() {
    IndexState state = completeness.read(table.state());
    return state != null && state.coversMoreThan(rows);
  }

  /** As {@link #created}, of the metrics with most new series within the last hour. */
  public List<MetricGrowth> growth(int top) {
    return growth.top(top);
  }

  /** How it is used; never waits for the store. */
  public IndexUse use() {
    return loaded.use(answered.sum(), unanswered.sum());
  }

  /** The status of the index. Does not throw if the store fails. */
  public IndexStatus status() {
    String text = completeness.text();
    return new IndexStatus(
        on,
        text.equals(IndexStatus.COMPLETE),
        text,
        loaded.size(),
        loaded.memory(),
        String.valueOf(problem.get()));
  }

  /**
   * Returns a rebuild, which enters all series that have rows in the data tables. It may run
   * alongside writers in this and other processes, and may be repeated.
   *
   * @throws IllegalStateException if the index is off, or its table has other UID widths
   */
  public IndexRebuild rebuild(IndexRebuild.Listener listener) {
    if (!on) {
      throw new IllegalStateException("the series index is off (hourstone.index.enable)");
    }
    if (!entries.prepare()) {
      throw new IllegalStateException("the table of the series index has other UID widths");
    }
    return new IndexRebuild(entries, completeness, uids, store, rows, keys, clock, listener);
  }

  /** Drops all cached data. */
  public void dropCaches() {
    loaded.clear();
    known.clear();
  }

  private void prepare() {
    var unused = entries.prepare();
  }
}
