package org.hourstone.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.Timestamps;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Hours that have not ended are rolled up once, when they have, although the clock was ahead. */
class ClockThatWasAheadTest extends RollupCase {
  private Tsdb db = open();

  @AfterEach
  void close() {
    db.close();
  }

  private Tsdb open() {
    return open("1h,1d", "");
  }

  private void put(long seconds, long value) {
    put(db, "m", seconds, value);
  }

  private long roll() {
    return roll(db);
  }

  private HourRange done() {
    return done(db);
  }

  private int marks() {
    return rows(TsdbOptions.defaults().rollupStateFamily(), (byte) 1);
  }

  private List<Double> sums(String interval) {
    return sums(db, interval, 1);
  }

  @Test
  void hoursThatHaveNotEndedAreNotDoneAnyMore() {
    put(START + 10, 1);
    to(START + 30 * DAY);
    long unused = roll();
    assertThat(sums("1d")).containsExactly(1.0);

    to(START + 600);
    put(START + 600, 2);
    unused = roll();
    assertThat(roll()).as("rows of hours that have not ended").isZero();
    assertThat(done().until()).isLessThanOrEqualTo(START);
    assertThat(sums("1h")).containsExactly(3.0);
    assertThat(sums("1d")).containsExactly(3.0);

    db.close();
    db = open();
    put(START + 5 * HOUR, 4);
    to(START + DAY + HOUR);
    db.flush();
    unused = roll();
    assertThat(roll()).isZero();
    assertThat(done().until()).isEqualTo(START + DAY);
    assertThat(sums("1h")).containsExactly(3.0, 4.0);
    assertThat(sums("1d")).containsExactly(7.0);
    assertThat(db.ownRollups().orElseThrow().verify(() -> false, done -> {})).isZero();
  }

  /** No row is later than 2106, and no range of hours either. */
  @Test
  void hoursThatNoRowCanHaveAreNotRolledUp() {
    long last = Timestamps.MAX_SECONDS - Timestamps.MAX_SECONDS % HOUR;
    to(last - 10 * DAY);
    put(last - 10 * DAY - 5 * HOUR, 1);
    db.flush();
    to(last + 30 * DAY);
    long unused = roll();
    assertThat(done().until()).isEqualTo(last);

    to(last - 10 * DAY);
    unused = roll();
    RolledHours hours = db.ownRollups().orElseThrow().hours();
    assertThat(hours.mayBeOfOthers()).isFalse();
    assertThat(done().until()).isLessThanOrEqualTo(last - 10 * DAY);
  }

  /** Each would be one more write, and be read again and again until its hour has ended. */
  @Test
  void rowsOfHoursThatHaveNotEndedAreNotMarked() {
    put(START + 10, 1);
    to(START + 30 * DAY);
    long unused = roll();
    to(START + 600);
    unused = roll();
    put(START + 600, 2);
    assertThat(marks()).isZero();

    db.close();
    db = open();
    put(START + 700, 3);
    unused = roll();
    put(START + 5 * HOUR, 4);
    assertThat(marks()).isZero();

    to(START + DAY + HOUR);
    db.flush();
    unused = roll();
    assertThat(sums("1h")).containsExactly(6.0, 4.0);
    put(START + 20, 5);
    assertThat(marks()).isEqualTo(1);
    assertThat(sums("1d")).containsExactly(15.0);
  }
}
