package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hourstone.query.QueryLimits.NONE;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.series.MemoryLease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RequestBudgetTest {
  private static final long MILLI = 1_000_000;

  private final AtomicLong nanos = new AtomicLong(-5);

  private RunningQueries requests(QueryLimits limits) {
    return new RunningQueries(
        limits, InstantSource.fixed(Instant.EPOCH), nanos::get, 2, new SlowQueries(0));
  }

  private static void assertExceeds(Limit limit, String setting, Runnable work) {
    assertThatThrownBy(work::run)
        .isInstanceOfSatisfying(
            QueryLimitException.class, e -> assertThat(e.limit()).isEqualTo(limit))
        .hasMessageContaining(setting);
  }

  @Test
  void onlyTimeInWhichAThreadWorksCounts() {
    RequestBudget budget = requests(NONE.with(Limit.TIME, 100)).begin(() -> "m");
    nanos.addAndGet(60 * MILLI);
    budget.check();
    budget.resume(); // a second thread
    budget.pause();
    budget.pause();
    nanos.addAndGet(1_000_000 * MILLI);
    budget.check();
    budget.resume();
    budget.check();
    nanos.addAndGet(40 * MILLI);
    budget.check();
    nanos.addAndGet(MILLI);
    assertExceeds(Limit.TIME, "tsd.query.timeout", budget::check);
  }

  @Test
  void allThatARequestStartsSharesItsMemory() {
    RunningQueries requests = requests(NONE.with(Limit.MEMORY, 100));
    try (RequestBudget budget = requests.begin(() -> "m")) {
      MemoryLease first = budget.memory().child();
      MemoryLease second = budget.memory().child();
      first.grow(60);
      assertExceeds(Limit.MEMORY, "hourstone.query.limits.memory_bytes", () -> second.grow(41));
      second.grow(40);
      assertThat(requests.memoryBytes()).isEqualTo(100);
      assertThat(budget.use().memoryBytes()).isEqualTo(100);
    }
    assertThat(requests.memoryBytes()).isZero();
    assertThat(requests.list()).isEmpty();
  }

  @Test
  void smallRequestsOverdrawTheTotalByAQuarterAtMost() {
    RunningQueries requests = requests(NONE.withTotalMemoryBytes(10_000));
    List<RequestBudget> budgets = new ArrayList<>();
    for (int i = 0; i < 125; i++) {
      budgets.add(requests.begin(() -> "m"));
      budgets.get(i).memory().grow(100);
    }
    assertThat(requests.memoryBytes()).isEqualTo(12_500);
    RequestBudget next = requests.begin(() -> "m");
    String setting = "hourstone.query.limits.total_memory_bytes";
    assertExceeds(Limit.MEMORY, setting, () -> next.memory().grow(1));
    assertThat(requests.memoryBytes()).isEqualTo(12_500);
    budgets.get(0).close();
    assertExceeds(Limit.MEMORY, setting, () -> budgets.get(1).memory().grow(1)); // not small
    next.memory().grow(100);
    budgets.forEach(RequestBudget::close);
    next.close();
    assertThat(requests.memoryBytes()).isZero();
  }

  @Test
  void queriesAndValuesAreCountedByRequest() {
    RequestBudget budget =
        requests(NONE.with(Limit.QUERIES, 3).with(Limit.VALUES, 10)).begin(() -> "m");
    budget.queries(2);
    budget.queries(1);
    assertExceeds(Limit.QUERIES, "hourstone.query.limits.queries", () -> budget.queries(1));
    budget.values(4);
    budget.values(6);
    assertExceeds(Limit.VALUES, "hourstone.expression.max_values", () -> budget.values(1));
  }

  @Test
  void regularExpressionsOfARequestShareTheirStepsAndEndWithIt() {
    RunningQueries requests = requests(NONE.with(Limit.REGEX, 20_000));
    RequestBudget budget = requests.begin(() -> "m");
    Pattern pattern = Pattern.compile("x");
    String text = "a".repeat(6000);
    for (int i = 0; i < 3; i++) {
      assertThat(budget.regex().find(pattern, text)).isFalse();
    }
    assertExceeds(
        Limit.REGEX,
        "hourstone.query.limits.regex_steps",
        () -> budget.regex().find(pattern, text));
    RequestBudget cancelled = requests.begin(() -> "n");
    assertThat(requests.kill(cancelled.id(), "enough")).isTrue();
    assertThatThrownBy(() -> cancelled.regex().find(pattern, text))
        .isInstanceOf(QueryCancelledException.class)
        .hasMessageContaining("enough");
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aRegularExpressionOfExponentialTimeEndsWhenItsRequestIsOutOfTime() {
    RunningQueries requests =
        new RunningQueries(
            NONE.with(Limit.TIME, 100),
            InstantSource.fixed(Instant.EPOCH),
            () -> nanos.addAndGet(MILLI), // each look at the clock takes a millisecond
            2,
            new SlowQueries(0));
    try (RequestBudget budget = requests.begin(() -> "m")) {
      Pattern exponential = Pattern.compile("(.*a){12}b");
      assertExceeds(
          Limit.TIME, "tsd.query.timeout", () -> budget.regex().find(exponential, "a".repeat(60)));
    }
  }
}
