package org.hourstone.testing.schedule;

import static org.hourstone.testing.schedule.RowsWorld.FAMILY;
import static org.hourstone.testing.schedule.RowsWorld.HOUR;
import static org.hourstone.testing.schedule.RowsWorld.ROW;
import static org.hourstone.testing.schedule.RowsWorld.TABLES;
import static org.hourstone.testing.schedule.RowsWorld.hex;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.codec.Schema;
import org.hourstone.head.Acknowledgement;
import org.hourstone.head.Announcements;
import org.hourstone.head.CellForm;
import org.hourstone.head.CellOptions;
import org.hourstone.head.Head;
import org.hourstone.head.HeadOptions;
import org.hourstone.head.HeadShard;
import org.hourstone.head.OpenRow;
import org.hourstone.head.Waiting;
import org.hourstone.head.WriterOptions;
import org.hourstone.head.Writers;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.SchemaMode;
import org.hourstone.rewrite.CompactionOptions;
import org.hourstone.rewrite.CompactionOptions.Appends;
import org.hourstone.rewrite.CompactionOutcome;
import org.hourstone.rewrite.RowCompactor;
import org.hourstone.rewrite.SealedUntil;
import org.jspecify.annotations.Nullable;

/**
 * One row of a shared store, with a cell of two points at first, whose points are acknowledged by
 * the journal of a writer, which may be paused at every call for as long as others need, may die,
 * and may be taken over while it lives: by other writers after its lease, or by its own next start.
 * A process without a journal writes to the row, and compacts it.
 *
 * <p>What must be true at the end, when the next starts have sealed what is left: each point has a
 * value that was given to it, unless an acknowledged operation began after that one had ended and
 * gave it another. And once its log was taken over, the writer has acknowledged nothing that was
 * put later.
 */
final class JournalWorld extends World {
  static final Family JOURNAL = new Family("tsdb-journal", "j");

  private static final Duration LEASE = Duration.ofSeconds(60);

  /** The least that is enough: afterwards all writes are dated after the compacted cell. */
  private static final Duration QUIET = Duration.ofMillis(2);

  /** By how much the clocks of the store's servers differ at most. */
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(60);

  private static final RowKey KEYS = new RowKey(new Schema(1, 1, 1, 0, 20, 8));
  private static final String WRITER = "a";
  private static final String NEWCOMER = "n";
  private static final byte[] FIRST_LOG = {
    2, 0, 6, 't', 's', 'd', 'b', 0, 'a', 0, 0, 0, 0, 0, 0, 0, 1
  };
  private static final byte[] FENCE = {'F'};
  private static final Announcements NONE =
      new Announcements() {
        @Override
        public void showing(List<byte[]> rows, Runnable show) {
          show.run();
        }

        @Override
        public void after() {}
      };

  private final Map<Integer, Register<Long>> points = new TreeMap<>();

  /** What writers put, and when they first called the store for it. */
  private record Put(Operation operation, int called) {}

  private final List<Put> puts = new ArrayList<>();
  private final List<Operation> takeovers = new ArrayList<>();

  /** Those whose next start seals at the end what they have left. */
  private final List<String> writers = new ArrayList<>(List.of(WRITER));

  /** What compactions of all worlds with the same ones have come to. */
  private final Set<CompactionOutcome.Kind> outcomes;

  /** By the names of actors, what is made of their stores: inserted faults. */
  private final Map<String, UnaryOperator<KeyValueStore>> inserted;

  private long tokens;

  /** A process that is a writer. */
  private final class Writer implements Steps {
    final SimulatedProcess process;
    final String name;
    final Head head;
    private @Nullable HeadShard shard;
    private @Nullable OpenRow row;

    Writer(String actor, String writer) {
      this.process = SimulatedProcess.alone(actor);
      this.name = writer;
      KeyValueStore store = storeOf(process);
      this.head = head(writer, inserted.getOrDefault(actor, same -> same).apply(store));
    }

    /** Whose clock, and the one of the server that has its state, are behind the others. */
    Writer(String actor, String writer, Duration behind) {
      this.process = SimulatedProcess.alone(actor);
      this.name = writer;
      this.head =
          head(
              writer,
              new StateOfServerBehind(storeOf(process), behind),
              () -> instant().minus(behind));
    }

    void begin() {
      head.begin();
      head.replay();
      shard = head.shards(Acknowledgement.JOURNAL, 1, false, (rows, counts) -> {}).get(0);
    }

