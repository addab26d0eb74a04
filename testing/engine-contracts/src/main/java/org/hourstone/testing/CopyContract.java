package org.hourstone.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.hourstone.kv.Trait;
import org.hourstone.query.Query;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.tool.Admin;
import org.hourstone.tool.CopyCounts;
import org.hourstone.tool.CopyException;
import org.hourstone.tool.CopyListener;
import org.hourstone.tool.CopyOptions;
import org.hourstone.tool.CopyOptions.Policy;
import org.hourstone.tool.CopyReport;
import org.hourstone.tool.CopyScope;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a store passes this, cells are copied to it and from it without that one is lost or changed,
 * whatever fails meanwhile, and what it has already is not written over unasked.
 */
public abstract class CopyContract {
  static final int KILLS = 60;

  private static final HexFormat HEX = HexFormat.of();
  private static final long HOUR = 1_500_001_200;
  private static final byte[] POINT = {0, 0};

  @TempDir private Path directory;
  private ManualClock clock = new ManualClock(Instant.parse("2013-01-02T00:00:00Z"));
  private final List<AutoCloseable> opened = new ArrayList<>();

  /** Opens the store under test, empty; called once a test. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  /** After how many different calls a copy is killed; for stores that take their time. */
  protected int kills() {
    return KILLS;
  }

