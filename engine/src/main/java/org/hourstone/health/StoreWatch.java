package org.hourstone.health;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.LongSupplier;
import org.hourstone.internal.ForeignCode;
import org.hourstone.kv.BatchException;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.StoreHealth;
import org.hourstone.kv.UnreadableRowsException;
import org.jspecify.annotations.Nullable;

/**
 * Watches the calls that are made to a store through {@link #watched}: logs when the store begins
 * to fail or does not answer, and when it is back. Knowing the {@link #state} needs no call of the
 * store, so it never waits. Thread-safe.
 *
 * <p>A call costs a registration, and its time is added up. Whether the store answers is judged by
 * the time of the last look, which is made once a second, so that a row of a scan costs no look at
 * the clock.
 */
public final class StoreWatch implements AutoCloseable {
  private static final int LONGEST_REASON = 400;
  private static final long NEVER = Long.MIN_VALUE;

  /** One thread looks after all stores of the process. */
  private static final ScheduledThreadPoolExecutor LOOKS =
      new ScheduledThreadPoolExecutor(1, StoreWatch::thread);

  static {
    LOOKS.setKeepAliveTime(10, SECONDS);
    LOOKS.allowCoreThreadTimeOut(true);
    LOOKS.setRemoveOnCancelPolicy(true);
  }

  private final KeyValueStore watched;
  private final LongSupplier nanos;
  private final Set<Call> calls = ConcurrentHashMap.newKeySet();
  private final OutageLog log = new OutageLog(this::waitingRows);
  private final Map<String, CallKind> reads = new ConcurrentHashMap<>();
  private final Map<String, CallKind> writes = new ConcurrentHashMap<>();

  /** What the store says of itself; null if it says nothing. */
  private final @Nullable StoreHealth health;

  private final CallKind reported;
  private volatile long now;
  private @Nullable Future<?> looking;

  /** Watches a store; {@link #start} must follow. */
  public StoreWatch(KeyValueStore store) {
    this(store, System::nanoTime);
  }

