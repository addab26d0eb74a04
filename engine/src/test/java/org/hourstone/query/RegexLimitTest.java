package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.query.QueryLimitException.Limit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A regular expression that takes exponential time ends with its query. */
class RegexLimitTest extends LargeQueriesCase {
  private static final String EXPONENTIAL = "sum:m{host=regexp((.*a){12}b)}";

  @Test
  void aRegularExpressionOfExponentialTimeIsCutOff() {
    db.put("m", START, 1, Tags.of("host", "a".repeat(60)));
    db.flush();
    with(QuerySettings.QUERY_REGEX_STEPS, "1000000");
    assertExceeds(Limit.REGEX, "hourstone.query.limits.regex_steps", query(EXPONENTIAL));
  }

  /** It is matched before rows are read if there is an index, else as they are. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aRegularExpressionOfExponentialTimeEndsWithTheTimeOfItsQuery(boolean index) {
    putExponential();
    with(Settings.INDEX_ENABLE, Boolean.toString(index));
    with(QuerySettings.QUERY_TIMEOUT, "200");
    assertThatThrownBy(() -> points(db, query(EXPONENTIAL)))
        .isInstanceOfSatisfying(
            QueryLimitException.class, e -> assertThat(e.limit()).isEqualTo(Limit.TIME))
        .hasMessageContaining("tsd.query.timeout");
    assertNothingIsHeld();
  }

  @Test
  @Timeout(60)
  void aRegularExpressionOfExponentialTimeEndsWhenItsQueryIsCancelled() throws Exception {
    putExponential();
    AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<Long> answer =
          threads.submit(
              () -> {
                reader.set(Thread.currentThread());
                return points(db, query(EXPONENTIAL));
              });
      while (!answer.isDone() && !isMatching(reader.get())) {
        Thread.onSpinWait();
      }
      List<RunningQuery> running = db.runningQueries().list();
      assertThat(running).extracting(RunningQuery::text).containsExactly(EXPONENTIAL);
      assertThat(db.runningQueries().kill(running.get(0).id(), "enough")).isTrue();
      assertThatThrownBy(answer::get)
          .hasCauseInstanceOf(QueryCancelledException.class)
          .hasMessageContaining("enough");
      assertNothingIsHeld();
    } finally {
      threads.shutdownNow();
    }
  }

  /** A value for which {@link #EXPONENTIAL} takes longer than anyone waits. */
  private void putExponential() {
    db.put("m", START, 1, Tags.of("host", "a".repeat(60)));
    db.flush();
    with(QuerySettings.QUERY_REGEX_STEPS, "0"); // any number of them
  }

  private static boolean isMatching(@Nullable Thread thread) {
    return thread != null
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals("org.hourstone.query.RegexBudget"));
  }
}
