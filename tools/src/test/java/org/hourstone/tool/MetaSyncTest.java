package org.hourstone.tool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.internal.UidText;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.meta.SeriesMeta;
import org.hourstone.meta.TsMeta;
import org.hourstone.meta.UidMeta;
import org.hourstone.table.TableListener;
import org.hourstone.table.TableProgress;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Metadata is made up for from the points, and deleted. */
class MetaSyncTest {
  private static final long HOUR = 1_500_001_200;
  private static final byte[] SERIES = UidText.parse("000001000001000001");

  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.ofEpochSecond(HOUR + 1_000_000));

  private final KeyValueStore store = new ModelStore(CLOCK);
  private Tsdb db = Tsdb.over(store, TsdbOptions.defaults().withClock(CLOCK));
  private final List<String> skipped = new ArrayList<>();
  private final List<String> reached = new ArrayList<>();

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private MetaSyncReport sync(Tsdb of, String from) {
    skipped.clear();
    TableListener listener =
        new TableListener() {
          @Override
          public void skipped(String why) {
            skipped.add(why);
          }

          @Override
          public void progress(TableProgress progress) {
            reached.add(progress.rows() + " " + UidText.format(progress.last()));
          }
        };
    return Admin.of(of).metaSync(listener).run(UidText.parse(from));
  }

  private void put(String metric, long time, String host) {
    db.put(metric, Instant.ofEpochSecond(time), 1, Tags.of("host", host)).join();
  }

  private SeriesMeta series(byte[] tsuid) {
    return Objects.requireNonNull(db.metadata().series().find(tsuid));
  }

  @Test
  void whatIsMissingIsMadeWithTheHourOfTheFirstPoint() {
    put("m", HOUR + 7260, "web02");
    put("m", HOUR + 60, "web01");
    put("m", HOUR + 3660, "web01");
    assertThat(sync(db, "")).isEqualTo(new MetaSyncReport(3, 4, 2, 2, 0, 0, 0));
    assertThat(series(SERIES).meta().created()).isEqualTo(HOUR + 7200);
    assertThat(series(UidText.parse("000001000001000002")).meta())
        .isEqualTo(TsMeta.of("000001000001000002", HOUR));
    assertThat(db.metadata().names().find(UidKind.METRIC, new byte[] {0, 0, 1}))
        .isEqualTo(UidMeta.of(UidKind.METRIC, HOUR));
    assertThat(db.metadata().names().find(UidKind.TAGV, new byte[] {0, 0, 1}))
        .isEqualTo(UidMeta.of(UidKind.TAGV, HOUR + 7200));
    assertThat(sync(db, "")).isEqualTo(new MetaSyncReport(3, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void namesAreAsOldAsTheirOldestPointUnderWhateverMetric() {
    put("a", HOUR + 7200, "web01");
    put("b", HOUR, "web01");
    MetaSyncReport report = sync(db, "");
    assertThat(report.dated()).isEqualTo(2);
    assertThat(db.metadata().names().get(UidKind.TAGV, new byte[] {0, 0, 1}).created())
        .isEqualTo(HOUR);
    assertThat(sync(db, "").dated()).isZero();
  }

  @Test
  void whatPeopleWroteStaysAndOnlyTimesAfterThePointsAreCorrected() {
    put("m", HOUR, "web01");
    UidMeta name = new UidMeta(UidKind.METRIC, "a metric", "d", "n", HOUR + 1800, null);
    db.metadata().names().save(new byte[] {0, 0, 1}, name, true);
    TsMeta late = TsMeta.of("000001000001000001", HOUR + 90_000);
    db.metadata().series().create(SERIES, late);
    assertThat(sync(db, "")).isEqualTo(new MetaSyncReport(1, 2, 0, 1, 1, 0, 0));
    assertThat(db.metadata().names().find(UidKind.METRIC, new byte[] {0, 0, 1})).isEqualTo(name);
    assertThat(series(SERIES).meta().created()).isEqualTo(HOUR);
  }

  @Test
  void unreadableMetadataIsCreatedAgain() {
    put("m", HOUR, "web01");
    sync(db, "");
    byte[] broken = "{".getBytes(ISO_8859_1);
    store.put(db.engine().tables().seriesMeta(), SERIES, "ts_meta".getBytes(ISO_8859_1), broken);
    store.put(
        db.engine().tables().uidNames(),
        new byte[] {0, 0, 1},
        UidKind.TAGK.metaQualifier(),
        broken);
    assertThat(sync(db, "").replaced()).isEqualTo(2);
    assertThat(series(SERIES).meta().created()).isEqualTo(HOUR);
    assertThat(sync(db, "")).isEqualTo(new MetaSyncReport(1, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void rowsThatCannotBeUsedAreReportedAndSkipped() {
    put("m", HOUR, "web01");
    put("n", HOUR, "web02");
    db.uids().delete(UidKind.TAGV, "web01");
    store.put(
        db.engine().tables().points(), new byte[] {1, 2, 3}, new byte[] {0, 0}, new byte[] {1});
    db.dropCaches();
    assertThat(sync(db, "")).isEqualTo(new MetaSyncReport(3, 4, 1, 1, 0, 0, 2));
    assertThat(skipped)
        .containsExactlyInAnyOrder(
            "series 000001000001000001: No such unique ID for 'tagv': [0, 0, 1]",
            "row 010203 of tsdb:t: not the key of a series");
  }

  @Test
  void aRunThatWasBrokenOffIsGoneOnWith() {
    for (int i = 0; i < 1500; i++) {
      db.put("m", Instant.ofEpochSecond(HOUR), i, Tags.of("host", "h" + i));
    }
    db.flush();
    FaultPlan plan = new FaultPlan(1).failCall(Operation.NEXT, 1200, Fault.NOT_APPLIED);
    try (Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), db.engine().options())) {
      assertThatThrownBy(() -> sync(faulty, "")).isInstanceOf(StoreException.class);
    }
    assertThat(reached).hasSize(2);
    assertThat(reached.get(0)).startsWith("1000 ");
    String[] last = reached.get(1).split(" ", 2);
    int rows = Integer.parseInt(last[0]);
    assertThat(rows).isBetween(1001, 1199);
    assertThat(sync(db, last[1]).rows()).isEqualTo(1500 - rows + 1);
    assertThat(sync(db, "")).isEqualTo(new MetaSyncReport(1500, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void saltedRowsAndOtherWidthsAreUnderstood() {
    db.close();
    db =
        Tsdb.over(
            store,
            TsdbOptions.defaults()
                .withClock(CLOCK)
                .with(Settings.SALT_WIDTH, "1")
                .with(Settings.UID_WIDTH_TAGV, "5"));
    put("m", HOUR, "web01");
    put("m", HOUR + 3600, "web01");
    assertThat(sync(db, "").series()).isEqualTo(1);
    assertThat(series(UidText.parse("0000010000010000000001")).meta().created()).isEqualTo(HOUR);
  }

  @Test
  void purgingDeletesMetadataAndNothingElse() {
    put("m", HOUR, "web01");
    put("m", HOUR, "web02");
    sync(db, "");
    assertThat(Admin.of(db).metaPurge(TableListener.NONE).run())
        .isEqualTo(new MetaPurge.Report(4, 4));
    assertThat(db.metadata().series().find(SERIES)).isNull();
    assertThat(db.metadata().series().hasCounter(SERIES)).isFalse();
    assertThat(db.metadata().names().find(UidKind.METRIC, new byte[] {0, 0, 1})).isNull();
    db.dropCaches();
    assertThat(db.uids().name(UidKind.METRIC, new byte[] {0, 0, 1})).isEqualTo("m");
    assertThat(Admin.of(db).metaPurge(TableListener.NONE).run())
        .isEqualTo(new MetaPurge.Report(0, 0));
  }
}