  StoreWatch(KeyValueStore store, LongSupplier nanos) {
    this.nanos = nanos;
    this.now = nanos.getAsLong();
    this.health = store.extension(StoreHealth.class).orElse(null);
    this.reported = new CallKind("writes", true, log);
    this.watched = new WatchedStore(store, this);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "hourstone-store-watch");
    thread.setDaemon(true);
    return thread;
  }

  /** The store, through which its calls are watched. */
  public KeyValueStore watched() {
    return watched;
  }

  /**
   * Begins to look after it.
   *
   * @param waiting the number of accepted points that are not written yet
   * @param failed the number of accepted points that could not be stored
   */
  public synchronized void start(LongSupplier waiting, LongSupplier failed) {
    count(waiting, failed);
    looking =
        LOOKS.scheduleWithFixedDelay(
            () -> ForeignCode.run(this::look), 1000, 1000, MILLISECONDS); // whatever is thrown
  }

  void count(LongSupplier waiting, LongSupplier failed) {
    log.countPoints(waiting, failed);
  }

  /** The time of the last look. */
  long now() {
    return now;
  }

  CallKind reads(Family family) {
    CallKind known = reads.get(family.table());
    return known == null
        ? reads.computeIfAbsent(
            family.table(), table -> new CallKind("reads of table " + table, false, log))
        : known;
  }

  CallKind writes(Family family) {
    CallKind known = writes.get(family.table());
    return known == null
        ? writes.computeIfAbsent(
            family.table(), table -> new CallKind("writes to table " + table, true, log))
        : known;
  }

  private long waitingRows() {
    return calls.stream().mapToLong(call -> call.rows).sum();
  }

  /**
   * A call begins.
   *
   * @param rows how many rows it writes
   */
  Call begin(CallKind kind, int rows) {
    Call call = new Call(kind, rows, now);
    calls.add(call);
    return call;
  }

  /** A call has ended, or a cursor was closed. */
  void end(Call call) {
    calls.remove(call);
  }

  void answered(Call call) {
    call.kind.answered(now);
  }

  /** A call has failed; one that ends since its thread was interrupted is not the store's fault. */
  void failed(Call call, StoreException e) {
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    CallKind kind = call.kind;
    StoreHealth.Outage outage = kind.writes() ? outage() : null;
    if (outage != null) {
      reported.failed(text(outage.reason()), now); // one outage of all tables, not of each
      return;
    }
    boolean isPartial = e instanceof BatchException batch && batch.outcomes().contains(null);
    if (e instanceof UnreadableRowsException) {
      log.unreadable(text(e), now);
    }
    if (e.outcome() == Outcome.REJECTED) {
      kind.refused(text(e), now);
    } else {
      kind.failed(text(e), now);
    }
    if (isPartial) {
      kind.answered(now);
    }
  }

  private StoreHealth.@Nullable Outage outage() {
    return health == null ? null : health.outage();
  }

  private static String text(StoreException e) {
    Throwable cause = e;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String message = String.valueOf(e.getMessage());
    String last = String.valueOf(cause.getMessage());
    boolean says = cause == e || message.contains(last);
    return text(says ? message : message + " (" + cause + ")");
  }

  private static String text(String reason) {
    String line = reason.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]+", " ");
    return line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + "…" : line;
  }

  /** Looks at the calls in progress. Called once a second. */
  void look() {
    long time = nanos.getAsLong();
    now = time;
    Map<CallKind, Long> longest = new HashMap<>();
    for (Call call : calls) {
      longest.merge(call.kind, call.waited(time), Math::max);
    }
    reads.values().forEach(kind -> kind.look(longest.getOrDefault(kind, 0L), time));
    writes.values().forEach(kind -> kind.look(longest.getOrDefault(kind, 0L), time));
    if (health != null) {
      StoreHealth.Outage outage = health.outage();
      long age = outage == null ? 0 : age(outage);
      reported.reported(outage == null ? null : text(outage.reason()), time - age, time);
      reported.look(0, time);
    }
  }

  private static long age(StoreHealth.Outage outage) {
    Duration age = Duration.between(outage.since(), Instant.now());
    return Math.max(0, age.toNanos());
  }

  /** Whether the store answers. */
  public StoreState state() {
    long time = nanos.getAsLong();
    long silence = 0;
    String reason = null;
    long failedReads = 0;
    long failedWrites = reported.failures();
    for (Collection<CallKind> direction : List.of(reads.values(), writes.values())) {
      long answered = lastAnswer(direction);
      for (CallKind kind : direction) {
        failedReads += kind.writes() ? 0 : kind.failures();
        failedWrites += kind.writes() ? kind.failures() : 0;
        long own = kind.silence(time, answered);
        if (own > silence) {
          silence = own;
          reason = kind.reason();
        }
      }
    }
    StoreHealth.Outage outage = outage();
    if (outage != null) { // the cause of what else fails
      silence = age(outage);
      reason = "writes: " + text(outage.reason());
    }
    long wait = 0;
    for (Call call : calls) {
      wait = Math.max(wait, call.waited(time));
    }
    return new StoreState(
        NANOSECONDS.toSeconds(silence),
        reason,
        NANOSECONDS.toSeconds(wait),
        failedReads,
        failedWrites,
        null);
  }

  /** The calls made so far, by table and direction; never waits for the store. */
  public List<StoreCalls> calls() {
    List<StoreCalls> all = new ArrayList<>();
    new TreeMap<>(reads).forEach((table, kind) -> all.add(kind.calls(table)));
    new TreeMap<>(writes).forEach((table, kind) -> all.add(kind.calls(table)));
    return all;
  }

  private static long lastAnswer(Collection<CallKind> kinds) {
    return kinds.stream().mapToLong(CallKind::lastAnswer).reduce(StoreWatch::later).orElse(NEVER);
  }

  private static long later(long one, long other) {
    return one == NEVER || (other != NEVER && other - one > 0) ? other : one;
  }

  /** Ends the looking. */
  @Override
  public synchronized void close() {
    if (looking != null) {
      looking.cancel(false);
    }
  }
}
