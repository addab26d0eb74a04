package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.kv.Change;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.Test;

class WriteClockTest {
  private static final byte[] ROW = {1, 2, 3};

  private final AtomicLong now = new AtomicLong(5_000_000);
  private final List<Long> marks = new ArrayList<>();

  @Test
  void timesOfARowIncreaseThoughTheClockStandsOrGoesBack() {
    WriteClock clock = clock(0);
    long first = clock.next(ROW);
    long second = clock.next(ROW);
    now.addAndGet(-100_000);
    long third = clock.next(ROW);
    now.addAndGet(200_000);
    long fourth = clock.next(ROW);

    assertThat(first).isEqualTo(5_000_000);
    assertThat(List.of(first, second, third)).isEqualTo(List.of(first, first + 1, first + 2));
    assertThat(fourth).isEqualTo(5_100_000);
  }

  @Test
  void otherRowsKeepTheClocksTime() {
    WriteClock clock = clock(0);
    clock.next(ROW);
    clock.next(ROW);
    assertThat(clock.next(new byte[] {9})).isEqualTo(5_000_000);
  }

  @Test
  void aMarkIsStoredBeforeATimePassesIt() {
    WriteClock clock = clock(0);
    for (int i = 0; i < 10_000; i++) {
      assertThat(clock.next(ROW)).isLessThanOrEqualTo(marks.get(marks.size() - 1));
    }
    assertThat(marks).hasSizeLessThan(15);
  }

  @Test
  void theNextProcessGoesOnAfterTheMarkHoweverTheLastOneEnded() {
    WriteClock killed = clock(0);
    long last = killed.next(ROW);
    now.addAndGet(-3_600_000);
    assertThat(clock(lastMark()).next(ROW)).isBetween(last + 1, last + WriteClock.AHEAD + 1);

    WriteClock closed = clock(lastMark());
    last = closed.next(ROW);
    closed.close();
    assertThat(lastMark()).isEqualTo(last);
    assertThat(clock(lastMark()).next(ROW)).isEqualTo(last + 1);
  }

  @Test
  void whatIsAssignedIsLaterThanWhatWasGiven() {
    WriteClock clock = clock(0);
    assertThat(clock.given(ROW, 1_234)).isEqualTo(1_234);
    assertThat(clock.given(ROW, 4_999_999)).isEqualTo(4_999_999);
    now.addAndGet(-1_000);
    assertThat(clock.next(ROW)).isEqualTo(5_000_000);
  }

  @Test
  void timesGivenInTheFutureAreLoweredAndDoNotMakeTheRowRunAhead() {
    WriteClock clock = clock(0);
    for (int i = 0; i < 100; i++) {
      assertThat(clock.given(ROW, Change.MAX_WRITE_TIME - i)).isEqualTo(5_000_000);
    }
    assertThat(clock.next(ROW)).isEqualTo(5_000_001);
    now.addAndGet(-1_000);
    assertThat(clock.given(ROW, 5_000_002)).isEqualTo(5_000_001);
    assertThat(clock.next(ROW)).isEqualTo(5_000_002);
  }

  @Test
  void aTimeThatIsNotUsedIsNotUsedUp() {
    WriteClock clock = clock(0);
    clock.next(ROW);
    assertThat(clock.upcoming(ROW)).isEqualTo(5_000_001);
    assertThat(clock.upcoming(ROW)).isEqualTo(5_000_001);
    clock.raise(ROW, 1_234);
    assertThat(clock.upcoming(ROW)).isEqualTo(5_000_001);
    clock.raise(ROW, 5_000_001);
    assertThat(clock.next(ROW)).isEqualTo(5_000_002);
  }

  @Test
  void theMarkCoversGivenAndRaisedTimesToo() {
    WriteClock killed = clock(0);
    long given = killed.given(ROW, 5_000_000);
    assertThat(lastMark()).isGreaterThanOrEqualTo(given);
    now.addAndGet(10_000);
    killed.raise(ROW, killed.upcoming(ROW));
    assertThat(lastMark()).isGreaterThanOrEqualTo(5_010_000);
    now.addAndGet(-3_600_000);
    assertThat(clock(lastMark()).next(ROW)).isGreaterThan(5_010_000);

    killed.close();
    assertThat(lastMark()).isEqualTo(5_010_000);
  }

  @Test
  void nothingIsStoredWhereNoTimeIsAssigned() {
    clock(0).close();
    assertThat(marks).isEmpty();
  }

  @Test
  void aTimeNoCellCanCarryIsRefused() {
    WriteClock clock = clock(0);
    now.set(Change.MAX_WRITE_TIME);
    assertThat(clock.next(ROW)).isEqualTo(Change.MAX_WRITE_TIME);
    assertThatThrownBy(() -> clock.next(ROW))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.outcome()).isEqualTo(StoreException.Outcome.NOT_APPLIED));
  }

  @Test
  void aClockThatWasBeyondWhatACellCanCarryLeavesNothingBehind() {
    WriteClock clock = clock(0);
    long before = clock.next(ROW);
    now.set(Change.MAX_WRITE_TIME + 1);
    assertThatThrownBy(() -> clock.next(ROW)).isInstanceOf(StoreException.class);
    now.set(before);
    assertThat(clock.next(ROW)).isEqualTo(before + 1);
    clock.close();
    assertThat(lastMark()).isEqualTo(before + 1);
  }

  @Test
  void threadsNeverGetOneTimeTwice() throws InterruptedException {
    WriteClock clock = clock(0);
    Set<Long> times = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    CountDownLatch go = new CountDownLatch(1);
    for (int t = 0; t < 4; t++) {
      Thread thread =
          new Thread(
              () -> {
                await(go);
                for (int i = 0; i < 20_000; i++) {
                  times.add(clock.next(ROW));
                }
              });
      thread.start();
      threads.add(thread);
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(times).hasSize(80_000);
  }

  private WriteClock clock(long start) {
    return new WriteClock(() -> Instant.ofEpochMilli(now.get()), start, marks::add);
  }

  private long lastMark() {
    return marks.get(marks.size() - 1);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
