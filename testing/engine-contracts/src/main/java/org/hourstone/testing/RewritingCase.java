package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.query.Query;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.write.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * One random case: two hours of one series get points as single cells, as packs and as appends, of
 * all types, in seconds and milliseconds, in any order and repeatedly, while their rows are
 * compacted and repaired, points are deleted, other writes fall between a row's reading and its
 * rewriting, and the store fails before and after calls. The model is a map of points.
 *
 * <p>Appends have timestamps of their own: an append cell has one write time for all of its points,
 * so it is unknown whether an appended or a plain point is newer.
 */
final class RewritingCase implements AutoCloseable {
  private static final int STEPS = 30;
  private static final int[] PLAIN_OFFSETS = {0, 1, 500, 1000, 2000, 59_000, 3_599_000, 3_599_999};
  private static final int[] APPENDED_OFFSETS = {3, 4000, 4001, 60_000, 3_598_000};
  private static final String[] CELL_BOUNDS = {"0", "32768", "40", "1"};

  /** A point's value, with the text it is read as. */
  private record Value(Object number, String text) {}

  private final long seed;
  private final Random random;
  private final ManualClock clock;
  private final KeyValueStore store;
  private final FaultPlan faults;
  private final String metric;
  private final long firstHour;
  private final TsdbOptions options;
  private final TreeMap<Long, String> model = new TreeMap<>();
  private final List<String> steps = new ArrayList<>();

  private Tsdb singles;
  private Tsdb packs;
  private Tsdb appends;
  private Tsdb rows;
  private long rewritten;

  /** While set, batches wait, so that points added in this time become one batch. */
  private volatile @Nullable CountDownLatch gate;

  private volatile @Nullable CountDownLatch arrived;
  private @Nullable Runnable intruder;

  /** How many replacements come before the one that the intruder precedes. */
  private int intrudeBefore;

