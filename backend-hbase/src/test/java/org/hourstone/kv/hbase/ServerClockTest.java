package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.hourstone.kv.Family;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;

class ServerClockTest {
  private static final Family FAMILY = new Family("tsdb", "t");
  private static final byte[] AHEAD = {1};
  private static final byte[] BEHIND = {2};
  private static final long TIME = 1_500_000_000_000L;

  private final ServerClock clock =
      new ServerClock(
          ServerClockTest::answer, ServerClockTest::server, new HBaseErrors("hbase://nowhere"));

  private static ServerName server(Family family, byte[] row) {
    return ServerName.valueOf("server" + row[0], 1, 1);
  }

  /** Of two servers, each as far from the master's clock as it may be. */
  private static Result answer(Family family, RowMutations changes) {
    long time = TIME + (changes.getRow()[0] == 1 ? 30_000 : -29_000);
    return Result.create(List.of(new KeyValue(changes.getRow(), AHEAD, AHEAD, time, AHEAD)));
  }

  /** A cell dated by the other server's would hide what is written next. */
  @Test
  void aTimeThatMayNotBeOverIsComparedWithThatOfTheRowsOwnServer() {
    assertThat(clock.now(FAMILY, AHEAD)).isGreaterThanOrEqualTo(TIME + 30_000);

    assertThat(clock.now(FAMILY, BEHIND, TIME - 28_000)).isLessThan(TIME); // it goes on
  }

  @Test
  void aTimeThatIsOverOnAllServersIsNotAskedFor() {
    assertThat(clock.now(FAMILY, AHEAD)).isGreaterThanOrEqualTo(TIME + 30_000);

    assertThat(clock.now(FAMILY, BEHIND, TIME - 60_000)).isGreaterThanOrEqualTo(TIME + 30_000);
  }

  /** Each server is asked for it once, not each row. */
  @Test
  void aTimeThatWasAskedForIsThatOfItsServer() {
    AtomicInteger asked = new AtomicInteger();
    ServerClock counted =
        new ServerClock(
            (family, changes) -> {
              asked.incrementAndGet();
              return answer(family, changes);
            },
            ServerClockTest::server,
            new HBaseErrors("hbase://nowhere"));
    for (int i = 0; i < 3; i++) {
      assertThat(counted.known(FAMILY, AHEAD, TIME)).isGreaterThanOrEqualTo(TIME + 30_000);
      assertThat(counted.known(FAMILY, BEHIND, TIME)).isLessThan(TIME);
    }

    assertThat(asked).hasValue(2);
  }

  /** As those of calls that the client has repeated. */
  @Test
  void aServerThatNeverReportsItsTimeIsAskedAFewTimes() {
    AtomicInteger asked = new AtomicInteger();
    ServerClock silent =
        new ServerClock(
            (family, changes) -> {
              if (asked.incrementAndGet() > 1_000) {
                throw new AssertionError("asked again and again");
              }
              return Result.EMPTY_RESULT;
            },
            ServerClockTest::server,
            new HBaseErrors("hbase://nowhere"));

    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> silent.now(FAMILY, AHEAD));

    assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
  }

  @Test
  void whetherATimeIsPastIsNeverInDoubt() {
    ServerClock lost =
        new ServerClock(
            (family, changes) -> {
              throw new StoreException(Outcome.UNKNOWN, "no response");
            },
            ServerClockTest::server,
            new HBaseErrors("hbase://nowhere"));

    StoreException failure =
        catchThrowableOfType(StoreException.class, () -> lost.isPast(FAMILY, AHEAD, TIME));

    assertThat(failure.outcome()).isEqualTo(Outcome.NOT_APPLIED);
    assertThat(failure).hasMessage("no response");
  }
}
