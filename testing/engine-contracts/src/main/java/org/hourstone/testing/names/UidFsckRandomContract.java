package org.hourstone.testing.names;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.kv.Family;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.testing.RepeatedCases;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/**
 * Names are checked and repaired whatever is corrupt, while the store fails, and beside writers.
 */
public abstract class UidFsckRandomContract extends UidFsckCase implements RepeatedCases {
  @Test
  final void whateverIsCorruptTheSecondRunFindsNothingAndNoDataLosesItsName() {
    for (long seed = 1; seed <= scaled(25); seed++) {
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
      UidCorruption corruption = new UidCorruption(store, forward(), reverse(), random);
      List<String> done = new ArrayList<>();
      for (int i = 1 + random.nextInt(8); i > 0; i--) {
        done.add(corruption.once());
      }
      String run = "seed " + seed + ", corruption " + done;
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
      UidCorruption corruption = new UidCorruption(store, forward(), reverse(), new Random(seed));
      for (int i = 0; i < 4; i++) {
        corruption.once();
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