  RewritingCase(KeyValueStore store, ManualClock clock, long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    this.clock = clock;
    this.faults = new FaultPlan(seed).partialBatches(0);
    this.store = new FaultyStore(store, faults, this::before);
    this.metric = "m" + seed;
    long hours = clock.millis() / 3_600_000;
    this.firstHour = (hours - 10) * 3_600_000;
    this.options =
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.COMPACTION_QUIET, "1")
            .with(MemorySettings.WRITE_THREADS, "1")
            .with(Settings.FLUSH_INTERVAL, "0")
            .with(Settings.MAX_CELL_BYTES, one(CELL_BOUNDS))
            .with(Settings.COMPACT_APPENDS, random.nextBoolean() ? "true" : "false")
            .with(Settings.REPAIR_APPENDS, random.nextBoolean() ? "true" : "false");
    this.singles = Tsdb.over(this.store, options.with(Settings.WRITE_PACKS, "false"));
    this.packs = Tsdb.over(this.store, options.with(Settings.WRITE_PACKS, "true"));
    this.appends = Tsdb.over(this.store, options.with(Settings.ENABLE_APPENDS, "true"));
    this.rows = Tsdb.over(this.store, options.with(Settings.STRICT, "deletion"));
  }

  /** Plays it; answers how many rows were rewritten. */
  long play() {
    try {
      write();
      for (int i = 0; i < STEPS; i++) {
        step();
      }
      compact(null);
      check();
      CompactionReport again = compact(null);
      assertThat(again.rewritten()).describedAs("rows rewritten a second time").isZero();
      check();
      return rewritten;
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "-Dhourstone.rewriting.seed=" + seed + ":\n  " + String.join("\n  ", steps), e);
    }
  }

  private void step() {
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3, 4 -> write();
      case 5 -> reopen();
      case 6 -> {
        intrudeBefore = random.nextInt(2);
        intruder =
            switch (random.nextInt(4)) {
              case 0, 1 -> this::write;
              case 2 -> this::delete;
              default -> () -> compact(null);
            };
        compact(null);
        intruder = null;
      }
      case 7 -> compact(one(Fault.values()));
      case 8 -> compact(null);
      default -> delete();
    }
    check();
  }

  /** Deletes the points of a span, or a row; failed deletions are repeated. */
  private void delete() {
    long hour = firstHour + (random.nextInt(4) == 0 ? 3_600_000 : 0);
    boolean wholeRow = random.nextInt(3) == 0;
    long from = hour + (wholeRow ? 1_800_000 : one(PLAIN_OFFSETS));
    long to = from + 1 + one(APPENDED_OFFSETS) / (wholeRow ? 3 : 1);
    Fault fault = random.nextInt(4) == 0 ? one(Fault.values()) : null;
    steps.add(
        (wholeRow ? "delete the row of " : "delete ")
            + from
            + ".."
            + to
            + (fault == null ? "" : ", " + fault));
    if (model.isEmpty()) {
      return; // the metric may have no name yet
    }
    if (fault != null) {
      faults.failCall(Operation.REPLACE_CELLS, 1, fault);
    }
    Query query = Query.metric(metric).betweenMillis(from, to);
    Tsdb db = wholeRow ? rows : singles;
    try {
      db.delete(query);
    } catch (StoreException e) {
      assertThat(fault).describedAs(e.getMessage()).isNotNull();
      db.delete(query);
    } finally {
      faults.calm();
    }
    long firstGone = wholeRow ? hour : from;
    long lastGone = wholeRow ? hour + 3_599_999 : to;
    model.subMap(firstGone, lastGone + 1).clear();
  }

  private void write() {
    switch (random.nextInt(3)) {
      case 0 -> write("single", singles, PLAIN_OFFSETS, 1);
      case 1 -> write("batch", packs, PLAIN_OFFSETS, 1 + random.nextInt(12));
      default -> write("append", appends, APPENDED_OFFSETS, 1 + random.nextInt(5));
    }
  }

  /** Writes points as one batch. */
  private void write(String how, Tsdb db, int[] offsets, int count) {
    List<String> written = new ArrayList<>();
    Failures failures = new Failures();
    holdBatches(db, failures);
    for (int i = 0; i < count; i++) {
      long millis = firstHour + (random.nextInt(4) == 0 ? 3_600_000 : 0) + one(offsets);
      long timestamp = millis % 1000 == 0 && random.nextBoolean() ? millis / 1000 : millis;
      Value value = value();
      put(db, metric, timestamp, value, failures);
      model.put(millis, value.text());
      written.add(timestamp + "=" + value.number());
    }
    Fault fault = random.nextInt(4) == 0 ? one(Fault.values()) : null;
    if (fault != null) {
      faults.failCall(Operation.MUTATE, 2, fault); // the first is the batch that is being held
    }
    steps.add(how + " " + String.join(" ", written) + (fault == null ? "" : ", " + fault));
    letBatchesGo();
    db.writer().flush();
    faults.calm();
    assertThat(failures.all).isEmpty();
  }

  private Value value() {
    long bits = random.nextInt(3) == 0 ? random.nextInt(3) : random.nextLong();
    return switch (random.nextInt(6)) {
      case 0, 1 -> integer((byte) bits);
      case 2 -> integer((short) bits);
      case 3 -> integer(random.nextBoolean() ? (int) bits : bits);
      case 4 -> {
        float number = random.nextInt(3) == 0 ? 1.0f : random.nextFloat();
        yield new Value(number, Double.toString(number));
      }
      default -> {
        double number = random.nextInt(3) == 0 ? 1.0 : random.nextDouble();
        yield new Value(number, Double.toString(number));
      }
    };
  }

  private static Value integer(long number) {
    return new Value(number, Long.toString(number));
  }

  private static void put(Tsdb db, String metric, long timestamp, Value value, Receipt receipt) {
    Map<String, String> tags = Map.of("host", "a");
    if (value.number() instanceof Long number) {
      db.writer().put(metric, tags, timestamp, number, receipt, 0);
    } else if (value.number() instanceof Float number) {
      db.writer().put(metric, tags, timestamp, number, receipt, 0);
    } else if (value.number() instanceof Double number) {
      db.writer().put(metric, tags, timestamp, number, receipt, 0);
    }
  }

  /** Makes the writing thread wait in a batch of a point that no test reads. */
  private void holdBatches(Tsdb db, Receipt receipt) {
    put(db, metric, 0, integer(0), receipt); // resolves the names, which must not wait
    db.writer().flush();
    CountDownLatch here = new CountDownLatch(1);
    arrived = here;
    gate = new CountDownLatch(1);
    put(db, metric, 0, integer(0), receipt);
    await(here);
  }

  private void letBatchesGo() {
    CountDownLatch closed = gate;
    gate = null;
    if (closed != null) {
      closed.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private void before(Operation operation) {
    CountDownLatch closed = gate;
    CountDownLatch here = arrived;
    if (operation == Operation.MUTATE && closed != null && here != null) {
      here.countDown();
      await(closed);
    }
    Runnable now = intruder;
    if (operation == Operation.REPLACE_CELLS && now != null && intrudeBefore-- == 0) {
      intruder = null;
      steps.add("before the row is replaced:");
      now.run();
    }
  }

  /**
   * Compacts both rows, as one of the processes.
   *
   * @param crash how the first rewriting fails, or any call, which ends the run
   */
  private CompactionReport compact(@Nullable Fault crash) {
    clock.advance(Duration.ofSeconds(2));
    steps.add("compact" + (crash == null ? "" : ", crash: " + crash));
    if (crash != null && random.nextBoolean()) {
      faults.failCall(Operation.REPLACE_CELLS, 1, crash);
    } else if (crash != null) {
      faults.failCall(1 + random.nextInt(8), crash);
    }
    try {
      CompactionReport report =
          one(new Tsdb[] {singles, packs, appends})
              .compactor()
              .run(
                  CompactionScope.everything()
                      .ofMetric(metric)
                      .between(firstHour, firstHour + 3_600_000),
                  CompactionListener.NONE);
      assertThat(report.skipped()).isZero();
      rewritten += report.rewritten();
      return report;
    } catch (StoreException e) {
      assertThat(crash).describedAs(e.getMessage()).isNotNull();
      return new CompactionReport(0, 0, 0, 0, 0, 0);
    } finally {
      faults.calm();
    }
  }

  /** As another process, with another bound of cells. */
  private void reopen() {
    String bound = one(CELL_BOUNDS);
    steps.add("reopen, cells of at most " + bound + " bytes");
    close();
    singles = Tsdb.over(store, singles.engine().options().with(Settings.MAX_CELL_BYTES, bound));
    packs = Tsdb.over(store, packs.engine().options().with(Settings.MAX_CELL_BYTES, bound));
    appends = Tsdb.over(store, appends.engine().options().with(Settings.MAX_CELL_BYTES, bound));
    rows = Tsdb.over(store, rows.engine().options().with(Settings.MAX_CELL_BYTES, bound));
  }

  private void check() {
    if (model.isEmpty()) {
      return;
    }
    Map<Long, String> read = new TreeMap<>();
    Query query = Query.metric(metric).betweenMillis(firstHour, firstHour + 7_200_000);
    try (SeriesCursor series = singles.query(query)) {
      for (ResultSeries one = series.next(); one != null; one = series.next()) {
        for (int i = 0; i < one.size(); i++) {
          assertThat(read.put(one.millis(i), one.text(i))).isNull();
        }
      }
    }
    assertThat(read).isEqualTo(model);
  }

  private int one(int[] of) {
    return of[random.nextInt(of.length)];
  }

  private <T> T one(T[] of) {
    return of[random.nextInt(of.length)];
  }

  @Override
  public void close() {
    singles.close();
    packs.close();
    appends.close();
    rows.close();
  }

  /** Keeps what failed. */
  private static final class Failures implements Receipt {
    final List<RuntimeException> all = new ArrayList<>();

    @Override
    public void stored(long token) {}

    @Override
    public synchronized void failed(long token, RuntimeException reason) {
      all.add(reason);
    }
  }
}