    private HeadShard shard() {
      return Objects.requireNonNull(shard, "not begun");
    }

    @Override
    public void put(int second, long value) {
      Operation operation = new Operation(process.name + " puts " + second + "=" + value, process);
      point(second).set(operation, value);
      int began = schedule().now();
      try {
        perform(operation, () -> commit(second, value));
      } finally {
        puts.add(new Put(operation, operation.start));
        operation.begin(began); // the record is dated before its call
      }
    }

    private void commit(int second, long value) {
      shard().checkRoom();
      row = shard().row(row, ROW, HOUR, Writer::none);
      shard().add(row, second * 1000, false, 0, value);
      shard().commit(() -> false);
    }

    private static Waiting none() {
      throw new IllegalStateException("the journal has the points");
    }

    @Override
    public void seal() {
      perform(new Operation(process.name + " seals", process), () -> shard().sealAll());
    }

    @Override
    public void renew() {
      perform(new Operation(process.name + " renews its lease", process), head::renewLease);
    }
  }

  /** The states of writers are dated by a server whose clock is behind. */
  private static final class StateOfServerBehind extends ForwardingStore {
    private final long behind;

    StateOfServerBehind(KeyValueStore store, Duration behind) {
      super(store);
      this.behind = behind.toMillis();
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      Row read = super.get(family, row, columns);
      return family.equals(JOURNAL) && read.size() == 1
          ? Row.of(
              read.key(),
              new byte[][] {read.qualifier(0)},
              new byte[][] {read.value(0)},
              new long[] {read.writeTime(0) - behind})
          : read;
    }
  }

  /** What a writer can do. */
  interface Steps {
    void put(int second, long value);

    void seal();

    /** Renews its lease, and publishes until when its rows are sealed. */
    void renew();
  }

  /** What a writer does. */
  interface Script {
    void run(Steps steps);
  }

  JournalWorld(
      Personality personality,
      Map<String, UnaryOperator<KeyValueStore>> inserted,
      Set<CompactionOutcome.Kind> outcomes) {
    super(personality, (HOUR + 600) * 1000, 1);
    this.inserted = inserted;
    this.outcomes = outcomes;
    store().ensure(TABLES.families(), SchemaMode.CREATE);
    store().ensure(List.of(new FamilySpec(JOURNAL, true)), SchemaMode.CREATE);
    Operation initial = Operation.initial();
    store().put(FAMILY, ROW, hex("00000010"), hex("040500"));
    for (int second = 0; second < 4; second++) {
      point(second).set(initial, second > 1 ? null : 4L + second);
    }
  }

  private Register<Long> point(int second) {
    return points.computeIfAbsent(second, any -> new Register<>());
  }

  private Head head(String writer, KeyValueStore over) {
    return head(writer, over, this);
  }

  private Head head(String writer, KeyValueStore over, InstantSource clock) {
    HeadOptions options =
        new HeadOptions(
            1 << 20,
            1 << 20,
            new HeadOptions.Buffering(Duration.ofSeconds(30), 1 << 20, 1 << 20),
            new HeadOptions.Sealing(1000, 2, 1),
            new CellOptions(CellForm.PACKED, DuplicatePolicy.NEWEST_WINS, 1 << 15, false));
    return Head.ofWriter(
        new WriterOptions(writer, LEASE),
        ++tokens,
        over,
        FAMILY,
        JOURNAL,
        KEYS,
        options,
        clock,
        Backoff.none(),
        NONE);
  }

  /** Adds the writer, which has begun before. */
  void writer(Script script) {
    Writer writer = new Writer("writer", WRITER);
    writer.begin();
    actor("writer", writer.process, () -> script.run(writer));
  }

  /** Adds the next start of the writer; the process before need not have ended. */
  void restart(String name, Script script) {
    start(new Writer(name, WRITER), script);
  }

  /** Adds a writer that was not there before. */
  void newcomer(String name, Script script) {
    writers.add(NEWCOMER);
    start(new Writer(name, NEWCOMER), script);
  }

  /** As above; its clock and its server's are as far behind the others as clocks may differ. */
  void newcomerBehind(String name, Script script) {
    writers.add(NEWCOMER);
    start(new Writer(name, NEWCOMER, CLOCKS_DIFFER), script);
  }

  private void start(Writer writer, Script script) {
    String name = writer.process.name;
    actor(
        name,
        writer.process,
        () -> {
          Operation begins = new Operation(name + " begins", writer.process);
          if (writer.name.equals(WRITER)) {
            takeovers.add(begins);
          }
          perform(begins, writer::begin);
          if (begins.acknowledged) {
            script.run(writer);
          }
        });
  }

