package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.tool.Admin;
import org.hourstone.tool.UidFinding;
import org.hourstone.tool.UidFinding.Repair;
import org.hourstone.tool.UidFsckListener;
import org.hourstone.tool.UidFsckReport;
import org.hourstone.tool.UidProblem;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is wrong with the UID table is found, and mended without loss, on the store under test.
 */
public abstract class UidFsckContract {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);

  @TempDir private Path directory;
  private KeyValueStore store;
  private Tsdb db;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openDatabase() {
    openDatabase(1);
  }

  private void openDatabase(long seed) {
    store = open(StoreFixture.in(directory.resolve("s" + seed), seed));
    db = Tsdb.over(store, TsdbOptions.defaults().with(Settings.CREATE_TABLES, "true"));
  }

  @AfterEach
  final void closeDatabase() {
    if (db != null) { // opening it may have failed, and that is what must be reported
      db.close();
    }
    if (store != null) {
      store.close();
    }
  }

  /** A check of everything. */
  private record Run(UidFsckReport report, List<UidFinding> findings) {
    List<String> texts() {
      return findings.stream().map(UidFinding::toString).toList();
    }
  }

  private static Run fsck(Tsdb of, boolean fix) {
    List<UidFinding> findings = new ArrayList<>();
    UidFsckListener listener =
        new UidFsckListener() {
          @Override
          public void found(UidFinding finding) {
            findings.add(finding);
          }

          @Override
          public void read(long rows) {}
        };
    return new Run(Admin.of(of).uidFsck(fix, fix, listener).run(), findings);
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] uid(int number) {
    return new byte[] {0, 0, (byte) number};
  }

  private void put(Family family, byte[] row, UidKind kind, byte[] value) {
    store.put(family, row, latin(kind.qualifier()), value);
  }

  private void delete(Family family, byte[] row, String qualifier) {
    store.mutate(family, List.of(new RowMutation(row, new Change.Delete(latin(qualifier)))));
  }

  private byte @Nullable [] cell(Family family, byte[] row, String qualifier) {
    return store.get(family, row, Columns.exactly(latin(qualifier))).find(latin(qualifier));
  }

  private Family forward() {
    return db.engine().tables().uidIds();
  }

  private Family reverse() {
    return db.engine().tables().uidNames();
  }

  /** Metrics a, b, c with UIDs 1 to 3; rows of data under a and c, tags host=web01 and =web02. */
  private void someNames() {
    for (String metric : List.of("a", "b", "c")) {
      db.uids().assign(UidKind.METRIC, metric);
    }
    db.put("a", START, 1, Tags.of("host", "web01"));
    db.put("c", START, 1, Tags.of("host", "web02"));
    db.flush();
  }

  private void assertFixed(String... findings) {
    List<String> before = dump();
    Run preview = fsck(db, false);
    assertThat(dump()).isEqualTo(before);
    assertThat(preview.report().repaired()).isZero();
    assertThat(preview.texts())
        .containsExactlyInAnyOrder(
            Arrays.stream(findings).map(each -> each.split("; fixed")[0]).toArray(String[]::new));
    Run fix = fsck(db, true);
    assertThat(fix.texts()).containsExactlyInAnyOrder(findings);
    assertThat(fix.report().isSound()).isTrue();
    assertThat(fsck(db, true).texts()).isEmpty();
    db.dropCaches();
  }

  @Test
  final void aSoundTableHasNoFindings() {
    someNames();
    Run run = fsck(db, true);
    assertThat(run.findings()).isEmpty();
    assertThat(run.report()).isEqualTo(new UidFsckReport(6, 6, 0, 0));
  }

  @Test
  final void aNameWithoutReverseGetsIt() {
    someNames();
    delete(reverse(), uid(1), "metrics");
    assertFixed("metrics a: 000001, which leads to no name; fixed: 000001 leads to a");
    assertThat(db.uids().name(UidKind.METRIC, uid(1))).isEqualTo("a");
  }

  @Test
  final void theForwardEntryIsBelieved() {
    someNames();
    put(reverse(), uid(1), UidKind.METRIC, latin("zzz"));
    assertFixed("metrics a: 000001, which leads to zzz; fixed: 000001 leads to a");
  }

  @Test
  final void aUidWhoseNameHasNoneIsNotLost() {
    someNames();
    delete(forward(), latin("a"), "metrics");
    assertFixed("metrics 000001: a, which has no UID; fixed: a leads to 000001");
    assertThat(db.uids().uid(UidKind.METRIC, "a")).isEqualTo(uid(1));
  }

  @Test
  final void theNumberOfALostRaceIsRemovedWithItsMetadata() {
    someNames();
    put(reverse(), uid(9), UidKind.METRIC, latin("a"));
    store.put(reverse(), uid(9), latin("metric_meta"), latin("{}"));
    put(forward(), new byte[] {0}, UidKind.METRIC, new byte[] {0, 0, 0, 0, 0, 0, 0, 9});
    assertFixed("metrics 000009: a, whose UID is 000001; fixed: no row uses it; removed");
    assertThat(store.get(reverse(), uid(9), Columns.all()).isEmpty()).isTrue();
  }

  @Test
  final void aSecondUidThatRowsUseGetsANameOfItsOwn() {
    someNames();
    put(forward(), latin("web02"), UidKind.TAGV, uid(1)); // its rows are under 2
    delete(forward(), latin("web01"), "tagv");
    put(reverse(), uid(1), UidKind.TAGV, latin("web02"));
    assertFixed(
        "tagv 000002: web02, whose UID is 000001; fixed: rows use it; its name is"
            + " fsck.web02.000002");
    assertThat(db.uids().uid(UidKind.TAGV, "fsck.web02.000002")).isEqualTo(uid(2));
  }

  @Test
  final void rowsAreFoundWhateverSaltTheyHave() {
    someNames();
    put(reverse(), uid(9), UidKind.METRIC, latin("a"));
    put(forward(), new byte[] {0}, UidKind.METRIC, new byte[] {0, 0, 0, 0, 0, 0, 0, 9});
    byte[] row = HexFormat.of().parseHex("c8" + "000009" + "50e22700" + "000001000001");
    store.put(db.engine().tables().points(), row, new byte[] {0, 0}, new byte[] {1});
    TsdbOptions fewer =
        db.engine().options().with(Settings.SALT_WIDTH, "1").with(Settings.SALT_BUCKETS, "5");
    try (Tsdb salted = Tsdb.over(store, fewer)) {
      assertThat(fsck(salted, true).texts())
          .containsExactly(
              "metrics 000009: a, whose UID is 000001; fixed: rows use it; its name is"
                  + " fsck.a.000009");
    }
  }

  @Test
  final void ofTheNamesOfOneUidTheOneItLeadsToIsKept() {
    someNames();
    put(forward(), latin("twin"), UidKind.METRIC, uid(1));
    assertFixed(
        "metrics a, twin: 000001 is the UID of each, and leads to a; fixed: its name is a, the"
            + " others have no UID");
    assertThat(db.uids().uid(UidKind.METRIC, "a")).isEqualTo(uid(1));
    assertThat(db.uids().find(UidKind.METRIC, "twin")).isNull();

    put(forward(), latin("twin"), UidKind.METRIC, uid(1));
    put(reverse(), uid(1), UidKind.METRIC, latin("twin"));
    assertFixed(
        "metrics a, twin: 000001 is the UID of each, and leads to twin; fixed: its name is twin,"
            + " the others have no UID");
    assertThat(db.uids().uid(UidKind.METRIC, "twin")).isEqualTo(uid(1));
    assertThat(db.uids().find(UidKind.METRIC, "a")).isNull();
  }

  @Test
  final void ofTheNamesOfOneUidThatLeadsToNoneOneIsKept() {
    someNames();
    put(forward(), latin("twin"), UidKind.METRIC, uid(1));
    put(reverse(), uid(1), UidKind.METRIC, latin("lost"));
    assertFixed(
        "metrics a, twin: 000001 is the UID of each, and leads to none of them; fixed: its name is"
            + " a, the others have no UID");
    assertThat(db.uids().name(UidKind.METRIC, uid(1))).isEqualTo("a");
  }

  @Test
  final void entriesOfAWrongWidthAreRemoved() {
    someNames();
    put(forward(), latin("b"), UidKind.METRIC, new byte[] {0, 2});
    put(reverse(), new byte[] {0, 0, 0, 2}, UidKind.TAGK, latin("host"));
    assertFixed(
        "metrics b: 0002, a UID of 2 bytes instead of 3; fixed: entry removed",
        "tagk 00000002: host, a UID of 4 bytes instead of 3; fixed: entry removed",
        "metrics 000002: b, which has no UID; fixed: b leads to 000002");
  }

  @Test
  final void nothingIsRepairedWhereTheConfiguredWidthIsNotThatOfTheData() {
    someNames();
    List<String> before = dump();
    try (Tsdb other =
        Tsdb.over(store, db.engine().options().with(Settings.UID_WIDTH_METRIC, "4"))) {
      Run run = fsck(other, true);
      assertThat(run.findings()).extracting(UidFinding::problem).contains(UidProblem.WIDTHS_DIFFER);
      assertThat(run.findings()).extracting(UidFinding::repair).contains(Repair.LEFT);
      assertThat(run.report().isSound()).isFalse();
    }
    assertThat(dump()).isEqualTo(before);
  }

  @Test
  final void countersAreRaisedButNeverLowered() {
    someNames();
    put(forward(), new byte[] {0}, UidKind.METRIC, new byte[] {0, 0, 0, 0, 0, 0, 0, 2});
    put(forward(), new byte[] {0}, UidKind.TAGK, new byte[] {1, 2, 3});
    put(forward(), new byte[] {0}, UidKind.TAGV, new byte[] {0, 0, 0, 0, 0, 0, 0, 99});
    assertFixed(
        "the counter of metrics is 2, but UIDs go up to 3; fixed: it is 3",
        "the counter of tagk has 3 bytes instead of 8; fixed: it is 1");
    assertThat(db.uids().usage(UidKind.TAGV).assigned()).isEqualTo(99);
  }

  @Test
  final void theCounterOfRandomMetricsMeansNothing() {
    someNames();
    delete(forward(), new byte[] {0}, "metrics");
    try (Tsdb random =
        Tsdb.over(store, db.engine().options().with(Settings.RANDOM_METRICS, "true"))) {
      assertThat(fsck(random, true).findings()).isEmpty();
    }
  }

  @Test
  final void onlyUnknownColumnsAreDeleted() {
    someNames();
    store.put(reverse(), uid(1), latin("metric_meta"), latin("{}"));
    store.put(reverse(), uid(1), latin("ts_meta"), latin("{}"));
    store.put(forward(), latin("a"), latin("ts_ctr"), latin("1"));
    store.put(forward(), latin("a"), latin("xyz"), latin("1"));
    assertFixed("unknown column 78797A in row 61 of tsdb-uid:id; fixed: deleted");
    assertThat(cell(forward(), latin("a"), "xyz")).isNull();
    assertThat(cell(reverse(), uid(1), "ts_meta")).isNotNull();
  }

  @Test
  final void whateverIsDamagedTheSecondRunFindsNothingAndNoDataLosesItsName() {
    for (long seed = 1; seed <= 25; seed++) {
      closeDatabase();
      openDatabase(1000 + seed);
      Random random = new Random(seed);
      for (int i = 0; i < 60; i++) {
        db.put(
            "m" + random.nextInt(15),
            START.plusSeconds(random.nextInt(10_000)),
            i,
            Tags.of("k" + random.nextInt(14), "v" + random.nextInt(30)));
      }
      db.flush();
      for (int i = 0; i < 12; i++) {
        db.uids().assign(List.of(UidKind.values()).get(i % 3), "idle" + i);
      }
      UidCorruption damage = new UidCorruption(store, forward(), reverse(), random);
      List<String> done = new ArrayList<>();
      for (int i = 1 + random.nextInt(8); i > 0; i--) {
        done.add(damage.once());
      }
      String run = "seed " + seed + ", damage " + done;
      Map<String, String> sound = sound();
      Set<String> readable = usedUids();
      readable.retainAll(knownUids());

      List<String> before = dump();
      Run preview = fsck(db, false);
      assertThat(dump()).describedAs(run).isEqualTo(before);
      Run fix = fsck(db, true);
      assertThat(fix.report().isSound()).describedAs("%s: %s", run, fix.texts()).isTrue();
      assertThat(fix.report().found() > 0).describedAs(run).isEqualTo(preview.report().found() > 0);
      assertThat(fsck(db, true).texts()).describedAs("%s: %s", run, fix.texts()).isEmpty();

      Map<String, String> after = sound();
      assertThat(after).describedAs("%s: %s", run, fix.texts()).containsAllEntriesOf(sound);
      assertThat(after.values()).describedAs("%s: %s", run, fix.texts()).containsAll(readable);
    }
  }

  @Test
  final void aCheckThatTheStoreBreaksOffIsDoneAgain() {
    for (long seed = 1; seed <= 6; seed++) {
      for (int i = 0; i < 12; i++) {
        db.uids().uidForWriting(List.of(UidKind.values()).get(i % 3), seed + ".n" + i);
      }
      for (UidKind kind : UidKind.values()) {
        db.put("data", START, 1, Tags.of("host", kind.qualifier()));
      }
      db.flush();
      UidCorruption damage = new UidCorruption(store, forward(), reverse(), new Random(seed));
      for (int i = 0; i < 4; i++) {
        damage.once();
      }
      FaultPlan plan = new FaultPlan(seed).failAll(0.003);
      boolean finished = false;
      for (int attempt = 0; !finished && attempt < 200; attempt++) {
        try (Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), db.engine().options())) {
          finished = fsck(faulty, true).report().isSound();
        } catch (StoreException e) {
          assertThat(e).hasMessageContaining("injected");
        }
      }
      assertThat(finished).describedAs("seed %d", seed).isTrue();
      assertThat(fsck(db, true).texts()).describedAs("seed %d", seed).isEmpty();
      db.dropCaches();
    }
  }

  @Test
  final void writersAreNotDisturbed() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    List<Callable<Map<String, String>>> tasks = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      Tsdb mine = Tsdb.over(store, db.engine().options());
      tasks.add(
          () -> {
            try (mine) {
              Map<String, String> uids = new TreeMap<>();
              for (int i = 0; i < 400; i++) {
                byte[] uid = mine.uids().uidForWriting(UidKind.TAGV, "n" + i);
                uids.put("n" + i, HexFormat.of().formatHex(uid));
              }
              return uids;
            } finally {
              stop.set(true);
            }
          });
    }
    tasks.add(
        () -> {
          while (!stop.get()) {
            fsck(db, true);
          }
          return Map.of();
        });
    Set<Map<String, String>> answers = new HashSet<>(ConcurrentRunner.run(tasks));
    answers.remove(Map.of());
    assertThat(answers).hasSize(1);
    fsck(db, true);
    db.dropCaches();
    answers
        .iterator()
        .next()
        .forEach(
            (name, uid) -> {
              assertThat(HexFormat.of().formatHex(db.uids().uid(UidKind.TAGV, name)))
                  .isEqualTo(uid);
              assertThat(db.uids().name(UidKind.TAGV, HexFormat.of().parseHex(uid)))
                  .isEqualTo(name);
            });
    assertThat(fsck(db, false).texts()).isEmpty();
  }

  /** All cells, as they are stored. */
  private List<String> dump() {
    List<String> dump = new ArrayList<>();
    for (Family family : store.families()) {
      if (family.table().equals("tsdb-journal")) {
        continue; // says which of two open databases has a head
      }
      try (RowCursor rows = store.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          for (int i = 0; i < row.size(); i++) {
            dump.add(
                family
                    + " "
                    + HexFormat.of().formatHex(row.key())
                    + " "
                    + HexFormat.of().formatHex(row.qualifier(i))
                    + " "
                    + HexFormat.of().formatHex(row.value(i)));
          }
        }
      }
    }
    return dump;
  }

  private Map<String, String> entries(Family family) {
    Map<String, String> entries = new TreeMap<>();
    try (RowCursor rows = store.scan(family, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        for (UidKind kind : UidKind.values()) {
          byte[] value = row.find(latin(kind.qualifier()));
          if (value != null && !Arrays.equals(row.key(), new byte[] {0})) {
            entries.put(
                kind.qualifier() + " " + HexFormat.of().formatHex(row.key()),
                kind.qualifier() + " " + HexFormat.of().formatHex(value));
          }
        }
      }
    }
    return entries;
  }

  /** The names that lead to a UID which leads back, and to which no other name leads. */
  private Map<String, String> sound() {
    Map<String, String> forward = entries(forward());
    Map<String, String> reverse = entries(reverse());
    Map<String, String> sound = new TreeMap<>(forward);
    sound
        .entrySet()
        .removeIf(
            entry ->
                !entry.getKey().equals(reverse.get(entry.getValue()))
                    || forward.values().stream().filter(entry.getValue()::equals).count() > 1);
    return sound;
  }

  /** The UIDs that an entry names, in either direction. */
  private Set<String> knownUids() {
    Set<String> known = new TreeSet<>(entries(forward()).values());
    known.addAll(entries(reverse()).keySet());
    return known;
  }

  /** The UIDs in the keys of rows of data. */
  private Set<String> usedUids() {
    Set<String> used = new TreeSet<>();
    try (RowCursor rows = store.scan(db.engine().tables().points(), Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        String key = HexFormat.of().formatHex(row.key());
        used.add("metrics " + key.substring(0, 6));
        used.add("tagk " + key.substring(14, 20));
        used.add("tagv " + key.substring(20, 26));
      }
    }
    return used;
  }
}
