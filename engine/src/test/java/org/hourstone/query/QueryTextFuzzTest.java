package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.time.Instant;
import java.time.ZoneOffset;
import org.hourstone.error.RequestException;

/** Any text is a query, or a time, or refused with a RequestException that says why. */
class QueryTextFuzzTest {
  @FuzzTest(maxExecutions = 200_000)
  void queriesAndTimesAreUnderstoodOrRefused(@NotNull String text) {
    try {
      assertThat(Query.parse(text).metric()).isNotEmpty();
    } catch (RequestException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    try {
      TimeText.parseMillis(text, Instant.EPOCH, ZoneOffset.UTC, QueryDialect.HOURSTONE);
    } catch (RequestException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
