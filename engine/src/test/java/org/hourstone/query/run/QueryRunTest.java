package org.hourstone.query.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.query.Query;
import org.hourstone.query.QueryContext;
import org.hourstone.query.QueryLimits;
import org.hourstone.query.QueryThreads;
import org.hourstone.query.RequestBudget;
import org.hourstone.series.MemoryLease;
import org.junit.jupiter.api.Test;

class QueryRunTest {
  @Test
  void aClosedQueryIsNotHeldThoughAllThreadsAreBusy() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    FutureTask<Boolean> busy =
        new FutureTask<>(
            () -> {
              began.countDown();
              ended.await();
              return true;
            });
    try (QueryThreads threads = new QueryThreads(1, 1)) {
      threads.executeQuery(busy);
      began.await();
      QueryRun read = run(threads);
      read.start();
      assertThat(read.groups()).isEmpty();
      QueryRun unread = run(threads);
      unread.start();
      assertThat(threads.waiting()).isEqualTo(2);
      assertThat(read.close()).isTrue();
      assertThat(unread.close()).isTrue();
      assertThat(threads.waiting()).isZero();
    } finally {
      ended.countDown();
    }
  }

  @Test
  void whatWasReadIsPutBackUntilItIsRequested() {
    try (QueryThreads threads = new QueryThreads(1, 1)) {
      AtomicInteger readings = new AtomicInteger();
      QueryRun run = run(threads, readings);
      assertThat(run.putBack()).isFalse();
      assertThat(run.isBegun()).isFalse();
      assertThat(readings).hasValue(1);

      run.start();
      assertThat(run.isBegun()).isTrue();
      run.putBack();
      assertThat(run.isBegun()).as("put back").isFalse();
      assertThat(readings).hasValue(2);

      assertThat(run.groups()).isEmpty();
      run.putBack();
      assertThat(run.isBegun()).as("requested").isTrue();
      assertThat(readings).hasValue(2);

      run.restart();
      assertThat(run.isBegun()).as("read again").isTrue();
      assertThat(readings).hasValue(3);
      assertThat(run.groups()).isEmpty();
      run.close();
    }
  }

  @Test
  void aClosedQueryIsNotReadAnyMore() {
    try (QueryThreads threads = new QueryThreads(1, 1)) {
      AtomicInteger readings = new AtomicInteger();
      QueryRun run = run(threads, readings);
      assertThat(run.close()).isTrue();
      assertThat(run.close()).as("again").isFalse();

      run.start();
      run.restart();
      assertThat(run.putBack()).isFalse();
      assertThat(run.isClosed()).isTrue();
      assertThat(readings).hasValue(1);
      assertThat(threads.waiting()).isZero();
    }
  }

  private static QueryRun run(QueryThreads threads) {
    return run(threads, new AtomicInteger());
  }

  /**
   * @param readings how often resources for reading were taken
   */
  private static QueryRun run(QueryThreads threads, AtomicInteger readings) {
    Query query = Query.parse("sum:m").between(Instant.EPOCH, Instant.ofEpochSecond(1));
    return new QueryRun(
        query,
        List.of(),
        () -> {
          readings.incrementAndGet();
          return new QueryContext(query, QueryLimits.NONE, RequestBudget.unlimited());
        },
        MemoryLease.untracked(),
        threads,
        tsuids -> {});
  }
}
