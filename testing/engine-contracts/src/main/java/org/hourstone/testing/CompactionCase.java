package org.hourstone.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Change;
import org.hourstone.kv.Columns;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionReport;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A row of the store under test, written cell by cell and compacted. */
abstract class CompactionCase {
  /** 2012-12-31T20:00:00Z; the fixture's clock is at 2013. */
  static final long HOUR = 1_356_984_000;

  static final byte[] ROW = hex("00000150e1eec0000001000001");

  @TempDir private Path directory;
  StoreFixture fixture;
  KeyValueStore store;
  Tsdb db;
  final List<String> skipped = new ArrayList<>();
  Runnable beforeReplacing = () -> {};

  /** How many replacements come before the one that the above precedes. */
  int replacementsBefore;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openDatabase() {
    fixture = StoreFixture.in(directory, 1);
    store = new FaultyStore(open(fixture), new FaultPlan(1), this::before);
    db =
        Tsdb.over(
            store,
            TsdbOptions.defaults()
                .withClock(fixture.clock())
                .with(Settings.CREATE_TABLES, "true")
                .with(Settings.COMPACTION_QUIET, "0") // not all stores date cells by our clock
                .with(Settings.COMPACTION_BACKGROUND, "false"));
    db.uids().assign(UidKind.METRIC, "m");
    db.uids().assign(UidKind.TAGK, "host");
    db.uids().assign(UidKind.TAGV, "a");
  }

  @AfterEach
  final void closeDatabase() {
    db.close();
    store.close();
  }

  void before(Operation operation) {
    if (operation == Operation.REPLACE_CELLS && replacementsBefore-- <= 0) {
      Runnable now = beforeReplacing;
      beforeReplacing = () -> {};
      now.run();
    }
  }

  /** Compacts while something else is done: before any of the compaction's replacements. */
  void compactDuring(int replacement, Runnable concurrent) {
    replacementsBefore = replacement;
    beforeReplacing = concurrent;
    compact();
    replacementsBefore = 0;
    before(Operation.REPLACE_CELLS); // if there were fewer
    replacementsBefore = 0;
  }

  static Query seconds(int from, int to) {
    return Query.metric("m").betweenMillis((HOUR + from) * 1000, (HOUR + to) * 1000);
  }

  void with(Setting<?> key, String value) {
    db.close();
    db = Tsdb.over(store, db.engine().options().with(key, value));
  }

  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.toLowerCase(Locale.ROOT));
  }

  /** Writes cells {@code qualifier=value …}, one after the other. */
  void put(String cells) {
    for (String cell : cells.split(" ")) {
      String[] parts = cell.split("=", -1);
      store.put(db.engine().tables().points(), ROW, hex(parts[0]), hex(parts[1]));
    }
  }

  void delete(String... qualifiers) {
    List<Change> changes = new ArrayList<>();
    for (String qualifier : qualifiers) {
      changes.add(new Change.Delete(hex(qualifier)));
    }
    store.mutate(db.engine().tables().points(), List.of(new RowMutation(ROW, changes)));
  }

  void append(String suffix) {
    store.append(db.engine().tables().points(), ROW, hex("050000"), hex(suffix));
  }

  Row row() {
    return store.get(db.engine().tables().points(), ROW, Columns.all());
  }

  /** The row's cells as {@link #put} takes them. */
  String cells() {
    Row row = row();
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      HexFormat upper = HexFormat.of().withUpperCase();
      cells.add(upper.formatHex(row.qualifier(i)) + "=" + upper.formatHex(row.value(i)));
    }
    return String.join(" ", cells);
  }

  CompactionReport compact() {
    fixture.clock().advance(Duration.ofMinutes(2));
    return db.compactor().run(CompactionScope.everything(), skipping());
  }

  final CompactionListener skipping() {
    return new CompactionListener() {
      @Override
      public void skipped(String reason) {
        skipped.add(reason);
      }
    };
  }

  /** The points as {@code milliseconds-of-the-hour=value …}. */
  String points() {
    StringBuilder text = new StringBuilder();
    Query query = Query.metric("m").betweenMillis(HOUR * 1000, (HOUR + 3600) * 1000);
    try (SeriesCursor series = db.query(query)) {
      series.forEach(
          one -> {
            for (int i = 0; i < one.size(); i++) {
              text.append(text.isEmpty() ? "" : " ").append(one.millis(i) - HOUR * 1000);
              text.append('=').append(one.text(i));
            }
          });
    }
    return text.toString();
  }
}
