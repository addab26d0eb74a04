package org.hourstone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.store.MortalStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreRecordTest extends OwnedStoreCase {
  private static TsdbOptions with(TsdbOptions options, String settings) {
    TsdbOptions changed = options;
    for (String each : settings.split(" ")) {
      String[] pair = each.split("=");
      Setting<?> setting =
          Settings.all().stream()
              .filter(one -> one.key().equals(pair[0]))
              .findFirst()
              .orElseThrow();
      changed = changed.with(setting, pair[1]);
    }
    return changed;
  }

  private List<String> cells() {
    List<String> cells = new ArrayList<>();
    for (Family family : store.families()) {
      try (RowCursor rows = store.scan(family, Scan.all())) {
        for (Row row = rows.next(); row != null; row = rows.next()) {
          cells.add(family + " " + row);
        }
      }
    }
    return cells;
  }

  /** As a store that an earlier version has written. */
  private void removeRecord() {
    try (RowCursor rows = store.scan(StoreRecord.FAMILY, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        store.mutate(
            StoreRecord.FAMILY, List.of(new RowMutation(row.key(), new Change.DeleteRow())));
      }
    }
  }

  private static final String OTHERS =
      """
      tsd.storage.uid.width.metric=4
      tsd.storage.uid.width.tagk=4
      tsd.storage.uid.width.tagv=2
      tsd.storage.uid.width.tagk=2 tsd.storage.uid.width.tagv=4
      tsd.storage.salt.width=1
      hourstone.journal.table=other
      """;

  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = OTHERS)
  void otherSettingsAreRefusedBeforeAnythingIsWritten(String other) {
    for (TsdbOptions options :
        List.of(options(), TsdbOptions.openTsdbDefaults().withClock(clock))) {
      open(options);
      List<String> before = cells();

      assertThatIllegalArgumentException()
          .isThrownBy(() -> Tsdb.over(store, with(options, other)))
          .withMessageContaining(other.split("[ =]")[0] + "=");

      assertThat(cells()).isEqualTo(before);
      removeRecord();
    }
  }

  @Test
  void anotherNumberOfSaltBucketsIsRefused() {
    TsdbOptions salted = with(options(), "tsd.storage.salt.width=1 tsd.storage.salt.buckets=8");
    open(salted);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tsdb.over(store, with(salted, "tsd.storage.salt.buckets=20")))
        .withMessageContaining("tsd.storage.salt.buckets=8, not 20");
    open(salted);
    open(with(salted, "tsd.storage.salt.buckets=20 hourstone.salt.check=false"));
    open(with(salted, "tsd.storage.salt.buckets=20"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = OTHERS)
  void aStoreWithoutNamesAndRowsTakesOtherSettings(String other) {
    Tsdb.over(store, options()).close();
    open(with(options(), other));

    assertThatIllegalArgumentException().isThrownBy(() -> Tsdb.over(store, options()));
  }

  /** Opens the store, and gives it a name. */
  private void open(TsdbOptions options) {
    try (Tsdb db = Tsdb.over(store, options)) {
      if (db.uids().find(UidKind.METRIC, "m") == null) {
        var unused = db.uids().assign(UidKind.METRIC, "m");
      }
    }
  }

  /** Without a salt the number has no effect. */
  @Test
  void theNumberOfSaltBucketsMayDifferWithoutASalt() {
    Tsdb.over(store, options()).close();
    Tsdb.over(store, with(options(), "tsd.storage.salt.buckets=8")).close();
    assertThat(cells()).hasSize(2);
  }

  /** The widths of each kind of UID, and those of a journal with points. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = OTHERS)
  void aStoreWithoutARecordIsComparedWithWhatItHas(String other) {
    MortalStore process = new MortalStore(store);
    Tsdb dying = Tsdb.over(process, options());
    put(dying, 0, 1);
    process.die();
    assertThatThrownBy(dying::close).isInstanceOf(StoreException.class);
    removeRecord();
    List<String> before = cells();

    assertThatIllegalArgumentException().isThrownBy(() -> Tsdb.over(store, with(options(), other)));

    assertThat(cells())
        .filteredOn(cell -> !cell.startsWith(StoreRecord.FAMILY + " 00{")) // its identity
        .isEqualTo(before);
    try (Tsdb db = Tsdb.over(store, options())) {
      assertThat(points(db)).isEqualTo(Map.of(0L, "1"));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Tsdb.over(store, with(options(), other)));
  }

  /** Names that a wrong setting has left do not keep the right one from being used. */
  @Test
  void aFewNamesOfAnotherWidthDoNotPreventOpening() {
    try (Tsdb db = Tsdb.over(store, options())) {
      put(db, 0, 1);
    }
    removeRecord();
    for (int i = 1; i < 200; i++) {
      store.put(
          options().tables().uidNames(),
          HexFormat.of().parseHex("%08x".formatted(i)),
          "metrics".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
          new byte[] {'x'});
    }
    try (Tsdb db = Tsdb.over(store, options())) {
      assertThat(points(db)).isEqualTo(Map.of(0L, "1"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"tsd.storage.uid.width.metric=4", "hourstone.journal.table=other"})
  void aReadOnlyStoreIsComparedAndNotChanged(String other) {
    try (Tsdb db = Tsdb.over(store, options())) {
      put(db, 0, 1);
    }
    List<String> before = cells();
    KeyValueStore view = readOnly(store);

    assertThatIllegalArgumentException().isThrownBy(() -> Tsdb.over(view, with(options(), other)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tsdb.withJournal(view, with(options(), other)));
    try (Tsdb db = Tsdb.over(view, options())) {
      assertThat(points(db)).isEqualTo(Map.of(0L, "1"));
    }
    assertThat(cells()).isEqualTo(before);
  }

  /** Other processes' tables get nothing of ours, and are compared at each opening. */
  @Test
  void aSharedStoreIsComparedByItsNames() {
    KeyValueStore shared =
        new ForwardingStore(store) {
          @Override
          public Set<Trait> traits() {
            return Set.of(Trait.SHARED);
          }
        };
    TsdbOptions options = TsdbOptions.defaults().withClock(clock);
    try (Tsdb db = Tsdb.over(shared, options)) {
      put(db, 0, 1);
    }
    for (String kind : List.of("metric", "tagk", "tagv")) {
      String setting = "tsd.storage.uid.width." + kind;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Tsdb.over(shared, with(options, setting + "=4")))
          .withMessageContaining(setting + "=4");
    }
    assertThat(store.families()).doesNotContain(StoreRecord.FAMILY);
  }

  /** Each set of tables has its own settings. */
  @Test
  void severalSetsOfTablesMayDiffer() {
    TsdbOptions others =
        with(
            options(),
            "tsd.storage.hbase.data_table=d tsd.storage.hbase.uid_table=u"
                + " hourstone.index.table=i hourstone.journal.table=j"
                + " tsd.storage.uid.width.metric=4");
    for (TsdbOptions options : List.of(options(), others, options(), others)) {
      try (Tsdb db = Tsdb.over(store, options)) {
        put(db, 0, 1);
      }
    }
  }
}
