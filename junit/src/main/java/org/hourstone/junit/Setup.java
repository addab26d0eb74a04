package org.hourstone.junit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.DaemonSettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.jspecify.annotations.Nullable;

/**
 * What databases of an extension are like.
 *
 * @param start what the clock shows first; null for the time at which the database is opened
 */
record Setup(
    boolean onRocksDb,
    boolean hasServer,
    TsdbOptions options,
    @Nullable Instant start,
    List<Seed> seeds) {
  static Setup inMemory() {
    return new Setup(false, false, onFreePort(TsdbOptions.defaults()), null, List.of());
  }

  private static TsdbOptions onFreePort(TsdbOptions options) {
    return options.with(DaemonSettings.PORT, "0").with(DaemonSettings.BIND, "127.0.0.1");
  }

  Setup inDirectory() {
    return new Setup(true, hasServer, options, start, seeds);
  }

  Setup serving() {
    return new Setup(onRocksDb, true, options, start, seeds);
  }

  Setup with(TsdbOptions all) {
    return new Setup(onRocksDb, hasServer, onFreePort(all), start, seeds);
  }

  Setup with(Setting<?> setting, String value) {
    return new Setup(onRocksDb, hasServer, options.with(setting, value), start, seeds);
  }

  Setup with(String key, String value) {
    String renamed = Settings.byFormerKey().get(key);
    Setting<?> setting =
        Settings.find(key)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        key
                            + ": no such setting"
                            + (renamed == null ? "" : "; it is now " + renamed)));
    return with(setting, value);
  }

  Setup startingAt(Instant time) {
    return new Setup(onRocksDb, hasServer, options, time, seeds);
  }

  Setup seeded(Seed seed) {
    List<Seed> all = new ArrayList<>(seeds);
    all.add(seed);
    return new Setup(onRocksDb, hasServer, options, start, List.copyOf(all));
  }
}
