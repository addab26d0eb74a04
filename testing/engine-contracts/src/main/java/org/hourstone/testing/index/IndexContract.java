package org.hourstone.testing.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.RowKey;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.index.Condition;
import org.hourstone.index.IndexRebuild;
import org.hourstone.index.NameTest;
import org.hourstone.kv.StoreException;
import org.hourstone.testing.RepeatedCases;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/**
 * The series index over a store: what it answers has every series that was written before, whatever
 * failed, and however little memory it has.
 */
public abstract class IndexContract extends IndexCase implements RepeatedCases {
  @Test
  final void theIndexOfANewDatabaseIsCompleteFromTheFirstPointOn() {
    assertThat(db.index().status().text()).isEqualTo("empty");
    put(db, "m", host(1));
    put(db, "m", Tags.of("host", "h2", "dc", "lga"));
    put(db, "other", host(1));
    assertThat(db.index().status().complete()).isTrue();
    assertThat(scanned(db, "m")).hasSize(2);
    checkEqual(db, "m");
    checkEqual(db, "other");
    byte[] dc = db.uids().uid(UidKind.TAGK, "dc");
    byte[] h1 = db.uids().uid(UidKind.TAGV, "h1");
    byte[] host = db.uids().uid(UidKind.TAGK, "host");
    assertThat(indexed(db, "m", new Condition.Present(dc)).orElseThrow()).hasSize(1);
    assertThat(indexed(db, "m", new Condition.AnyOf(host, List.of(h1))).orElseThrow()).hasSize(1);
    assertThat(
            indexed(db, "m", new Condition.Absent(dc), new Condition.NoneOf(host, List.of(h1)))
                .orElseThrow())
        .isEmpty();
    List<String> metrics = new ArrayList<>();
    db.index()
        .forEachMetric(
            (uid, series) -> metrics.add(db.uids().name(UidKind.METRIC, uid) + " " + series));
    assertThat(metrics).containsExactly("m 2", "other 1");
  }

  @Test
  final void whateverIsPutInTheDataTableIsEntered() {
    put(db, "m", host(0));
    assertThat(indexed(db, "m").orElseThrow()).hasSize(1);
    db.put("m", START, SimpleHistogram.of(Map.of(new Bucket(0, 1), 5L)), host(1)).join();
    byte[] annotated = db.writer().series("m", host(2).asMap()).tsuid();
    db.annotations()
        .save(
            new Annotation(
                HexFormat.of().withUpperCase().formatHex(annotated),
                START.getEpochSecond(),
                0,
                "why",
                "",
                null),
            true);
    db.putLine("put m 1500001200 1 host=h3").join();
    checkEqual(db, "m");
    assertThat(indexed(db, "m").orElseThrow()).hasSize(4);
  }

  @Test
  final void whatOthersEnterIsSeenAtOnce() {
    Tsdb second = tsdb(options());
    for (int i = 0; i < 10; i++) {
      put(i % 2 == 0 ? db : second, "m", host(i));
      checkEqual(db, "m");
      checkEqual(second, "m");
    }
    assertThat(scanned(db, "m")).hasSize(10);
  }

  @Test
  final void aMetricThatDoesNotFitInMemoryIsNotAnsweredFor() {
    nameHosts(db, 1000);
    for (int i = 0; i < 1000; i++) {
      db.put("large", START, i, host(i));
    }
    db.put("small", START, 1, host(1));
    db.flush();
    checkEqual(db, "large");
    Tsdb tight = tsdb(options().with(Settings.INDEX_MEMORY, "16384"));
    assertThat(indexed(tight, "large")).isEmpty();
    assertThat(tight.index().use().unanswered()).isEqualTo(1);
    checkEqual(tight, "small");
    assertThat(tight.index().use().answered()).isPositive();
    assertThat(tight.index().status().bytesHeld()).isLessThan(16384);
  }

  @Test
  final void metricsThatWereNotUsedForLongMakeRoom() {
    Tsdb tight = tsdb(options().with(Settings.INDEX_MEMORY, "16384"));
    for (int i = 0; i < 100; i++) {
      tight.put("m" + i, START, i, host(i));
    }
    tight.flush();
    for (int i = 0; i < 100; i++) {
      checkEqual(tight, "m" + i);
    }
    assertThat(tight.index().status().metricsHeld()).isBetween(1, 99);
    assertThat(tight.index().use().evicted()).isEqualTo(100 - tight.index().use().metrics());
    assertThat(tight.index().status().bytesHeld()).isLessThan(16384);
    for (int i = 0; i < 100; i++) {
      checkEqual(tight, "m" + i);
    }
  }

