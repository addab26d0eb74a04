package org.hourstone.api;

import java.time.Instant;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The API of a database on the heap, opened for each test. Its clock stands still. */
public abstract class ApiCase {
  public static final long HOUR = 1_500_001_200;
  public static final String RANGE = "start=1500001200&end=1500001300";

  final ManualClock clock;
  private ModelStore store;
  public Tsdb db;
  public Api api;

  ApiCase() {
    this(Instant.ofEpochSecond(HOUR + 200));
  }

  ApiCase(Instant now) {
    clock = new ManualClock(now);
  }

  /** What the database is opened with, beyond what all tests need. */
  TsdbOptions options() {
    return TsdbOptions.defaults();
  }

  /** Fills the database that was opened. */
  abstract void putPoints();

  Api over(Tsdb opened) {
    return new Api(opened);
  }

  @BeforeEach
  final void open() {
    open(options());
  }

  /** Opens another one instead. */
  final void open(TsdbOptions options) {
    if (db != null) {
      close();
    }
    store = new ModelStore(clock);
    db =
        Tsdb.over(
            store,
            options
                .with(Settings.COMPACTION_BACKGROUND, "false")
                .with(Settings.AUTO_CREATE_METRICS, "true")
                .withClock(clock));
    api = over(db);
    putPoints();
  }

  @AfterEach
  final void close() {
    db.close();
    store.close();
  }

  final void put(String point) {
    db.putLine("put " + point).join();
  }

  /** Three series of one metric. */
  final void putThreeSeries() {
    put("m 1500001200 1 host=a");
    put("m 1500001210 2.5 host=a");
    put("m 1500001210 3 host=b");
    put("m 1500001220500 4 host=b dc=lga");
  }
}
