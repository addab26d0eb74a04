package org.hourstone.testing.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.RowMutation;
import org.hourstone.tool.UidFsckReport;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/** Every fault of the UID table is found, and repaired without loss, on the store under test. */
public abstract class UidFsckContract extends UidFsckCase {
  @Test
  final void aSoundTableHasNoFindings() {
    someNames();
    Run run = fsck(db, true);
    assertThat(run.findings()).isEmpty();
    assertThat(run.report()).isEqualTo(new UidFsckReport(6, 6, 0, 0, 0, 0));
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
    String found = "metrics 000009: a, whose UID is 000001, the number of a lost race";
    assertThat(fsck(db, false).texts()).containsExactly(found);
    assertThat(fsck(db, false).report()).isEqualTo(new UidFsckReport(6, 7, 0, 0, 1, 0));
    Run fixed = fsck(db, true);
    assertThat(fixed.texts()).containsExactly(found + "; fixed: no row uses it; removed");
    assertThat(fixed.report()).isEqualTo(new UidFsckReport(6, 7, 0, 0, 1, 1));
    assertThat(fixed.report().isSound()).isTrue();
    assertThat(store.get(reverse(), uid(9), Columns.all()).isEmpty()).isTrue();
  }

  /** It was the name's, and lost the name without losing the reverse cell. */
  @Test
  final void aUidThatItsNameHadLongAgoIsAnError() {
    someNames();
    long before = store.get(forward(), latin("a"), Columns.all()).writeTime(0) - 3_600_000;
    Change old = new Change.PutIfNewer(latin("metrics"), latin("a"), before);
    store.mutate(reverse(), List.of(new RowMutation(uid(9), old)));
    put(forward(), new byte[] {0}, UidKind.METRIC, new byte[] {0, 0, 0, 0, 0, 0, 0, 9});
    assertThat(fsck(db, false).report()).isEqualTo(new UidFsckReport(6, 7, 1, 0, 0, 0));
    assertFixed("metrics 000009: a, whose UID is 000001; fixed: no row uses it; removed");
  }

  @Test
  final void aSecondUidThatRowsUseGetsANameOfItsOwn() {
    someNames();
    put(forward(), latin("web02"), UidKind.TAGV, uid(1)); // its rows are under 2
    delete(forward(), latin("web01"), "tagv");
    put(reverse(), uid(1), UidKind.TAGV, latin("web02"));
    // Without a repair, rows are not read, and by their times the cells may be of a lost race.
    assertThat(fsck(db, true).texts())
        .containsExactly(
            "tagv 000002: web02, whose UID is 000001; fixed: rows use it; its name is"
                + " fsck.web02.000002");
    assertThat(fsck(db, true).findings()).isEmpty();
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
        db.engine()
            .options()
            .with(Settings.SALT_WIDTH, "1")
            .with(Settings.SALT_BUCKETS, "5")
            .with(Settings.SALT_CHECK, "false");
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
    TsdbOptions wider = db.engine().options().with(Settings.UID_WIDTH_METRIC, "4");
    assertThatThrownBy(() -> Tsdb.over(store, wider).close())
        .hasMessageContaining("tsd.storage.uid.width.metric");
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
}