  @Test
  final void theTestsOfNamesThatAMetricKeepsCountAsItsMemory() {
    Tsdb tight = tsdb(options().with(Settings.INDEX_MEMORY, "131072"));
    put(tight, "m", host(1));
    checkEqual(tight, "m");
    long before = tight.index().status().bytesHeld();
    askByName(tight, "m", "long".repeat(1000));
    assertThat(tight.index().status().bytesHeld() - before).isBetween(8000L, 9000L);
    for (int i = 0; i < 16; i++) {
      askByName(tight, "m", "short" + i);
    }
    assertThat(tight.index().status().bytesHeld() - before).isLessThan(8000);
    for (int i = 0; i < 40; i++) {
      put(tight, "m" + i, host(1));
      askByName(tight, "m" + i, "long".repeat(1000));
    }
    assertThat(tight.index().status().metricsHeld()).isBetween(1, 39);
    assertThat(tight.index().status().bytesHeld()).isBetween(8000L, 131072L);
  }

  private static void askByName(Tsdb of, String metric, String test) {
    byte[] host = of.uids().uid(UidKind.TAGK, "host");
    Condition condition = new Condition.Matching(host, new AllPass(test));
    assertThat(indexed(of, metric, condition).orElseThrow()).hasSize(1);
  }

  private record AllPass(String text) implements NameTest {
    @Override
    public BitSet passing(List<byte[]> tagvs) {
      BitSet all = new BitSet();
      all.set(0, tagvs.size());
      return all;
    }

    @Override
    public BooleanSupplier validity() {
      return () -> true;
    }
  }

  @Test
  final void aSeriesThatIsFoundButNotEnteredEndsTheUseOfTheIndex() {
    put(db, "m", host(1));
    byte[] known = db.writer().series("m", host(1).asMap()).tsuid();
    byte[] stranger = db.writer().series("m", host(2).asMap()).tsuid();
    assertThat(db.index().observed(List.of(known))).isTrue();
    checkEqual(db, "m");
    // As a program without the index does.
    byte[] row =
        new RowKey(db.engine().options().schema()).rowKey(stranger, START.getEpochSecond());
    store.put(db.engine().tables().points(), row, new byte[] {0, 0}, new byte[] {1});
    assertThat(indexed(db, "m").orElseThrow()).hasSize(1);
    assertThat(db.index().observed(List.of(known, stranger))).isFalse();
    assertThat(indexed(db, "m")).isEmpty();
    assertThat(db.index().status().problem()).contains("written past the index");
    rebuild(db);
    checkEqual(db, "m");
  }

  @Test
  final void withoutTheTableThereIsNoAnswerAndNothingFails() {
    Tsdb other =
        tsdb(
            options()
                .with(Settings.INDEX_ENABLE, "false")
                .with(Settings.INDEX_TABLE, "nosuchtable"));
    put(other, "m", host(1));
    assertThat(indexed(other, "m")).isEmpty();
    assertThat(other.index().status().text()).isEqualTo("absent");
    assertThatThrownBy(() -> rebuild(other)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  final void aTableForOtherUidWidthsIsNotUsed() {
    put(db, "m", host(1));
    Tsdb wider =
        tsdb(
            options()
                .with(Settings.UID_WIDTH_TAGV, "4")
                .with(Settings.UID_TABLE, "other-uid")
                .with(Settings.DATA_TABLE, "other"));
    byte[] uid = db.uids().uid(UidKind.METRIC, "m");
    assertThat(wider.index().match(uid, List.of())).isEmpty();
    assertThatThrownBy(() -> wider.index().rebuild(IndexRebuild.Listener.NONE))
        .hasMessageContaining("other UID widths");
  }

  @Test
  final void whicheverCallFailsNoAcknowledgedSeriesIsHidden() {
    put(db, "m", host(0));
    int next = 1;
    for (Fault fault : Fault.values()) {
      for (int call = 1; call <= 18; call++) {
        checkEqual(db, "m"); // holds a copy from before
        int host = next++;
        FaultPlan plan = new FaultPlan(call);
        TsdbOptions twoAttempts = options().with(MemorySettings.WRITE_ATTEMPTS, "2");
        boolean stored = false;
        try (Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), twoAttempts)) {
          faulty.writer().series("m", host(host).asMap()); // the UIDs are not what is tried here
          plan.failCall(call, fault);
          faulty.put("m", START, 1, host(host)).join();
          stored = true;
        } catch (StoreException e) {
          assertThat(e).hasMessageContaining("not stored");
        }
        String when = fault + " of call " + call;
        Set<String> found = indexed(db, "m").orElseThrow();
        assertThat(found).as(when).containsAll(scanned(db, "m"));
        assertThat(stored).as(when).isTrue();
        // An entry that was left pending is announced by whoever writes the series next.
        put(tsdb(options()), "m", host(host));
        checkEqual(db, "m");
      }
    }
  }

