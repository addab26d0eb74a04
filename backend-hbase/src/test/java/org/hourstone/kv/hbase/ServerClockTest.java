package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.hourstone.kv.Family;
import org.junit.jupiter.api.Test;

class ServerClockTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final byte[] AHEAD = {1};
  private static final byte[] BEHIND = {2};
  private static final long TIME = 1_500_000_000_000L;

  private final ServerClock clock =
      new ServerClock(ServerClockTest::answer, new HBaseErrors("hbase://nowhere"));

  /** Of two servers, each as far from the master's clock as it may be. */
  private static Result answer(Family family, RowMutations changes) {
    long time = TIME + (changes.getRow()[0] == 1 ? 30_000 : -29_000);
    return Result.create(List.of(new KeyValue(changes.getRow(), AHEAD, AHEAD, time, AHEAD)));
  }

  /** A cell dated by the other server's would hide what is written next. */
  @Test
  void aTimeThatMayNotBeOverIsComparedWithThatOfTheRowsOwnServer() {
    assertThat(clock.now(FAMILY, AHEAD)).isGreaterThanOrEqualTo(TIME + 30_000);

    assertThat(clock.now(FAMILY, BEHIND, TIME - 28_000)).isLessThan(TIME - 28_000);
  }

  @Test
  void aTimeThatIsOverOnAllServersIsNotAskedFor() {
    assertThat(clock.now(FAMILY, AHEAD)).isGreaterThanOrEqualTo(TIME + 30_000);

    assertThat(clock.now(FAMILY, BEHIND, TIME - 60_000)).isGreaterThanOrEqualTo(TIME + 30_000);
  }
}
