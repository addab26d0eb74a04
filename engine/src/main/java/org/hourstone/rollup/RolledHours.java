package org.hourstone.rollup;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.primitives.Longs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Timestamps;
import org.hourstone.internal.WritesUnderWay;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.rollup.MarkedHour.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Which hours of a data table are rolled up, and which of their rows must be read nevertheless.
 * Thread-safe.
 *
 * <p>A value that a query takes from a rollup is that of the points: every row of the {@link #done}
 * hours whose points have changed since they were rolled up has a mark, which was stored before the
 * change was, and so before it was acknowledged. The hours for which writers set marks are {@link
 * #announce announced} before the first of their rows is read, and writes that began before are
 * awaited: a write is either seen by the reading, or sets a mark. A mark is removed only if it is
 * the same as before the row was read; a writer that relies on a mark that is already there has
 * begun before it was {@link #forget forgotten}, and is awaited.
 */
public final class RolledHours {
  private static final byte[] STATE = {0};
  private static final byte MARK = 1;
  private static final byte[] AFTER_MARKS = {MARK + 1};
  private static final byte[] DONE = "done".getBytes(UTF_8);
  private static final byte[] BEGUN = "begun".getBytes(UTF_8);
  private static final byte[] EXPIRED = "expired".getBytes(UTF_8);
  private static final byte[] DRIFTED = "drifted".getBytes(UTF_8);
  private static final byte[] INTERVALS = "intervals".getBytes(UTF_8);
  private static final byte[] REASON = "reason".getBytes(UTF_8);

  /** Approximately 100 bytes each. */
  private static final int MOST_KNOWN = 50_000;

  private final KeyValueStore store;
  private final Family family;
  private final RowKey keys;
  private final Object running = new Object();

  /** Held while marks are read and replaced: a less strict one never replaces a stricter one. */
  private final Object marking = new Object();

  private final WritesUnderWay writes = new WritesUnderWay();
  private final AtomicLong number = new AtomicLong(ThreadLocalRandom.current().nextLong());

  /** Rows that have a mark of a change since they were read last. */
  private final Map<Bytes, Reason> known = new ConcurrentHashMap<>();

  private volatile HourRange announced = HourRange.NONE;
  private volatile HourRange done = HourRange.NONE;

  /** Before this hour points may have been deleted because they had expired. */
  private volatile long expiredBefore;

  /** Before this hour points had been deleted as expired when other intervals were set. */
  private volatile long driftedBefore;

  /** Where rolled-up values may exist, done or not. Guarded by this. */
  private HourRange begun = HourRange.NONE;

  /**
   * @param store whose rows of points are not guarded by this
   * @param family of the table that has the state; if it does not exist, no hours are rolled up
   */
  public RolledHours(KeyValueStore store, Family family, RowKey keys) {
    this.store = store;
    this.family = family;
    this.keys = keys;
    if (store.families().contains(family)) {
      load();
    }
  }

  private void load() {
    Row state = store.get(family, STATE, Columns.all());
    byte[] wasDone = state.find(DONE);
    byte[] wasBegun = state.find(BEGUN);
    this.done = wasDone == null ? HourRange.NONE : HourRange.of(wasDone);
    this.begun = wasBegun == null ? HourRange.NONE : HourRange.of(wasBegun);
    byte[] wasExpired = state.find(EXPIRED);
    this.expiredBefore = wasExpired == null ? 0 : Longs.fromByteArray(wasExpired);
    byte[] hasDrifted = state.find(DRIFTED);
    this.driftedBefore = hasDrifted == null ? 0 : Longs.fromByteArray(hasDrifted);
    this.announced = concerned();
  }

  /**
   * The hours that are done, and those before their end whose values are computed again. Later ones
   * were not announced, or were taken back as the clock was ahead: they are announced before they
   * are read, and until then their points are not deleted as expired.
   */
  private HourRange concerned() {
    HourRange again = known(begun);
    return done.isEmpty()
        ? again
        : done.with(again.within(new HourRange(0, Math.max(done.until(), expiredBefore))));
  }

  /**
   * The hours whose values are computed again: these stay where points have expired, so that
   * deletions must be marked also before. Not those of values of unknown origin, which may be all.
   */
  private static HourRange known(HourRange begun) {
    return begun.until() > Timestamps.MAX_SECONDS ? HourRange.NONE : begun;
  }

  /** Held by who rolls up: one at a time. */
  Object running() {
    return running;
  }

  /** Whether there are hours whose rows must be marked. */
  boolean isOn() {
    return !announced.isEmpty();
  }

  /**
   * Points of hours before this one are about to be deleted because they have expired: their
   * rolled-up values stay, also if a rule says later that they have not.
   *
   * @param hour a base time
   */
  public synchronized void expire(long hour) {
    if (hour > expiredBefore && store.families().contains(family)) {
      store.put(family, STATE, EXPIRED, Longs.toByteArray(hour));
      expiredBefore = hour;
    }
  }

  /**
   * Of rows of points that have expired those that must not be deleted yet: they are not rolled up,
   * or have changed since.
   *
   * @param rows their keys, ascending, all with the same salt and metric; at least one
   */
  public Set<Bytes> awaited(List<byte[]> rows) {
    HourRange rolledUp = done;
    Set<Bytes> awaited = new HashSet<>();
    Map<Bytes, Bytes> others = new HashMap<>();
    for (byte[] row : rows) {
      if (!keys.isSeriesRow(row) || rolledUp.contains(keys.baseTime(row))) {
        others.put(new Bytes(unsalted(row)), new Bytes(row));
      } else {
        awaited.add(new Bytes(row));
      }
    }
    if (others.isEmpty()) {
      return awaited;
    }
    forEachMark(
        rows,
        hour -> {
          Bytes changed = hour.reason().isChange() ? others.get(new Bytes(hour.row())) : null;
          if (changed != null) {
            awaited.add(changed);
          }
        });
    return awaited;
  }

  /** Passes the marks from the first of these rows to the last one. */
  private void forEachMark(List<byte[]> rows, Consumer<MarkedHour> action) {
    byte[] first = key(unsalted(rows.get(0)));
    byte[] last = key(unsalted(rows.get(rows.size() - 1)));
    forEachMark(Scan.range(first, Arrays.copyOf(last, last.length + 1)), action);
  }

  /** Passes all marks. */
  void forEachMark(Consumer<MarkedHour> action) {
    if (store.families().contains(family)) {
      forEachMark(Scan.range(new byte[] {MARK}, AFTER_MARKS), action);
    }
  }

  private void forEachMark(Scan marks, Consumer<MarkedHour> action) {
    try (RowCursor cursor = store.scan(family, marks)) {
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        MarkedHour hour = marked(row);
        if (hour != null) {
          action.accept(hour);
        }
      }
    }
  }

  /**
   * Rows of points are about to be deleted because they have expired: their rolled-up values will
   * be all that is left, even if a rule says later that they have not expired. Before they are, as
   * no later run would find the marks of rows that are gone.
   *
   * @param rows as for {@link #awaited}
   */
  public void deleting(List<byte[]> rows) {
    if (!isOn()) {
      return;
    }
    Set<Bytes> deleted = new HashSet<>();
    rows.forEach(row -> deleted.add(new Bytes(unsalted(row))));
    List<MarkedHour> left = new ArrayList<>();
    forEachMark(
        rows,
        hour -> {
          if (!hour.reason().isChange() && deleted.contains(new Bytes(hour.row()))) {
            left.add(hour);
          }
        });
    for (MarkedHour hour : left) {
      boolean unused = settle(hour, null); // unless it was marked again
    }
  }

  /** The hour before which points may have been deleted because they had expired. */
  public long expiredBefore() {
    return expiredBefore;
  }

  /** Whether points of an hour may have been deleted because they had expired. */
  boolean mayHaveExpired(long hour) {
    return hour < expiredBefore;
  }

  /**
   * Whether the values of a day may be of points that the hours from which days are computed now
   * were never rolled up from, as these are of another interval.
   */
  boolean mayHaveDrifted(long day) {
    return day < driftedBefore;
  }

  /** Whether another program may have stored rolled-up values, of points that never were here. */
  synchronized boolean mayBeOfOthers() {
    return begun.until() > Timestamps.MAX_SECONDS;
  }

  /** The hours that are rolled up. */
  public HourRange done() {
    return done;
  }

  /** Whether hours were rolled up to these intervals, or none were. */
  boolean isOf(String intervals) {
    byte[] present =
        store.families().contains(family)
            ? store.get(family, STATE, Columns.exactly(INTERVALS)).find(INTERVALS)
            : null;
    return present == null || Arrays.equals(present, intervals.getBytes(UTF_8));
  }

  /**
   * Forgets what was done with other intervals or tables.
   *
   * @param intervals all that the rolled-up values depend on, as a text
   * @param hasValues whether there may be values that no state says anything about
   * @return whether there was something to forget
   */
  synchronized boolean use(String intervals, BooleanSupplier hasValues) {
    byte[] wanted = intervals.getBytes(UTF_8);
    byte[] present = store.get(family, STATE, Columns.all()).find(INTERVALS);
    if (Arrays.equals(present, wanted)) {
      return false;
    }
    boolean replaces = !done.isEmpty();
    begun =
        present == null && hasValues.getAsBoolean()
            ? new HourRange(0, Timestamps.MAX_SECONDS + 1)
            : begun.with(done);
    done = HourRange.NONE;
    announced = announced.with(known(begun));
    driftedBefore = present == null ? driftedBefore : expiredBefore;
    store.mutate(
        family,
        List.of(
            new RowMutation(
                STATE,
                List.of(
                    new Change.Delete(DONE),
                    new Change.Put(BEGUN, begun.toBytes()),
                    new Change.Put(DRIFTED, Longs.toByteArray(driftedBefore)),
                    new Change.Put(INTERVALS, wanted)))));
    return replaces;
  }

  /** A write begins; returns what {@link #end} needs. */
  public int begin() {
    return writes.begin();
  }

  /** A write has ended: readers see it, or it has failed. */
  public void end(int begunAs) {
    writes.end(begunAs);
  }

  /** Whether a change of the row with this base time must be marked first. */
  public boolean concerns(long baseTime) {
    return announced.contains(baseTime);
  }

  /** Whether changes of rows must be marked first if their base times are in a range. */
  public boolean concerns(long firstHour, long lastHour) {
    HourRange now = announced;
    return lastHour >= now.from() && firstHour < now.until();
  }

  /**
   * Marks the rows that are in announced hours, unless they are marked. Called between {@link
   * #begin} and {@link #end}, before the rows change.
   *
   * @param rows keys of rows of points, and others
   * @throws org.hourstone.kv.StoreException if they can't be marked: they must not change
   */
  public void mark(Collection<byte[]> rows) {
    mark(rows, Reason.CHANGED);
  }

  /** As {@link #mark(Collection)}, of rows in which something is going to be deleted only. */
  void markDeleted(Collection<byte[]> rows) {
    mark(rows, Reason.DELETED);
  }

  private void mark(Collection<byte[]> rows, Reason reason) {
    Set<Bytes> unmarked = new LinkedHashSet<>();
    for (byte[] row : rows) {
      if (keys.isSeriesRow(row) && concerns(keys.baseTime(row))) {
        Bytes unsalted = new Bytes(unsalted(row));
        Reason before = known.get(unsalted);
        if (before == null || reason.isStricterThan(before)) {
          unmarked.add(unsalted);
        }
      }
    }
    if (!unmarked.isEmpty()) {
      synchronized (marking) {
        put(List.copyOf(unmarked), reason);
      }
    }
  }

  /**
   * Stores marks. Each is another one, also of a row that is marked: who has read the present mark
   * may be about to remove it.
   */
  private void put(List<Bytes> unmarked, Reason reason) {
    List<byte[]> marked = unmarked.stream().map(row -> key(row.array())).toList();
    List<Row> present =
        reason == Reason.DELETED ? List.of() : store.get(family, marked, Columns.exactly(REASON));
    List<Reason> stored = new ArrayList<>();
    List<RowMutation> marks = new ArrayList<>();
    for (int i = 0; i < marked.size(); i++) {
      MarkedHour before = present.isEmpty() ? null : marked(present.get(i));
      stored.add(before == null ? reason : stricter(reason, before.reason()));
      byte[] mark = MarkedHour.mark(stored.get(i), number.incrementAndGet());
      marks.add(new RowMutation(marked.get(i), new Change.Put(REASON, mark)));
    }
    store.mutate(family, marks);
    if (known.size() > MOST_KNOWN) {
      known.clear();
    }
    for (int i = 0; i < marked.size(); i++) {
      known.merge(unmarked.get(i), stored.get(i), RolledHours::stricter);
    }
  }

  private static Reason stricter(Reason one, Reason other) {
    return one.isStricterThan(other) ? one : other;
  }

  private byte[] unsalted(byte[] row) {
    return Arrays.copyOfRange(row, keys.schema().saltWidth(), row.length);
  }

  private static byte[] key(byte[] unsalted) {
    byte[] key = new byte[1 + unsalted.length];
    key[0] = MARK;
    System.arraycopy(unsalted, 0, key, 1, unsalted.length);
    return key;
  }

  /**
   * Has writers mark the rows of more hours, and waits for the writes that may not have.
   *
   * @param more adjacent to those that are done
   * @return whether rolled-up values of these hours may exist already; null if it was abandoned
   */
  @Nullable Boolean announce(HourRange more, BooleanSupplier isAbandoned) {
    boolean replaces;
    synchronized (this) {
      replaces = begun.overlaps(more);
      begun = begun.with(more);
      store.put(family, STATE, BEGUN, begun.toBytes());
      announced = announced.with(more);
    }
    return writes.awaitEarlier(isAbandoned) ? replaces : null;
  }

  /** More hours are rolled up, adjacent to those before. */
  synchronized void complete(HourRange more) {
    HourRange all = done.with(more);
    HourRange left = begun.within(all).equals(begun) ? HourRange.NONE : begun;
    store.mutate(
        family,
        List.of(
            new RowMutation(
                STATE,
                List.of(
                    new Change.Put(DONE, all.toBytes()), new Change.Put(BEGUN, left.toBytes())))));
    begun = left;
    done = all;
  }

  /**
   * Hours from this one on are not done, as the clock was ahead when they were rolled up: writes to
   * them would each mark a row.
   */
  synchronized void retract(long until) {
    HourRange left = done.within(new HourRange(0, until));
    // A range that ends later is that of values of others.
    long end = Math.min(done.until(), Timestamps.MAX_SECONDS);
    HourRange all = begun.with(new HourRange(Math.max(until, done.from()), end));
    Change ofDone = left.isEmpty() ? new Change.Delete(DONE) : new Change.Put(DONE, left.toBytes());
    store.mutate(
        family,
        List.of(new RowMutation(STATE, List.of(ofDone, new Change.Put(BEGUN, all.toBytes())))));
    begun = all;
    done = left;
    announced = concerned();
  }

  /**
   * Marks a row that was read, unless it is marked for this reason or a stricter one. It stays as
   * it is if a writer marks it at the same time.
   */
  void markRead(byte[] row, Reason reason) {
    byte[] unsalted = unsalted(row);
    byte[] key = key(unsalted);
    byte[] present = store.get(family, key, Columns.exactly(REASON)).find(REASON);
    if (present == null || reason.isStricterThan(new MarkedHour(unsalted, present).reason())) {
      byte[] mark = MarkedHour.mark(reason, number.incrementAndGet());
      boolean unused = store.compareAndSet(family, key, REASON, present, mark);
    }
  }

  /**
   * The next changed rows of hours that are done.
   *
   * @param after the row after which to begin, without its salt; empty for the first
   */
  List<MarkedHour> changed(byte[] after, int most) {
    List<MarkedHour> marked = new ArrayList<>();
    byte[] start =
        after.length == 0 ? new byte[] {MARK} : Arrays.copyOf(key(after), after.length + 2);
    try (RowCursor rows = store.scan(family, Scan.range(start, AFTER_MARKS))) {
      for (Row row = rows.next(); row != null && marked.size() < most; row = rows.next()) {
        MarkedHour hour = marked(row);
        if (hour != null
            && hour.reason().isChange()
            && keys.isSeriesRow(salted(hour.row()))
            && done.contains(baseTime(hour.row()))) {
          marked.add(hour);
        }
      }
    }
    return marked;
  }

  private static @Nullable MarkedHour marked(Row row) {
    byte[] mark = row.find(REASON);
    return mark == null
        ? null
        : new MarkedHour(Arrays.copyOfRange(row.key(), 1, row.key().length), mark);
  }

  /**
   * Lets writers mark these rows again, and waits for the writes that may rely on the marks.
   *
   * @return whether they have ended
   */
  boolean forget(List<MarkedHour> hours, BooleanSupplier isAbandoned) {
    if (!forgetOnce(hours, isAbandoned)) {
      return false;
    }
    // Again, as a writer that had stored a mark but did not know it yet may have known it since.
    return forgetOnce(hours, isAbandoned);
  }

  private boolean forgetOnce(List<MarkedHour> hours, BooleanSupplier isAbandoned) {
    hours.forEach(hour -> known.remove(new Bytes(hour.row())));
    return writes.awaitEarlier(isAbandoned);
  }

  /**
   * Removes a mark, or replaces it, unless the row was marked again.
   *
   * @param left why the row stays marked; null if it does not
   */
  boolean settle(MarkedHour hour, @Nullable Reason left) {
    return store.compareAndSet(
        family,
        key(hour.row()),
        REASON,
        hour.mark(),
        left == null ? null : MarkedHour.mark(left, number.incrementAndGet()));
  }

  /**
   * Calls back with the rows of a metric that must be read as points, in order.
   *
   * @param hasExpired tests the key of a row without the salt: its points would not be returned,
   *     and the values stand for them unless it has changed
   * @param check called regularly; ends it if it throws
   * @param action receives the key of a row without the salt, returns whether to continue
   * @param annotated receives those that must be read for their annotations only, expired or not
   * @return false if a callback has ended it
   */
  public boolean forEachUnusable(
      byte[] metric,
      HourRange hours,
      Predicate<byte[]> hasExpired,
      Runnable check,
      Predicate<byte[]> action,
      Predicate<byte[]> annotated) {
    Scan marks = Scan.range(bound(metric, hours.from()), bound(metric, hours.until()));
    try (RowCursor cursor = store.scan(family, marks.check(check))) {
      int count = 0;
      for (Row row = cursor.next(); row != null; row = cursor.next()) {
        count++;
        if (count % Scan.ROWS_PER_CHECK == 0) {
          check.run();
        }
        MarkedHour hour = marked(row);
        boolean goesOn =
            hour == null
                || switch (hour.reason()) {
                  case DELETED, CHANGED -> action.test(hour.row());
                  case POINTS -> hasExpired.test(hour.row()) || action.test(hour.row());
                  case ANNOTATIONS -> annotated.test(hour.row());
                };
        if (!goesOn) {
          return false;
        }
      }
    }
    return true;
  }

  private byte[] bound(byte[] metric, long baseTime) {
    byte[] key = Arrays.copyOf(key(metric), 1 + metric.length + Schema.BASE_TIME_WIDTH);
    byte[] time = new byte[keys.schema().saltWidth() + metric.length + Schema.BASE_TIME_WIDTH];
    keys.setBaseTime(time, Math.min(baseTime, 0xFFFF_FFFFL));
    System.arraycopy(
        time,
        time.length - Schema.BASE_TIME_WIDTH,
        key,
        key.length - Schema.BASE_TIME_WIDTH,
        Schema.BASE_TIME_WIDTH);
    return key;
  }

  /** The base time of a row's key without its salt. */
  long baseTime(byte[] unsalted) {
    return keys.baseTime(salted(unsalted));
  }

  /** The TSUID of a row's key without its salt. */
  byte[] tsuid(byte[] unsalted) {
    return keys.tsuid(salted(unsalted));
  }

  /** Whether a row of points has a mark. */
  boolean isMarked(byte[] row) {
    return !store.get(family, key(unsalted(row)), Columns.exactly(REASON)).isEmpty();
  }

  /** The table that has the marks. */
  String table() {
    return family.table();
  }

  /** A row's key without its salt, with zeros in place of that. */
  byte[] salted(byte[] unsalted) {
    int width = keys.schema().saltWidth();
    byte[] row = new byte[width + unsalted.length];
    System.arraycopy(unsalted, 0, row, width, unsalted.length);
    return row;
  }
}
