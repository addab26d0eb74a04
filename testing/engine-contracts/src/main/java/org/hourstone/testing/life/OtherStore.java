package org.hourstone.testing.life;

import java.time.Instant;
import java.util.Map;
import org.hourstone.RetentionSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.testing.life.LifeModel.Series;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.tool.Admin;
import org.hourstone.tool.CopyListener;
import org.hourstone.tool.CopyOptions;
import org.hourstone.tool.CopyScope;

/** Another store, from which points are copied. */
final class OtherStore {
  private OtherStore() {}

  /** Copies points into a database, written now. */
  static void copy(
      ManualClock clock, int hosts, Series series, Map<Long, Number> values, Tsdb into) {
    try (KeyValueStore store = new ModelStore(clock);
        Tsdb from = Tsdb.over(store, options(into))) {
      for (int host = 0; host < hosts; host++) {
        for (String metric : new String[] {Life.INTEGERS, Life.DECIMALS}) {
          from.writer().series(metric, Map.of("host", "h" + host));
        }
      }
      Tags tags = Tags.of("host", series.host());
      values.forEach(
          (time, value) -> {
            Instant at = Instant.ofEpochSecond(time);
            if (value instanceof Long integer) {
              from.put(series.metric(), at, integer, tags).join();
            } else {
              from.put(series.metric(), at, value.doubleValue(), tags).join();
            }
          });
      from.flush();
      Admin.of(from)
          .copyTo(
              into,
              CopyScope.everything(),
              new CopyOptions(CopyOptions.Policy.UPDATE, false, 1),
              QUIET)
          .run(null);
    }
  }

  private static TsdbOptions options(Tsdb into) {
    return into.engine().options().with(Settings.HEAD, "false").with(RetentionSettings.RULES, "");
  }

  private static final CopyListener QUIET =
      new CopyListener() {
        @Override
        public void differs(String what) {}

        @Override
        public void note(String what) {}
      };
}
