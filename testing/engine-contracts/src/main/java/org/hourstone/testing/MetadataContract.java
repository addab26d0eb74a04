package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.error.RequestException;
import org.hourstone.internal.UidText;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Trait;
import org.hourstone.meta.SeriesMeta;
import org.hourstone.meta.TsMeta;
import org.hourstone.meta.TsMetaTable;
import org.hourstone.meta.UidMeta;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/** UIDMeta, TSMeta and counters over a store, and how they come about as points are written. */
public abstract class MetadataContract extends DatabaseCase {
  /** 2017-07-14T03:00:00Z, the start of an hour. */
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);

  private static final byte[] FIRST = {0, 0, 1};
  private static final byte[] SERIES = UidText.parse("000001000001000001");
  private static final Tags WEB01 = Tags.of("host", "web01");

  private TsdbOptions none() {
    return TsdbOptions.defaults().with(Settings.CREATE_TABLES, "true").withClock(fixture.clock());
  }

  @Override
  protected final TsdbOptions options() {
    return none()
        .with(Settings.META_REALTIME_UID, "true")
        .with(Settings.META_TRACKING, "true")
        .with(Settings.META_REALTIME_TS, "true")
        .with(Settings.META_INCREMENTING, "true");
  }

  private void put(int points) {
    for (int i = 0; i < points; i++) {
      db.put("m", START.plusSeconds(i * 10L), i, WEB01);
    }
    db.flush();
  }

  private SeriesMeta series() {
    SeriesMeta found = db.metadata().series().find(SERIES);
    if (found == null) {
      throw new AssertionError("no TSMeta");
    }
    return found;
  }

  @Test
  final void everyPointIsCountedWhateverBatchesAndRowsTheyAreWrittenIn() {
    put(1000);
    put(1);
    assertThat(series().points()).isEqualTo(1001);
    assertThat(series().meta())
        .isEqualTo(TsMeta.of("000001000001000001", fixture.clock().millis() / 1000));
    assertThat(series().lastReceived() - fixture.clock().millis() / 1000)
        .isBetween(0L, store.traits().contains(Trait.MONOTONIC_WRITE_TIMES) ? 0L : 60L);
    assertThat(db.metadata().failures().count()).isZero();
  }

  @Test
  final void anAppendedPointIsCountedToo() {
    useInstead(store, options().with(Settings.ENABLE_APPENDS, "true"));
    put(100);
    put(100);
    assertThat(series().points()).isEqualTo(200);
  }

  @Test
  final void withoutTrackingNothingIsNotedOfSeries() {
    useInstead(store, options().with(Settings.META_TRACKING, "false"));
    put(3);
    assertThat(db.metadata().series().find(SERIES)).isNull();
    assertThat(db.metadata().series().hasCounter(SERIES)).isFalse();
  }

  @Test
  final void trackingAloneMarksTheCounterAndMakesNoTsMeta() {
    useInstead(store, none().with(Settings.META_TRACKING, "true"));
    put(3);
    assertThat(db.metadata().series().find(SERIES)).isNull();
    assertThat(db.metadata().series().hasCounter(SERIES)).isTrue();
  }

  @Test
  final void withoutIncrementingATsMetaIsMadeAndMadeAgainWhenItWasDeleted() {
    useInstead(store, options().with(Settings.META_INCREMENTING, "false"));
    put(3);
    assertThat(series()).isEqualTo(new SeriesMeta(series().meta(), 0, 0));
    db.metadata().series().delete(SERIES);
    put(1);
    assertThat(series().points()).isZero();
  }

  @Test
  final void everyNewNameGetsItsUidMeta() {
    put(1);
    long now = fixture.clock().millis() / 1000;
    for (UidKind kind : UidKind.values()) {
      assertThat(db.metadata().names().find(kind, FIRST)).isEqualTo(UidMeta.of(kind, now));
    }
  }

  @Test
  final void whatIsNotSaidStaysUnlessAllIsOverwritten() {
    put(1);
    UidMeta full = new UidMeta(UidKind.METRIC, "D", "d", "n", 5, Map.of("a", "b"));
    assertThat(db.metadata().names().save(FIRST, full, false)).contains(full);
    assertThat(
            db.metadata()
                .names()
                .save(FIRST, new UidMeta(UidKind.METRIC, "", "", "m", 0, null), false))
        .contains(new UidMeta(UidKind.METRIC, "D", "d", "m", 5, Map.of("a", "b")));
    assertThat(
            db.metadata()
                .names()
                .save(FIRST, new UidMeta(UidKind.METRIC, "", "", "o", 9, null), true))
        .contains(new UidMeta(UidKind.METRIC, "", "", "o", 5, null));
    assertThat(db.metadata().names().save(FIRST, UidMeta.of(UidKind.METRIC, 0), true)).isEmpty();
  }

  @Test
  final void aTsMetaIsChangedOnlyIfThereIsOne() {
    TsMeta said =
        new TsMeta("000001000001000001", "", "", "", 0, null, "ms", "", 0, 9.5, Double.NaN);
    assertThatThrownBy(() -> db.metadata().series().save(SERIES, said, false))
        .isInstanceOf(RequestException.class)
        .hasMessage("Requested TSMeta did not exist");
    put(1);
    long created = series().meta().created();
    assertThat(db.metadata().series().save(SERIES, said, false))
        .contains(
            new TsMeta(
                "000001000001000001", "", "", "", created, null, "ms", "", 0, 9.5, Double.NaN));
    assertThat(db.metadata().series().save(SERIES, TsMeta.of("000001000001000001", 0), false))
        .isEmpty();
  }

  @Test
  final void newSeriesAreReportedOnce() {
    List<String> told = new ArrayList<>();
    db.metadata().onNewSeries(meta -> told.add(meta.tsuid()));
    put(50);
    put(50);
    assertThat(told).containsExactly("000001000001000001");
  }

  @Test
  final void aListenerOfNewSeriesCanFailWithoutHarm() {
    db.metadata()
        .onNewSeries(
            meta -> {
              throw new IllegalStateException("not today");
            });
    put(3);
    assertThat(series().points()).isEqualTo(3);
    assertThat(db.metadata().failures().last()).endsWith(": not today");
  }

  @Test
  final void pointsAreStoredAndFailuresCountedWhenMetadataCanNotBe() {
    FaultPlan plan = new FaultPlan(1);
    useInstead(new FaultyStore(store, plan), options());
    put(1);
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.meta")) {
      plan.fail(Operation.INCREMENT, Fault.NOT_APPLIED, 1);
      for (int i = 1; i <= 20; i++) {
        db.put("m", START.plusSeconds(i), i, WEB01);
        db.flush();
      }
      assertThat(db.metadata().failures().count()).isEqualTo(20);
      assertThat(db.metadata().failures().last()).startsWith("ts_ctr of 000001000001000001: ");
      assertThat(log.messages())
          .singleElement()
          .asString()
          .startsWith(
              "points are stored, but not all of their metadata: ts_ctr of 000001000001000001: ");
      plan.calm();
      fixture.clock().advance(Duration.ofMinutes(1));
      db.put("m", START.plusSeconds(30), 30, WEB01);
      db.flush();
      assertThat(series().points()).isEqualTo(2);
      assertThat(log.messages())
          .hasSize(2)
          .last()
          .asString()
          .startsWith("metadata is stored again; ")
          .contains(": 20 failures in ");
    }
  }

  @Test
  final void whoseCreationMayHaveFailedIsCreatedOnce() {
    FaultPlan plan = new FaultPlan(1);
    useInstead(new FaultyStore(store, plan), none());
    TsMetaTable series = db.metadata().series();
    TsMeta meta = TsMeta.of(UidText.format(SERIES), 1);
    for (Fault fault : List.of(Fault.UNKNOWN_APPLIED, Fault.UNKNOWN_NOT_APPLIED)) {
      plan.failCall(Operation.COMPARE_AND_SET, 1, fault);
      assertThat(series.create(SERIES, meta)).describedAs("%s", fault).isTrue();
      assertThat(series.create(SERIES, meta)).isFalse();
      plan.failCall(Operation.COMPARE_AND_SET, 1, fault);
      assertThat(series.createCounter(SERIES)).describedAs("%s", fault).isTrue();
      assertThat(series.createCounter(SERIES)).isFalse();
      plan.failCall(Operation.COMPARE_AND_SET, 1, fault);
      assertThat(db.metadata().names().create(UidKind.TAGK, new byte[3], 1)).isTrue();
      assertThat(db.metadata().names().create(UidKind.TAGK, new byte[3], 1)).isFalse();
      db.metadata().names().delete(UidKind.TAGK, new byte[3]);
      store.mutate(
          db.engine().tables().seriesMeta(),
          List.of(new RowMutation(SERIES, new Change.DeleteRow())));
    }
  }

  @Test
  final void aTsMetaThatCouldNotBeMadeWithTheFirstPointIsMadeWithALaterOne() {
    useInstead(store, none());
    put(1); // the names
    FaultPlan plan = new FaultPlan(1);
    useInstead(new FaultyStore(store, plan), options());
    plan.fail(Operation.COMPARE_AND_SET, Fault.NOT_APPLIED, 1);
    db.put("m", START.plusSeconds(1), 1, WEB01);
    db.flush();
    assertThat(db.metadata().series().find(SERIES)).isNull();
    plan.calm();
    db.put("m", START.plusSeconds(2), 2, WEB01);
    db.flush();
    assertThat(series().points()).isEqualTo(2);
  }

  @Test
  final void manyThreadsCountEveryPointAndMakeOneTsMeta() throws Exception {
    db.uids().assign(UidKind.METRIC, "m");
    db.uids().assign(UidKind.TAGK, "host");
    db.uids().assign(UidKind.TAGV, "web01");
    List<String> told = new ArrayList<>();
    db.metadata()
        .onNewSeries(
            meta -> {
              synchronized (told) {
                told.add(meta.tsuid());
              }
            });
    try (Tsdb other = Tsdb.over(store, options())) {
      ConcurrentRunner.run(
          8,
          thread ->
              () -> {
                Tsdb mine = thread % 2 == 0 ? db : other;
                for (int i = 0; i < 200; i++) {
                  mine.put("m", START.plusSeconds(thread * 1000L + i), i, WEB01);
                }
                mine.flush();
                return true;
              });
    }
    assertThat(series().points()).isEqualTo(1600);
    assertThat(told.size()).isLessThanOrEqualTo(1);
  }
}
