package org.hourstone.query.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
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

  private static QueryRun run(QueryThreads threads) {
    Query query = Query.parse("sum:m").between(Instant.EPOCH, Instant.ofEpochSecond(1));
    return new QueryRun(
        query,
        List.of(),
        () -> new QueryContext(query, QueryLimits.NONE, RequestBudget.unlimited()),
        MemoryLease.untracked(),
        threads,
        tsuids -> {});
  }
}
