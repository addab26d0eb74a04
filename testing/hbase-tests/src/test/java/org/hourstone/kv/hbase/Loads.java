package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;

/** Cells, points and appended points, all at the same time over one store. */
final class Loads implements AutoCloseable {
  private final KeyValueStore store;
  private final Tsdb plain;
  private final Tsdb appending;
  private final CellLoad cells;
  private final List<Load> loads;

  /**
   * Starts all, and waits until all is going.
   *
   * @param family for cells; must exist, as the tables must
   * @param test tells this one's rows and metrics from others'
   */
  Loads(String uri, TsdbOptions options, Family family, byte test) throws Exception {
    this.store = KeyValueStores.open(uri);
    this.plain = Tsdb.over(store, options);
    this.appending = Tsdb.over(store, options.with(Settings.ENABLE_APPENDS, "true"));
    this.cells = CellLoad.start(store, family, test);
    this.loads =
        List.of(
            cells,
            PointLoad.start(plain, "plain" + test),
            PointLoad.start(appending, "appended" + test));
    awaitProgress();
  }

  CellLoad cells() {
    return cells;
  }

  private Stream<Activity> activities() {
    return loads.stream().flatMap(load -> load.activities().stream());
  }

  /** Waits until everything goes on. */
  void awaitProgress() throws Exception {
    for (Activity activity : activities().toList()) {
      activity.awaitDone(2);
    }
  }

  /** Waits until everything has failed. */
  void awaitFailed() throws Exception {
    for (Activity activity : activities().toList()) {
      activity.awaitFailed();
    }
  }

  /** Everything goes on again, and in the end nothing that was acknowledged is missing. */
  void assertHealed() throws Exception {
    awaitProgress();
    for (Activity activity : activities().toList()) {
      activity.end();
    }
    for (Load load : loads) {
      load.assertComplete();
    }
  }

  /** As {@link #assertHealed}, and our callers have seen nothing of the fault. */
  void assertHealedUnseen() throws Exception {
    assertHealed();
    assertThat(activities()).allMatch(activity -> activity.failed() == 0);
  }

  @Override
  public void close() {
    appending.close();
    plain.close();
    store.close();
  }
}
