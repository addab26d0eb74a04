package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** As after a start without a battery: what was rolled up stays rolled up. */
class ClockThatIsBehindTest extends RollupCase {
  private final Tsdb db = open("1h,1d", "* raw 30d");

  @AfterEach
  void close() {
    db.close();
  }

  private void put(String metric, long seconds) {
    put(db, metric, seconds, 1);
    db.flush();
  }

  private void roll() {
    long unused = roll(db);
  }

  private HourRange done() {
    return done(db);
  }

  private List<Double> days() {
    return sums(db, "1d", 100);
  }

  @Test
  void whatHasPointsStaysRolledUp() {
    put("m", START);
    to(START + 99 * DAY);
    put("m", START + 98 * DAY);
    roll();
    HourRange before = done();

    for (long wrong : List.of(START - 1000 * DAY, 700L)) {
      to(wrong);
      try (LoggedBy log = LoggedBy.thisThread("org.hourstone.rollup")) {
        roll();
        roll();
        assertThat(log.messages()).hasSize(1).first().asString().contains("may be behind");
      }
      assertThat(done()).isEqualTo(before);
      to(START + 99 * DAY);
      roll();
    }
    assertThat(days()).containsExactly(1.0, 1.0);
  }

  /** A daemon writes them by the same clock. */
  @Test
  void statisticsOfADaemonDoNotTestify() {
    put("m", START);
    to(START + 20 * DAY);
    put("tsd.uptime", START + 20 * DAY);
    to(START + 21 * DAY);
    roll();
    to(START + DAY);
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.rollup")) {
      roll();
      assertThat(log.messages()).hasSize(1).first().asString().contains("rolled up again");
    }
    assertThat(done().until()).isLessThanOrEqualTo(START + DAY);
  }

  /** Only their rolled-up values are left. */
  @Test
  void hoursWhosePointsAreDeletedStayRolledUp() {
    put("m", START);
    put("m", START + 40 * DAY);
    to(START + 80 * DAY);
    roll();
    assertThat(retain(db).rows()).isEqualTo(2);
    to(START - 1000 * DAY);
    roll();
    to(START + 80 * DAY);
    assertThat(days()).containsExactly(1.0, 1.0);
  }
}