  @Test
  final void whateverFailsNoAcknowledgedSeriesIsHidden() {
    for (long seed = 1; seed <= scaled(24); seed++) {
      String metric = "m" + seed;
      put(db, metric, host(-1));
      FaultPlan plan = new FaultPlan(seed);
      Random random = new Random(seed);
      Tsdb faulty =
          Tsdb.over(
              new FaultyStore(store, plan), options().with(MemorySettings.WRITE_ATTEMPTS, "2"));
      plan.failAll(0.05); // failures in a row make it wait, and are repeated in the same way
      for (int i = 0; i < 60; i++) {
        try {
          faulty.put(metric, START.plusSeconds(i), i, host(random.nextInt(30)));
          if (i % 5 == 0) {
            faulty.flush();
          }
        } catch (StoreException e) {
          assertThat(e.outcome()).isNotNull(); // reported; the point may be there or not
        }
        Optional<Set<String>> found = indexed(db, metric);
        Set<String> written = scanned(db, metric);
        assertThat(found).describedAs("seed %d", seed).isPresent();
        // Rows written between the two checks have been announced by now.
        assertThat(indexed(db, metric).orElseThrow())
            .describedAs("seed %d", seed)
            .containsAll(written);
      }
      plan.calm();
      try {
        faulty.close();
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("not stored");
      }
      assertThat(plan.injected()).isPositive();
    }
  }

  @Test
  final void answersAreThoseOfTheDataTableWhileOthersWriteAndRebuild() throws Exception {
    Tsdb old = withoutIndex();
    for (int i = 0; i < 300; i++) {
      old.put("m", START, i, host(-1 - i));
    }
    old.flush();
    rebuild(db);
    List<Tsdb> writers = List.of(db, tsdb(options()));
    Tsdb reader = tsdb(options().with(Settings.INDEX_MEMORY, "1000000"));
    Set<String> acknowledged = new ConcurrentSkipListSet<>(scanned(db, "m"));
    AtomicInteger next = new AtomicInteger();
    AtomicInteger answers = new AtomicInteger();
    List<ConcurrentRunner.Repeated> tasks = new ArrayList<>();
    for (Tsdb writer : writers) {
      tasks.add(
          time -> {
            int host = next.incrementAndGet() % 2000;
            writer.put("m", START, 1, host(host)).join();
            byte[] tsuid = writer.writer().series("m", host(host).asMap()).tsuid();
            acknowledged.add(HexFormat.of().formatHex(tsuid));
          });
    }
    for (Tsdb asked : List.of(db, reader)) {
      tasks.add(
          time -> {
            Set<String> before = Set.copyOf(acknowledged);
            Optional<Set<String>> found = indexed(asked, "m");
            if (found.isPresent()) {
              answers.incrementAndGet();
              assertThat(found.get()).containsAll(before);
            }
          });
    }
    tasks.add(time -> assertThat(rebuild(writers.get(1)).complete()).isTrue());
    ConcurrentRunner.overlap(20, tasks);
    assertThat(answers).hasPositiveValue();
    checkEqual(db, "m");
    checkEqual(reader, "m");
  }

  @Test
  final void saltedRowsAreEnteredOnce() {
    Tsdb salted =
        tsdb(
            options()
                .with(Settings.SALT_WIDTH, "1")
                .with(Settings.SALT_BUCKETS, "5")
                .with(Settings.INDEX_ENABLE, "true"));
    for (int hour = 0; hour < 3; hour++) {
      for (int i = 0; i < 10; i++) {
        salted.put("m", START.plusSeconds(3600L * hour), i, host(i));
      }
    }
    salted.flush();
    checkEqual(salted, "m");
    assertThat(scanned(salted, "m")).hasSize(10);
    byte[] tsuid = salted.writer().series("m", host(3).asMap()).tsuid();
    assertThat(salted.index().contains(tsuid)).contains(true);
    tsuid[tsuid.length - 1] = 99;
    assertThat(salted.index().contains(tsuid)).contains(false);
  }
}
