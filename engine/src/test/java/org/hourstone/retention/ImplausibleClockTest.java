package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.hourstone.RetentionSettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.table.TableListener;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which points testify that the clock is right. */
class ImplausibleClockTest {
  private static final long DAY = 86_400;
  private static final long NOW = 20_000 * DAY;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(NOW));
  private final KeyValueStore store = new ModelStore(clock);
  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.COMPACTION_BACKGROUND, "false")
              .with(RetentionSettings.RULES, "* raw 30d"));

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  private void put(String metric, long seconds) {
    db.put(metric, Instant.ofEpochSecond(seconds), 1, Tags.of("host", "a")).join();
    db.flush();
  }

  private long delete() {
    return db.retention().run(false, false, 1, TableListener.NONE).rows();
  }

  /** The daemon writes them by the same clock. */
  @Test
  void statisticsOfADaemonDoNot() {
    put("m", NOW);
    clock.advance(Duration.ofDays(365));
    put("tsd.uptime", NOW + 365 * DAY);

    assertThatThrownBy(this::delete).isInstanceOf(ImplausibleClockException.class);
    put("m", NOW + 365 * DAY);
    assertThat(delete()).isEqualTo(1);
  }

  @Test
  void statisticsOfADaemonDoIfThereIsNothingElse() {
    put("tsd.uptime", NOW);
    clock.advance(Duration.ofDays(30));
    assertThatThrownBy(this::delete).isInstanceOf(ImplausibleClockException.class);
    put("tsd.uptime", NOW + 30 * DAY);

    clock.advance(Duration.ofHours(2));
    assertThat(delete()).isEqualTo(1);
  }

  /**
   * One point of a client that takes milliseconds for seconds would end the protection for good.
   */
  @Test
  void pointsOfTheFarFutureDoNot() {
    put("m", NOW);
    put("m", NOW + 10_000 * DAY);
    clock.advance(Duration.ofDays(365));

    assertThatThrownBy(this::delete).isInstanceOf(ImplausibleClockException.class);
    put("m", NOW + 365 * DAY + 3 * 3600);
    assertThat(delete()).isEqualTo(1);
  }
}