  /**
   * Adds another writer, which takes over the journal of one that gives no sign of life for its
   * lease, and then puts a point, as a daemon without a journal does.
   */
  void taker(String name, int second, long value) {
    Writer taker = new Writer(name, name);
    taker.begin();
    taker.head.sealExpired(); // it sees the leases
    KeyValueStore store = storeOf(taker.process);
    actor(
        name,
        taker.process,
        () -> {
          advance(LEASE.toMillis());
          Operation takes = new Operation(name + " takes over", taker.process);
          perform(
              takes,
              () -> {
                taker.head.renewLease(); // who could not takes over no other
                taker.head.sealExpired();
              });
          if (takes.acknowledged && isFenced()) {
            takeovers.add(takes);
            put(taker.process, store, second, value);
          }
        });
  }

  /**
   * Adds a process that puts a point as a daemon without a journal does, and compacts the row when
   * it was not written to for a while. The hour is over in this world.
   *
   * @param waits until all clocks are past what it has put; else until its own is
   */
  void compactor(String name, int second, long value, boolean waits) {
    advance((HOUR + 7200) * 1000 - millis());
    SimulatedProcess process = SimulatedProcess.alone(name);
    KeyValueStore store = inserted.getOrDefault(name, same -> same).apply(storeOf(process));
    Writers states = new Writers(store, FAMILY, JOURNAL, Backoff.none(), this);
    RowCompactor compactor =
        new RowCompactor(
            store,
            FAMILY,
            KEYS,
            new CompactionOptions(
                DuplicatePolicy.NEWEST_WINS, false, Appends.MERGED, 1 << 15, QUIET),
            this,
            SealedUntil.of(states::sealedUntil, this));
    actor(
        name,
        process,
        () -> {
          put(process, store, second, value);
          advance(QUIET.plus(waits ? CLOCKS_DIFFER : Duration.ZERO).toMillis());
          Operation compacts = new Operation(name + " compacts", process);
          perform(compacts, () -> outcomes.add(compactor.compact(ROW).kind()));
        });
  }

  private void put(SimulatedProcess process, KeyValueStore store, int second, long value) {
    Operation put = new Operation(process.name + " puts " + second + "=" + value, process);
    point(second).set(put, value);
    String offset = HexFormat.of().toHexDigits((short) (second << 4));
    perform(put, () -> store.put(FAMILY, ROW, hex(offset), new byte[] {(byte) value}));
  }

  /** Whether the log of the writer's first process is. */
  private boolean isFenced() {
    try (RowCursor rows = store().scan(JOURNAL, Scan.prefix(FIRST_LOG))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (Arrays.equals(row.value(0), FENCE)) {
          return true;
        }
      }
      return false;
    }
  }

  @Override
  boolean isScheduled(Family family) {
    return true;
  }

  @Override
  boolean isAnswer(RuntimeException e) {
    return false;
  }

  @Override
  void changed(Step step) {
    // What is in the journal only is read when it is sealed.
  }

  @Override
  void verify(Choices choices) {
    for (Put put : puts) {
      for (Operation takeover : takeovers) {
        boolean isLate = takeover.acknowledged && takeover.end <= put.called;
        boolean isOfFirst = put.operation.name.startsWith("writer");
        if (put.operation.acknowledged && isLate && isOfFirst) {
          throw new AssertionError(put.operation + " was acknowledged after " + takeover);
        }
      }
    }
    for (String writer : writers) {
      Head next = head(writer, store());
      next.begin();
      next.replay();
    }
    check();
  }

  private void check() {
    Map<Integer, Long> read = new TreeMap<>();
    RowPoints decoded = RowsWorld.decode(store().get(FAMILY, ROW, Columns.all()));
    for (int i = 0; i < decoded.size(); i++) {
      read.put(decoded.offset(i) / 1000, decoded.raw(i));
    }
    points.forEach(
        (second, point) -> {
          @Nullable Long value = read.remove(second);
          if (!point.allows(value)) {
            throw new AssertionError(
                "second "
                    + second
                    + " is "
                    + value
                    + ", but was set to "
                    + point
                    + "; the row is "
                    + ScheduledStore.text(store().get(FAMILY, ROW, Columns.all())));
          }
        });
    if (!read.isEmpty()) {
      throw new AssertionError("points that no operation wrote: " + read);
    }
  }
}
