package org.hourstone.index;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.index.IndexState.Status;
import org.hourstone.index.IndexTable.Entry;
import org.hourstone.index.IndexTable.Freshness;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowFilter;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The index of all series, by metric, tag name and tag value.
 *
 * <p><strong>It can never hide a series.</strong> A result contains every series of which a row was
 * acknowledged before the request, in any table of data: of points, histograms, annotations or
 * rolled-up values. It may also contain series whose rows were deleted since or are still being
 * written. If that can't be guaranteed there is no result, and the caller has to read the table of
 * data.
 *
 * <p>Every process that uses a store maintains this as follows:
 *
 * <ol>
 *   <li>Before the first row of a series is put, its entry is put into the index table as pending,
 *       the metric's counter there is incremented, and then the entry is marked done. All writes go
 *       through {@link #guarded}. An entry that another process has left pending is announced
 *       again.
 *   <li>A reader reads the counter first. It uses its copy of the metric in memory only if the copy
 *       was read when the counter already had this value: by then the entries of all announced
 *       series were in the table.
 *   <li>Only an index that is marked complete is used. A process that doesn't keep the index marks
 *       it incomplete before it puts its first row, and checks every {@value #LOOK_SECONDS} seconds
 *       whether it still is; so does any process that finds a row whose series is {@linkplain
 *       #observed not in it}. A {@linkplain #rebuild rebuild} marks it complete only if no process
 *       has marked it incomplete since the rebuild began.
 * </ol>
 *
 * <p>A process that writes without knowing of the index, as OpenTSDB does, breaks this: the index
 * is not for stores that such processes write to. The index requires only what the SPI guarantees
 * for every store. Thread-safe.
 */
public final class SeriesIndex {
  /** How often a process that doesn't keep the index checks whether another has completed it. */
  static final int LOOK_SECONDS = 60;

  /** Where the TSUID begins in a key of the table's entries. */
  static final int TSUID_FROM = 1;

  /** A quarter of the memory is for series known to be written. */
  private static final int PARTS_FOR_WRITING = 4;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeyValueStore store;
  private final List<Family> rows;
  private final RowKey keys;
  private final Schema schema;
  private final InstantSource clock;
  private final boolean on;
  private final IndexTable table;
  private final LoadedMetrics loaded;
  private final KnownSeries known;
  private final KeyValueStore guarded;
  private final AtomicReference<String> problem = new AtomicReference<>("");

  /** Whether entries are put: the table is there, and for series with these UIDs. */
  private volatile boolean keeps;

  private volatile boolean prepared;
  private volatile long lookedAt = Long.MIN_VALUE;
  private volatile long knownGeneration;

  /**
   * @param family the index table's; must exist if the index is on
   * @param rows all families whose rows are keyed as those of points
   * @param keys row keys of these
   */
  public SeriesIndex(
      KeyValueStore store,
      Family family,
      Collection<Family> rows,
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
    long forWriting = options.memoryBytes() / PARTS_FOR_WRITING;
    this.loaded = new LoadedMetrics(table, schema, options.memoryBytes() - forWriting);
    this.known = new KnownSeries(forWriting);
    this.guarded = new GuardedStore(store, Set.copyOf(rows), this);
  }

  /**
   * The store through which all rows of data are to be written. It refuses a write, which then has
   * not been applied, if the index can't be written.
   */
  public KeyValueStore guarded() {
    return guarded;
  }

  /** Whether this process keeps and uses the index. */
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
    return ask(metric, series -> series.match(conditions));
  }

  /** Whether there is such a series; empty as for {@link #match}. */
  public Optional<Boolean> contains(byte[] tsuid) {
    return ask(keys.metricOfTsuid(tsuid), series -> series.contains(tsuid));
  }

  /**
   * How many series a metric has, and how many values each of its tag names.
   *
   * @param top the number of most frequent values to count series for
   * @return empty as for {@link #match}
   */
  public Optional<MetricCardinality> cardinality(byte[] metric, int top) {
    return ask(metric, series -> series.cardinality(top));
  }

  /**
   * How many values a tag name has among the series of a metric; none if no series has it.
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
    if (!on) {
      return null;
    }
    try {
      Freshness freshness = table.freshness(metric);
      IndexState state = read(freshness.state());
      if (state == null || !state.isComplete(rows)) {
        return null;
      }
      noticeGeneration(state.generation());
      return loaded.get(metric, freshness.counter(), state.generation());
    } catch (StoreException e) {
      problem.set(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable IndexState read(byte @Nullable [] stored) {
    IndexState state = stored == null ? null : IndexState.read(stored);
    return state != null && state.fits(schema) ? state : null;
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
   * Calls back with every metric that has series, ascending, and their number. Also works if the
   * index is not complete; reads it whole.
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
   * @param filter on the keys of the table
   * @param action returns whether to continue
   * @return false, before any callback, if the index can't be used
   */
  boolean forEachSeries(RowFilter filter, Predicate<byte[]> action) {
    if (!on || !isComplete()) {
      return false;
    }
    table.forEachEntry(filter, action);
    return true;
  }

  private boolean isComplete() {
    try {
      IndexState state = read(table.state());
      return state != null && state.isComplete(rows);
    } catch (StoreException e) {
      problem.set(String.valueOf(e.getMessage()));
      return false;
    }
  }

  /** Receives a metric. */
  @FunctionalInterface
  public interface MetricConsumer {
    /**
     * @param series how many it has
     */
    void accept(byte[] metric, long series);
  }

  /**
   * Reports series whose rows were found in a table of data. If one of them is missing from a
   * complete index, a process has written without keeping the index, and it is marked incomplete.
   *
   * @return whether all were in it; true also if the index is not used, or can't be read
   */
  public boolean observed(Collection<byte[]> tsuids) {
    if (!on) {
      return true;
    }
    List<byte[]> unknown = tsuids.stream().filter(tsuid -> !isKnown(tsuid)).toList();
    try {
      return unknown.isEmpty() || areEntered(unknown);
    } catch (StoreException e) {
      // The caller has found the series and does not need the index.
      problem.set("it could not be read: " + e.getMessage());
      return true;
    }
  }

  private boolean areEntered(List<byte[]> unknown) {
    IndexState state = read(table.state());
    if (state == null || !state.isComplete(rows)) {
      return true;
    }
    // The rows are older than this read: if there is no entry now, there was none before them.
    List<Entry> entries = table.entries(unknown);
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) == Entry.ABSENT) {
        problem.set("series " + UidText.format(unknown.get(i)) + " was written past the index");
        invalidate();
        return false;
      }
      if (entries.get(i) == Entry.DONE) {
        known.add(unknown.get(i));
      }
    }
    return true;
  }

  private boolean isKnown(byte[] tsuid) {
    if (known.contains(tsuid)) {
      return true;
    }
    MetricSlot slot = loaded.find(keys.metricOfTsuid(tsuid));
    return slot != null && slot.has(tsuid);
  }

  /**
   * Rows are going to be put.
   *
   * @throws StoreException NOT_APPLIED or REJECTED if they must not be
   */
  void beforePuts(List<RowMutation> batch) {
    try {
      if (on) {
        prepare();
      }
      if (!keeps) {
        lookWhetherComplete();
        return;
      }
      Set<Bytes> fresh = null;
      for (RowMutation mutation : batch) {
        if (keys.isSeriesRow(mutation.row()) && puts(mutation)) {
          byte[] tsuid = keys.tsuid(mutation.row());
          if (!known.contains(tsuid)) {
            fresh = fresh == null ? new LinkedHashSet<>() : fresh;
            fresh.add(new Bytes(tsuid));
          }
        }
      }
      if (fresh != null) {
        enter(fresh.stream().map(Bytes::array).toList());
      }
    } catch (StoreException e) {
      Outcome outcome = e.outcome() == Outcome.REJECTED ? e.outcome() : Outcome.NOT_APPLIED;
      throw new StoreException(outcome, "series index: " + e.getMessage(), e);
    }
  }

  private static boolean puts(RowMutation mutation) {
    for (Change change : mutation.changes()) {
      if (!(change instanceof Change.Delete || change instanceof Change.DeleteRow)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Ensures that series have entries and are announced. May be repeated whatever its outcome.
   *
   * @param tsuids all different
   * @return how many had none
   */
  int enter(List<byte[]> tsuids) {
    List<Entry> entries = table.entries(tsuids);
    List<byte[]> absent = new ArrayList<>();
    Map<Bytes, List<byte[]>> undone = new LinkedHashMap<>();
    for (int i = 0; i < tsuids.size(); i++) {
      byte[] tsuid = tsuids.get(i);
      if (entries.get(i) == Entry.ABSENT) {
        absent.add(tsuid);
      }
      if (entries.get(i) != Entry.DONE) {
        undone
            .computeIfAbsent(new Bytes(keys.metricOfTsuid(tsuid)), metric -> new ArrayList<>())
            .add(tsuid);
      }
    }
    if (!undone.isEmpty()) {
      table.putPending(absent);
      undone.forEach((metric, series) -> announce(metric.array(), series));
      table.putDone(undone.values().stream().flatMap(List::stream).toList());
    }
    tsuids.forEach(known::add);
    return absent.size();
  }

  private void announce(byte[] metric, List<byte[]> series) {
    MetricSlot slot = loaded.find(metric);
    if (slot == null) {
      table.increment(metric);
    } else {
      slot.announce(series, () -> table.increment(metric));
    }
  }

  /** Reads the state once, and marks the new index of a new database complete. */
  private void prepare() {
    if (!prepared) {
      synchronized (this) {
        if (!prepared) {
          keeps = findState();
          prepared = true;
        }
      }
    }
  }

  /** Returns whether entries are to be put. */
  private boolean findState() {
    while (true) {
      byte[] stored = table.state();
      IndexState state = stored == null ? null : IndexState.read(stored);
      if (state != null && !state.fits(schema)) {
        return false;
      }
      IndexState found = state == null ? IndexState.of(schema, newNumber()) : state;
      if (stored == null) {
        found = rows.stream().allMatch(this::isEmpty) ? found.complete(rows) : found;
      } else if (found.status() == Status.COMPLETE) {
        found = withEmptyFamilies(found);
      }
      if (found.equals(state) || table.changeState(stored, found)) {
        return true;
      }
    }
  }

  /** Nothing is missing of a table of rolled-up values that was made only now. */
  private IndexState withEmptyFamilies(IndexState state) {
    List<Family> more = new ArrayList<>();
    for (Family family : rows) {
      if (!state.isComplete(List.of(family)) && isEmpty(family)) {
        more.add(family);
      }
    }
    return more.isEmpty() ? state : state.complete(more);
  }

  private boolean isEmpty(Family family) {
    try (RowCursor cursor = store.scan(family, Scan.all().limit(1).rowsPerFetch(1))) {
      return cursor.next() == null;
    }
  }

  static long newNumber() {
    long number = 0;
    while (number == 0) {
      number = RANDOM.nextLong();
    }
    return number;
  }

  /** For a process that puts rows without entries: marks the index incomplete if it is complete. */
  private void lookWhetherComplete() {
    long now = clock.millis();
    long before = lookedAt;
    if (before != Long.MIN_VALUE && now >= before && now - before < LOOK_SECONDS * 1000L) {
      return;
    }
    if (table.exists()) {
      invalidate();
    }
    lookedAt = now;
  }

  /** Marks the index incomplete, which also voids a rebuild in progress. */
  void invalidate() {
    while (true) {
      byte[] stored = table.state();
      IndexState state = stored == null ? null : IndexState.read(stored);
      if (state != null && state.status() == Status.INCOMPLETE) {
        return;
      }
      IndexState update = state == null ? IndexState.of(schema, newNumber()) : state.incomplete();
      if (table.changeState(stored, update)) {
        return;
      }
    }
  }

  /** How the index is. Does not throw because of the store. */
  public IndexStatus status() {
    String text;
    boolean complete = false;
    try {
      byte[] stored = table.state();
      IndexState state = read(stored);
      complete = state != null && state.isComplete(rows);
      if (stored == null) {
        text = "empty";
      } else if (state == null) {
        text = "of another format or other UID widths";
      } else {
        text =
            switch (state.status()) {
              case INCOMPLETE -> "incomplete";
              case REBUILDING -> "incomplete, being rebuilt";
              case COMPLETE -> complete ? "complete" : "complete, but not of all tables";
            };
      }
    } catch (StoreException e) {
      text = e.outcome() == Outcome.REJECTED ? "absent" : "unreadable: " + e.getMessage();
    }
    return new IndexStatus(
        on, complete, text, loaded.size(), loaded.memory(), String.valueOf(problem.get()));
  }

  /**
   * Returns a rebuild, which enters all series that have rows in the tables of data. May run
   * alongside writers here and in other processes, and may be repeated.
   *
   * @throws IllegalStateException if the index is off, or its table has other UID widths
   */
  public IndexRebuild rebuild(IndexRebuild.Listener listener) {
    if (!on) {
      throw new IllegalStateException("the series index is off (hourstone.index.enable)");
    }
    prepare();
    if (!keeps) {
      throw new IllegalStateException("the table of the series index has other UID widths");
    }
    return new IndexRebuild(this, store, table, rows, keys, listener);
  }

  /** Whether an entry is known; called before {@link #enter}. */
  boolean isEntered(byte[] tsuid) {
    return known.contains(tsuid);
  }

  /** Drops all cached data. */
  public void dropCaches() {
    loaded.clear();
    known.clear();
  }
}
