package org.hourstone.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.table.TableProgress;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.tool.Admin;
import org.hourstone.tool.CopyListener;
import org.hourstone.tool.CopyOptions;
import org.hourstone.tool.CopyOptions.Policy;
import org.hourstone.tool.CopyReport;
import org.hourstone.tool.CopyScope;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Databases to copy between: over the store under test, and over models. */
abstract class CopyCase {
  static final HexFormat HEX = HexFormat.of();

  static final long HOUR = 1_500_001_200;

  @TempDir private Path directory;

  private ManualClock clock = new ManualClock(Instant.parse("2013-01-02T00:00:00Z"));

  final List<AutoCloseable> opened = new ArrayList<>();

  /** Opens the store under test, empty; called once a test. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @AfterEach
  final void close() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  TsdbOptions options(boolean salted) {
    TsdbOptions options =
        TsdbOptions.defaults()
            .withClock(clock)
            .with(Settings.CREATE_TABLES, "true")
            .with(Settings.COMPACTION_BACKGROUND, "false");
    return salted
        ? options.with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "4")
        : options;
  }

  Tsdb over(KeyValueStore store, boolean salted) {
    Tsdb db = Tsdb.over(store, options(salted));
    opened.add(db);
    return db;
  }

  /** The store under test, whose clock is a day after that of the others: cells are of the past. */
  KeyValueStore underTest() {
    StoreFixture fixture = StoreFixture.in(directory.resolve("store" + opened.size()), 1);
    fixture.clock().advance(Duration.ofDays(1));
    clock = fixture.clock();
    KeyValueStore store = open(fixture);
    opened.add(store);
    return store;
  }

  KeyValueStore model() {
    return model(Duration.ZERO);
  }

  KeyValueStore model(Duration ahead) {
    ManualClock modelClock = newClock();
    modelClock.advance(ahead);
    return model(modelClock);
  }

  ManualClock newClock() {
    return StoreFixture.in(directory, 1).clock();
  }

  KeyValueStore model(ManualClock ofModel) {
    KeyValueStore store = new ModelStore(ofModel);
    opened.add(store);
    return store;
  }

  /** Records its notifications. */
  static class Told implements CopyListener {
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
    public void progress(TableProgress progress) {
      assertThat(progress.done()).isLessThanOrEqualTo(progress.ranges());
    }

    @Override
    public void checkpoint(String state) {
      checkpoint = state;
    }
  }

  static CopyReport copy(Tsdb from, Tsdb to) {
    Told told = new Told();
    CopyReport report = copy(from, to, CopyScope.everything(), Policy.REFUSE, told);
    assertThat(told.differences).isEmpty();
    return report;
  }

  static CopyReport copy(
      Tsdb from, Tsdb to, CopyScope scope, Policy policy, CopyListener listener) {
    return Admin.of(from).copyTo(to, scope, new CopyOptions(policy, false, 3), listener).run(null);
  }

  static CopyReport verify(Tsdb from, Tsdb to, CopyListener listener) {
    CopyOptions how = new CopyOptions(Policy.REFUSE, true, 2);
    return Admin.of(from).copyTo(to, CopyScope.everything(), how, listener).run(null);
  }

  /** Fills all tables with cells of all sorts. */
  static void fill(Tsdb db, int seed) {
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

  static void put(
      KeyValueStore store, Family family, byte[] row, byte[] qualifier, byte[] value, long time) {
    store.mutate(
        family, List.of(new RowMutation(row, new Change.PutIfNewer(qualifier, value, time))));
  }

  static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** All cells, with their write times but for those of names, UIDs and counters. */
  static List<String> cells(Tsdb db) {
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

  static void cell(Tsdb db, byte[] row, int qualifier, String value, long time) {
    put(
        db.engine().store(),
        db.engine().tables().points(),
        row,
        new byte[] {(byte) qualifier},
        HEX.parseHex(value),
        time);
  }

  static List<String> cells(Tsdb db, byte[] key) {
    Row row = db.engine().store().get(db.engine().tables().points(), key, Columns.all());
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      cells.add(row.qualifier(i)[0] + "=" + HEX.formatHex(row.value(i)) + "@" + row.writeTime(i));
    }
    return cells;
  }
}