  @AfterEach
  final void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  private TsdbOptions options(boolean salted) {
    TsdbOptions options =
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false");
    return salted
        ? options.with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "4")
        : options;
  }

  private Tsdb over(KeyValueStore store, boolean salted) {
    Tsdb db = Tsdb.over(store, options(salted));
    opened.add(db);
    return db;
  }

  /** The store under test, whose clock is a day after that of the others: cells are of the past. */
  private KeyValueStore underTest() {
    StoreFixture fixture = StoreFixture.in(directory.resolve("store" + opened.size()), 1);
    fixture.clock().advance(Duration.ofDays(1));
    clock = fixture.clock();
    KeyValueStore store = open(fixture);
    opened.add(store);
    return store;
  }

  private KeyValueStore model() {
    return model(Duration.ZERO);
  }

  private KeyValueStore model(Duration ahead) {
    ManualClock modelClock = StoreFixture.in(directory, 1).clock();
    modelClock.advance(ahead);
    KeyValueStore store = new ModelStore(modelClock);
    opened.add(store);
    return store;
  }

  /** Records its notifications. */
  private static class Told implements CopyListener {
    final List<String> differences = new ArrayList<>();
    final List<String> notes = new ArrayList<>();
    @Nullable String checkpoint;

    @Override
    public void differs(String what) {
      differences.add(what);
    }

    @Override
    public void note(String what) {
      notes.add(what);
    }

    @Override
    public void progress(long rows, long cells, int done, int parts) {
      assertThat(done).isLessThanOrEqualTo(parts);
    }

    @Override
    public void checkpoint(String state) {
      checkpoint = state;
    }
  }

  private static CopyReport copy(Tsdb from, Tsdb to) {
    Told told = new Told();
    CopyReport report = copy(from, to, CopyScope.everything(), Policy.REFUSE, told);
    assertThat(told.differences).isEmpty();
    return report;
  }

  private static CopyReport copy(
      Tsdb from, Tsdb to, CopyScope scope, Policy policy, CopyListener listener) {
    return Admin.of(from).copyTo(to, scope, new CopyOptions(policy, false, 3), listener).run(null);
  }

  private static CopyReport verify(Tsdb from, Tsdb to, CopyListener listener) {
    CopyOptions how = new CopyOptions(Policy.REFUSE, true, 2);
    return Admin.of(from).copyTo(to, CopyScope.everything(), how, listener).run(null);
  }

  /** Fills all tables with cells of all sorts. */
  private static void fill(Tsdb db, int seed) {
    Random random = new Random(seed);
    KeyValueStore store = db.engine().store();
    List<byte[]> metrics = new ArrayList<>();
    List<byte[]> hosts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      metrics.add(db.uids().assign(UidKind.METRIC, "m" + i));
      hosts.add(db.uids().assign(UidKind.TAGV, "web" + i + '\u00fc'));
    }
    byte[] host = db.uids().assign(UidKind.TAGK, "host");
    RowKey keys = new RowKey(db.engine().options().schema());
    new CorruptTable(random, keys, metrics, host, hosts, new byte[] {9, 9, 9})
        .writeTo(store, db.engine().tables().points());
    byte[] tsuid = keys.tsuid(metrics.get(0), List.of(new TagPair(host, hosts.get(0))));
    byte[] row = keys.rowKey(tsuid, HOUR);
    put(store, db.engine().tables().points(), row, new byte[] {7, 7, 7}, new byte[0], 1_000);
    put(store, db.engine().tables().points(), row, new byte[0], new byte[] {1}, 1_001);
    for (int i = 0; i < 5; i++) {
      byte[] value = new byte[random.nextInt(40)];
      random.nextBytes(value);
      put(
          store,
          db.engine().tables().trees(),
          new byte[] {0, (byte) i},
          bytes("tree"),
          value,
          5_000 + i);
      put(
          store,
          db.engine().tables().seriesMeta(),
          new byte[] {(byte) i, 1},
          bytes("x"),
          value,
          6_000 + i);
    }
    put(store, db.engine().tables().seriesMeta(), tsuid, bytes("ts_meta"), bytes("{}"), 7_000);
    put(store, db.engine().tables().seriesMeta(), tsuid, bytes("ts_ctr"), number(3), 7_001);
    put(
        store,
        db.engine().tables().uidNames(),
        hosts.get(0),
        bytes("tagv_meta"),
        bytes("{}"),
        7_002);
    put(
        store,
        db.engine().tables().uidNames(),
        metrics.get(0),
        bytes("metric_meta"),
        bytes("{}"),
        7_003);
    put(
        store,
        db.engine().tables().uidIds(),
        new byte[] {0},
        bytes("unknown"),
        new byte[] {1},
        7_004);
    put(store, db.engine().tables().uidIds(), bytes("empty"), bytes("tagv"), new byte[0], 7_005);
  }

  private static void put(
      KeyValueStore store, Family family, byte[] row, byte[] qualifier, byte[] value, long time) {
    store.mutate(
        family, List.of(new RowMutation(row, new Change.PutIfNewer(qualifier, value, time))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** All cells, with their write times but for those of names, UIDs and counters. */
  private static List<String> cells(Tsdb db) {
    List<String> cells = new ArrayList<>();
    for (FamilySpec spec : db.engine().tables().families()) {
      Family family = spec.family();
      try (RowCursor rows = db.engine().store().scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          for (int i = 0; i < row.size(); i++) {
            boolean entry =
                family.table().equals(db.engine().tables().uid())
                    && List.of("metrics", "tagk", "tagv")
                        .contains(new String(row.qualifier(i), ISO_8859_1))
                    && row.value(i).length > 0;
            cells.add(
                family.name()
                    + " "
                    + HEX.formatHex(row.key())
                    + " "
                    + HEX.formatHex(row.qualifier(i))
                    + " "
                    + HEX.formatHex(row.value(i))
                    + (entry ? "" : " " + row.writeTime(i)));
          }
        }
      }
    }
    return cells;
  }

  @Test
  final void everyCellIsTheSameThereAndBack() {
    int seed = new Random().nextInt(1000);
    boolean salted = seed % 2 == 1;
    String when = "seed " + seed;
    Tsdb first = over(model(), salted);
    fill(first, seed);
    Tsdb there = over(underTest(), salted);
    Tsdb back = over(model(Duration.ofDays(2)), salted);

    CopyReport forth = copy(first, there);
    CopyReport again = copy(there, back);

    assertThat(cells(there)).as(when).isEqualTo(cells(first));
    assertThat(cells(back)).as(when).isEqualTo(cells(first));
    assertThat(again.families()).as(when).isEqualTo(forth.families());
    assertThat(forth.families().values())
        .allSatisfy(counts -> assertThat(counts.checksum()).isNotZero());
    assertThat(forth.total().targetChecksum()).as(when).isEqualTo(forth.total().checksum());
    assertThat(forth.total().put()).as(when).isEqualTo(forth.total().cells());
    // Counters are raised, not copied.
    assertThat(forth.total().cells()).as(when).isEqualTo(cells(first).size() - 3);
  }

  @Test
  final void whatIsThereAlreadyIsNotPutAgain() {
    Tsdb first = over(model(), true);
    fill(first, 5);
    Tsdb there = over(underTest(), true);
    CopyReport once = copy(first, there);

    CopyReport twice = copy(first, there);

    assertThat(twice.total().put()).isZero();
    assertThat(twice.total().cells()).isEqualTo(once.total().cells());
    assertThat(twice.total().checksum()).isEqualTo(once.total().checksum());
    assertThat(twice.total().targetChecksum()).isEqualTo(once.total().checksum());
  }

  @Test
  final void cellsThatDifferStayOrAreReplacedAsThePolicySays() {
    Tsdb from = over(model(), false);
    Tsdb to = over(underTest(), false);
    Family points = from.engine().tables().points();
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    cell(from, row, 1, "01", 5_000);
    cell(from, row, 2, "01", 5_000);
    cell(from, row, 3, "01", 5_000);
    cell(from, row, 4, "01", 5_000);
    cell(to, row, 1, "02", 4_000); // older there
    cell(to, row, 2, "02", 6_000); // newer there
    cell(to, row, 3, "01", 6_000); // the same, of another time
    cell(to, row, 9, "09", 4_000); // only there

    Told refused = new Told();
    CopyCounts first = copy(from, to, CopyScope.everything(), Policy.REFUSE, refused).total();
    assertThat(cells(to, row))
        .containsExactly("1=02@4000", "2=02@6000", "3=01@6000", "4=01@5000", "9=09@4000");
    assertThat(first.put()).isEqualTo(1);
    assertThat(first.dated()).isEqualTo(1);
    assertThat(first.differing()).isEqualTo(2);
    assertThat(refused.differences)
        .containsExactly(
            "cell 01 of row 00000150e22700000001000001 of "
                + points
                + " is 01 of 5000 in the source and 02 of 4000 in the target",
            "cell 02 of row 00000150e22700000001000001 of "
                + points
                + " is 01 of 5000 in the source and 02 of 6000 in the target");

    Told updated = new Told();
    CopyCounts second = copy(from, to, CopyScope.everything(), Policy.UPDATE, updated).total();
    assertThat(cells(to, row))
        .containsExactly("1=01@5000", "2=02@6000", "3=01@6000", "4=01@5000", "9=09@4000");
    assertThat(second.newer()).isEqualTo(1);
    assertThat(updated.differences).isEmpty();

    Told overwritten = new Told();
    CopyCounts third =
        copy(from, to, CopyScope.everything(), Policy.OVERWRITE, overwritten).total();
    assertThat(cells(to, row))
        .containsExactly("1=01@5000", "2=01@5000", "3=01@5000", "4=01@5000", "9=09@4000");
    assertThat(third.put()).isEqualTo(2);
    assertThat(third.targetChecksum()).isEqualTo(third.checksum());
    assertThat(overwritten.differences).isEmpty();
  }

  /**
   * Does something before the first change to a family: after the copy has seen what the target
   * has.
   */
  private static final class Intruder extends ForwardingStore {
    private final Consumer<KeyValueStore> intrusion;
    private boolean armed;

    Intruder(KeyValueStore store, Consumer<KeyValueStore> intrusion) {
      super(store);
      this.intrusion = intrusion;
    }

    private void intrude(Family family) {
      if (armed && family.name().equals("t")) {
        armed = false;
        intrusion.accept(delegate());
      }
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      intrude(family);
      super.mutate(family, batch);
    }

    @Override
    public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
      intrude(family);
      return super.replaceCells(family, observed, replacement);
    }
  }

  @Test
  final void aCellThatIsWrittenToTheTargetDuringTheCopyStaysAndIsReported() {
    for (Policy policy : Policy.values()) {
      for (Duration ahead : List.of(Duration.ZERO, Duration.ofDays(365 * 100))) {
        for (boolean present : new boolean[] {false, true}) {
          writtenToDuringTheCopy(policy, ahead, present);
        }
      }
    }
  }

  /**
   * @param ahead by how much the source's clock is ahead of others
   * @param present whether the target has an earlier value of the cell
   */
  private void writtenToDuringTheCopy(Policy policy, Duration ahead, boolean present) {
    String when = policy + ", ahead " + ahead + ", present " + present;
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    Tsdb from = over(model(ahead), false);
    from.engine().store().put(from.engine().tables().points(), row, new byte[] {1}, new byte[] {4});
    from.engine().store().put(from.engine().tables().points(), row, new byte[] {2}, new byte[] {5});
    Family points = from.engine().tables().points();
    Intruder target =
        new Intruder(underTest(), store -> store.put(points, row, new byte[] {1}, new byte[] {9}));
    Tsdb to = over(target, false);
    if (present) {
      cell(to, row, 1, "03", 5_000);
    }
    target.armed = true;

    Told told = new Told();
    CopyCounts counts = copy(from, to, CopyScope.everything(), policy, told).total();

    Row copied = to.engine().store().get(points, row, Columns.all());
    assertThat(copied.find(new byte[] {1})).as(when).containsExactly(9);
    assertThat(copied.find(new byte[] {2})).as(when).containsExactly(5);
    assertThat(counts.differing()).as(when).isEqualTo(1);
    assertThat(told.differences).as(when).hasSize(1);
    assertThat(told.differences.get(0)).as(when).contains("cell 01 of row 00000150e227");
  }

  @Test
  final void aCellOfTheFutureIsCopiedWithTheTimeOfTheTarget() {
    Tsdb from = over(model(Duration.ofDays(365 * 100)), false);
    Tsdb to = over(underTest(), false);
    Family points = from.engine().tables().points();
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    from.engine().store().put(points, row, new byte[] {1}, new byte[] {4});

    CopyReport report = copy(from, to);

    assertThat(report.total().put()).isEqualTo(1);
    assertThat(report.total().dated()).isEqualTo(1);
    assertThat(report.total().targetChecksum()).isEqualTo(report.total().checksum());
    to.engine().store().put(points, row, new byte[] {1}, new byte[] {5});
    assertThat(to.engine().store().get(points, row, Columns.all()).value(0)).containsExactly(5);
  }

  private static void cell(Tsdb db, byte[] row, int qualifier, String value, long time) {
    put(
        db.engine().store(),
        db.engine().tables().points(),
        row,
        new byte[] {(byte) qualifier},
        HEX.parseHex(value),
        time);
  }

  private static List<String> cells(Tsdb db, byte[] key) {
    Row row = db.engine().store().get(db.engine().tables().points(), key, Columns.all());
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      cells.add(row.qualifier(i)[0] + "=" + HEX.formatHex(row.value(i)) + "@" + row.writeTime(i));
    }
    return cells;
  }

  @Test
  final void namesThatContradictAreRefusedBeforeAnythingIsWritten() {
    Tsdb from = over(model(), false);
    fill(from, 1);
    from.uids().assign(UidKind.METRIC, "unused");
    Tsdb to = over(underTest(), false);
    to.uids().assign(UidKind.METRIC, "m0");
    to.uids().assign(UidKind.METRIC, "m1");
    to.uids().assign(UidKind.METRIC, "mine");
    List<String> before = cells(to);

    assertThatThrownBy(() -> copy(from, to))
        .isInstanceOf(CopyException.class)
        .hasMessage(
            "nothing is copied, since UIDs contradict each other: metrics 000003 is m2 in the"
                + " source and mine in the target");
    CopyScope used = Admin.of(from).copyScope(List.of(Query.parse("none:m2")));
    assertThatThrownBy(() -> copy(from, to, used, Policy.OVERWRITE, new Told()))
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("metrics 000003 is m2 in the source and mine in the target");
    assertThat(cells(to)).isEqualTo(before);

    CopyScope others =
        Admin.of(from).copyScope(List.of(Query.parse("none:m0"), Query.parse("none:m1")));
    copy(from, to, others, Policy.REFUSE, new Told());
    assertThat(cells(to)).hasSizeGreaterThan(before.size());
    assertThat(to.uids().uid(UidKind.METRIC, "mine")).containsExactly(0, 0, 3);
  }

  /** As where it is assigned in both while they are copied, after its number was looked at. */
  @Test
  final void aNameWhoseUidHasAnotherNameInTheTargetIsNotCopied() {
    Tsdb from = over(model(), false);
    Tsdb to = over(underTest(), false);
    byte[] uid = to.uids().assign(UidKind.METRIC, "theirs");
    put(
        from.engine().store(),
        from.engine().tables().uidIds(),
        bytes("orphan"),
        bytes("metrics"),
        uid,
        1_000);

    assertThatThrownBy(() -> copy(from, to))
        .isInstanceOf(CopyException.class)
        .hasMessageContaining("metrics 000001 is orphan in the source and theirs in the target");
    assertThat(to.uids().find(UidKind.METRIC, "orphan")).isNull();
  }

  @Test
  final void countersAreRaisedAndNeverLowered() {
    Tsdb from = over(model(), false);
    Tsdb to = over(underTest(), false);
    byte[] row = {0};
    put(
        from.engine().store(),
        from.engine().tables().uidIds(),
        row,
        bytes("metrics"),
        number(7),
        1_000);
    put(
        from.engine().store(),
        from.engine().tables().uidIds(),
        row,
        bytes("tagk"),
        number(7),
        1_000);
    put(to.engine().store(), to.engine().tables().uidIds(), row, bytes("tagk"), number(9), 1_000);
    put(to.engine().store(), to.engine().tables().uidIds(), row, bytes("tagv"), number(2), 1_000);

    copy(from, to);

    assertThat(to.uids().assign(UidKind.METRIC, "a")).containsExactly(0, 0, 8);
    assertThat(to.uids().assign(UidKind.TAGK, "a")).containsExactly(0, 0, 10);
    assertThat(to.uids().assign(UidKind.TAGV, "a")).containsExactly(0, 0, 3);
  }

  @Test
  final void namesThatAreAssignedInBothMeanwhileStayOneToOne() throws Exception {
    KeyValueStore source = model();
    AtomicInteger assigned = new AtomicInteger();
    Tsdb from = over(source, false);
    for (int i = 0; i < 200; i++) {
      from.uids().assign(UidKind.TAGV, "v" + i);
    }
    KeyValueStore target = underTest();
    Tsdb to = over(target, false);
    Tsdb other = over(target, false);
    AtomicBoolean copied = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              while (!copied.get() && assigned.get() < 500) {
                other.uids().assign(UidKind.TAGV, "own" + assigned.incrementAndGet());
              }
            });
    Told told =
        new Told() {
          @Override
          public void progress(long rows, long cells, int done, int parts) {
            if (done == 20) {
              from.uids().uidForWriting(UidKind.TAGV, "late");
            }
          }
        };
    writer.start();
    try {
      copy(from, to, CopyScope.everything(), Policy.REFUSE, told);
      assertThat(to.uids().find(UidKind.TAGV, "late")).isNotNull();
    } catch (CopyException e) {
      // One of the first numbers was assigned before the counter was raised.
      assertThat(e).hasMessageContaining("tagv");
    } finally {
      copied.set(true);
      writer.join();
    }

    TreeSet<String> uids = new TreeSet<>();
    AtomicInteger names = new AtomicInteger();
    to.dropCaches();
    to.uids()
        .forEach(
            UidKind.TAGV,
            (name, uid) -> {
              uids.add(HEX.formatHex(uid));
              names.incrementAndGet();
              assertThat(to.uids().name(UidKind.TAGV, uid)).isEqualTo(name);
            });
    assertThat(uids).hasSize(names.get());
    assertThat(told.differences).isEmpty();
  }

  @Test
  final void aMetricAndItsHoursComeWithTheirNamesAndMetadataAlone() {
    Tsdb from = over(model(), true);
    fill(from, 3);
    RowKey keys = new RowKey(from.engine().options().schema());
    byte[] dc = from.uids().assign(UidKind.TAGK, "dc");
    byte[] lga = from.uids().assign(UidKind.TAGV, "lga");
    byte[] nyc = from.uids().assign(UidKind.TAGV, "nyc");
    byte[] m = from.uids().assign(UidKind.METRIC, "wanted");
    byte[] tsuid = keys.tsuid(m, List.of(new TagPair(dc, lga)));
    byte[] othersTsuid = keys.tsuid(m, List.of(new TagPair(dc, nyc)));
    KeyValueStore store = from.engine().store();
    Family points = from.engine().tables().points();
    for (int hour = 0; hour < 4; hour++) {
      put(store, points, keys.rowKey(tsuid, HOUR + hour * 3600L), POINT, new byte[] {1}, 9_000);
      put(store, points, keys.rowKey(othersTsuid, HOUR + hour * 3600L), POINT, POINT, 9_000);
      byte[] global = new byte[keys.schema().tagsOffset()];
      keys.setBaseTime(global, HOUR + hour * 3600L);
      put(store, points, global, new byte[] {1, 0, 5}, bytes("{}"), 9_001);
    }
    put(store, from.engine().tables().seriesMeta(), tsuid, bytes("ts_meta"), bytes("{}"), 9_002);
    put(store, from.engine().tables().seriesMeta(), tsuid, bytes("ts_ctr"), number(4), 9_003);
    put(store, from.engine().tables().uidNames(), lga, bytes("tagv_meta"), bytes("{}"), 9_004);
    Tsdb to = over(underTest(), true);
    CopyScope scope =
        Admin.of(from)
            .copyScope(
                List.of(
                    Query.parse("none:wanted{dc=lga}")
                        .betweenMillis((HOUR + 3600) * 1000, (HOUR + 3 * 3600 - 1) * 1000)));

    copy(from, to, scope, Policy.REFUSE, new Told());

    TreeSet<String> expected = new TreeSet<>();
    for (int hour = 1; hour < 3; hour++) {
      expected.add("t " + HEX.formatHex(keys.rowKey(tsuid, HOUR + hour * 3600L)) + " 0000 01 9000");
      byte[] global = new byte[keys.schema().tagsOffset()];
      keys.setBaseTime(global, HOUR + hour * 3600L);
      expected.add("t " + HEX.formatHex(global) + " 010005 7b7d 9001");
    }
    String series = "name " + HEX.formatHex(tsuid);
    expected.add(series + " 74735f6d657461 7b7d 9002");
    expected.add(series + " 74735f637472 0000000000000004 9003");
    expected.add("name " + HEX.formatHex(lga) + " " + hex("tagv_meta") + " 7b7d 9004");
    entry(expected, "metrics", "wanted", m);
    entry(expected, "tagk", "dc", dc);
    entry(expected, "tagv", "lga", lga);
    for (UidKind kind : UidKind.values()) {
      long last = from.uids().usage(kind).assigned();
      expected.add("id 00 " + hex(kind.qualifier()) + " " + HEX.formatHex(number(last)));
    }
    assertThat(new TreeSet<>(cells(to))).isEqualTo(expected);
  }

  private static void entry(Set<String> cells, String kind, String name, byte[] uid) {
    cells.add("name " + HEX.formatHex(uid) + " " + hex(kind) + " " + hex(name));
    cells.add("id " + hex(name) + " " + hex(kind) + " " + HEX.formatHex(uid));
  }

  private static String hex(String text) {
    return HEX.formatHex(bytes(text));
  }

  @Test
  final void comparingWritesNothingAndFindsWhatIsMissingOrDifferent() {
    Tsdb from = over(model(), false);
    fill(from, 8);
    Tsdb to = over(underTest(), false);
    copy(from, to);
    Told same = new Told();
    assertThat(verify(from, to, same).total().put()).isZero();
    assertThat(same.differences).isEmpty();
    byte[] row = HEX.parseHex("00000250e22700000001000001");
    cell(from, row, 1, "01", 8_000);
    cell(from, row, 2, "01", 8_000);
    cell(to, row, 2, "02", 8_000);
    from.uids().assign(UidKind.METRIC, "new");
    List<String> before = cells(to);

    Told told = new Told();
    CopyCounts counts = verify(from, to, told).total();

    assertThat(counts.put()).isEqualTo(3);
    assertThat(counts.differing()).isEqualTo(1);
    assertThat(counts.targetChecksum()).isNotEqualTo(counts.checksum());
    assertThat(told.differences)
        .hasSize(5)
        .contains(
            "cell 01 of row 00000250e22700000001000001 of "
                + to.engine().tables().points()
                + " is missing in the target",
            "the counter of metrics is 4 in the source and 3 in the target");
    assertThat(cells(to)).isEqualTo(before);
  }

  @Test
  final void aRowThatIsLargerThanABatchIsCopied() {
    Tsdb from = over(model(), false);
    Tsdb to = over(underTest(), false);
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    List<Change> cells = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      byte[] value = new byte[100_000];
      Arrays.fill(value, (byte) i);
      cells.add(new Change.PutIfNewer(new byte[] {(byte) i, 0}, value, 4_000 + i));
    }
    from.engine()
        .store()
        .mutate(from.engine().tables().points(), List.of(new RowMutation(row, cells)));

    assertThat(copy(from, to).total().put()).isEqualTo(30);
    assertThat(cells(to)).isEqualTo(cells(from));
  }

  @Test
  final void aCellThatWasDeletedFromTheTargetIsCopiedOrAnError() {
    Tsdb from = over(model(), false);
    KeyValueStore store = underTest();
    Tsdb to = over(store, false);
    byte[] row = HEX.parseHex("00000150e22700000001000001");
    cell(from, row, 1, "01", 5_000);
    store.put(to.engine().tables().points(), row, new byte[] {1}, new byte[] {2});
    store.mutate(
        to.engine().tables().points(),
        List.of(new RowMutation(row, new Change.Delete(new byte[] {1}))));

    if (!store.traits().contains(Trait.SHARED)) {
      copy(from, to);
      assertThat(cells(to, row)).containsExactly("1=01@5000");
    } else {
      assertThatThrownBy(() -> copy(from, to))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.REJECTED));
    }
  }

  @Test
  final void rowsOfRollupsComeWithTheirMetric() {
    TsdbOptions options =
        options(false)
            .with(Settings.ROLLUPS_ENABLE, "true")
            .with(
                Settings.ROLLUPS_CONFIG,
                """
                {"aggregationIds":{"sum":0},"intervals":[
                {"interval":"1m","table":"tsdb","preAggregationTable":"tsdb-pre","rowSpan":"1h","defaultInterval":true},
                {"interval":"1h","table":"rolled","preAggregationTable":"tsdb-pre","rowSpan":"1d"}]}
                """);
    Tsdb from = Tsdb.over(model(), options);
    opened.add(from);
    Tsdb to = Tsdb.over(underTest(), options);
    opened.add(to);
    byte[] m = from.uids().assign(UidKind.METRIC, "m");
    byte[] host = from.uids().assign(UidKind.TAGK, "host");
    byte[] web = from.uids().assign(UidKind.TAGV, "web");
    RowKey keys = new RowKey(options.schema());
    byte[] tsuid = keys.tsuid(m, List.of(new TagPair(host, web)));
    long day = HOUR - HOUR % 86_400;
    Family rolled = new Family("rolled", "t");
    for (int i = 0; i < 3; i++) {
      byte[] row = keys.rowKey(tsuid, day + i * 86_400L);
      put(from.engine().store(), rolled, row, new byte[] {0, 1, 0}, new byte[] {(byte) i}, 4_000);
    }
    CopyScope scope =
        Admin.of(from)
            .copyScope(
                List.of(
                    Query.parse("none:m")
                        .betweenMillis((day + 90_000) * 1000, (day + 100_000) * 1000)));

    CopyReport report = copy(from, to, scope, Policy.REFUSE, new Told());

    assertThat(report.families())
        .hasEntrySatisfying(rolled, counts -> assertThat(counts.cells()).isEqualTo(1));
    byte[] second = keys.rowKey(tsuid, day + 86_400L);
    assertThat(to.engine().store().get(rolled, second, Columns.all()).value(0)).containsExactly(1);
    assertThat(to.uids().uid(UidKind.METRIC, "m")).isEqualTo(m);
    assertThatThrownBy(() -> copy(from, over(model(), false))).isInstanceOf(RequestException.class);
  }

  @Test
  final void whatFailsNowAndThenIsDoneAgain() {
    Tsdb from = over(model(), true);
    fill(from, 11);
    int seed = new Random().nextInt();
    FaultPlan plan = new FaultPlan(seed);
    Tsdb source = over(new FaultyStore(from.engine().store(), plan), true);
    Tsdb target = over(new FaultyStore(underTest(), plan), true);
    for (Operation operation : Operation.values()) {
      for (FaultPlan.Fault fault : FaultPlan.Fault.values()) {
        plan.fail(operation, fault, 0.02);
      }
    }
    Told told = new Told();

    CopyReport report = copy(source, target, CopyScope.everything(), Policy.REFUSE, told);

    plan.calm();
    assertThat(plan.injected()).as("seed %d", seed).isPositive();
    assertThat(told.differences).as("seed %d", seed).isEmpty();
    assertThat(cells(target)).as("seed %d", seed).isEqualTo(cells(from));
    assertThat(report.total().checksum())
        .as("seed %d", seed)
        .isEqualTo(report.total().targetChecksum());
  }

  /** Its calls end in nothing from some call on, as those of a process that was killed. */
  private static final class Killed extends ForwardingStore {
    private final AtomicInteger left;

    Killed(KeyValueStore delegate, AtomicInteger left) {
      super(delegate);
      this.left = left;
    }

    private void call() {
      if (left.decrementAndGet() < 0) {
        throw new StoreException(Outcome.REJECTED, "killed");
      }
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      if (left.get() == 1 && batch.size() > 1) {
        super.mutate(family, batch.subList(0, batch.size() / 2));
        left.set(0);
      }
      call();
      super.mutate(family, batch);
    }

    @Override
    public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
      call();
      return super.get(family, rows, columns);
    }

    @Override
    public boolean compareAndSet(
        Family family,
        byte[] row,
        byte[] qualifier,
        byte @Nullable [] expected,
        byte @Nullable [] update) {
      call();
      return super.compareAndSet(family, row, qualifier, expected, update);
    }
  }

  @Test
  final void aCopyThatIsKilledAfterAnyCallGoesOnWhereItWas() {
    Tsdb from = over(model(), true);
    fill(from, 13);
    KeyValueStore store = underTest();
    Tsdb to = over(store, true);
    String checkpoint = null;
    List<String> sums = new ArrayList<>();
    byte[] growing = HEX.parseHex("00000150e22700000001000001");
    Told told = new Told();
    boolean complete = false;
    for (int kill = 1; !complete; kill++) {
      // A row that changes all the time, also between a run that was killed and the next.
      cell(from, growing, 1, String.format(Locale.ROOT, "%08x", kill), 10_000 + kill);
      AtomicInteger left = new AtomicInteger(kill <= kills() ? 1 + kill % 7 : Integer.MAX_VALUE);
      Tsdb target = over(new Killed(store, left), true);
      try {
        CopyReport report =
            Admin.of(from)
                .copyTo(
                    target, CopyScope.everything(), new CopyOptions(Policy.REFUSE, false, 1), told)
                .run(checkpoint);
        sums.add(Long.toHexString(report.total().checksum()));
        complete = true;
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("killed");
        checkpoint = told.checkpoint;
      }
    }

    Told last = new Told();
    CopyCounts rest = copy(from, to, CopyScope.everything(), Policy.UPDATE, last).total();
    assertThat(told.differences).isEmpty();
    assertThat(rest.put()).as("the cell that changed after its row was done").isLessThan(2);
    assertThat(cells(to)).isEqualTo(cells(from));
    assertThat(sums).hasSize(1);
  }
}
