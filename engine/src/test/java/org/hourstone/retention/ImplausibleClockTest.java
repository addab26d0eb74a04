package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.hourstone.Tsdb;
import org.hourstone.rollup.RollupCase;
import org.hourstone.table.TableListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which points testify that the clock is right. */
class ImplausibleClockTest extends RollupCase {
  private final Tsdb db = open("", "* raw 30d");

  @AfterEach
  void close() {
    db.close();
  }

  private void put(String metric, long seconds) {
    put(db, metric, seconds, 1);
    db.flush();
  }

  private long delete() {
    return db.retention().run(false, false, 1, TableListener.NONE).rows();
  }

  /** The daemon writes them by the same clock. */
  @Test
  void statisticsOfADaemonDoNot() {
    put("m", START);
    clock.advance(Duration.ofDays(365));
    put("tsd.uptime", START + 365 * DAY);

    assertThatThrownBy(this::delete).isInstanceOf(ImplausibleClockException.class);
    put("m", START + 365 * DAY);
    assertThat(delete()).isEqualTo(1);
  }

  @Test
  void statisticsOfADaemonDoIfThereIsNothingElse() {
    put("tsd.uptime", START);
    clock.advance(Duration.ofDays(30));
    assertThatThrownBy(this::delete).isInstanceOf(ImplausibleClockException.class);
    put("tsd.uptime", START + 30 * DAY);

    clock.advance(Duration.ofHours(2));
    assertThat(delete()).isEqualTo(1);
  }

  /**
   * One point of a client that takes milliseconds for seconds would end the protection for good.
   */
  @Test
  void pointsOfTheFarFutureDoNot() {
    put("m", START);
    put("m", START + 10_000 * DAY);
    clock.advance(Duration.ofDays(365));

    assertThatThrownBy(this::delete).isInstanceOf(ImplausibleClockException.class);
    put("m", START + 365 * DAY + 3 * 3600);
    assertThat(delete()).isEqualTo(1);
  }
}
