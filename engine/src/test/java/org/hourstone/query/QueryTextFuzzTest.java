package org.hourstone.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import java.time.Instant;
import java.time.ZoneOffset;

/** Any text is a query, or a time, or refused with an IllegalArgumentException that says why. */
class QueryTextFuzzTest {
  @FuzzTest(maxExecutions = 200_000)
  void queriesAndTimesAreUnderstoodOrRefused(@NotNull String text) {
    try {
      assertThat(Query.parse(text).metric()).isNotEmpty();
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
    try {
      TimeText.parseMillis(text, Instant.EPOCH, ZoneOffset.UTC);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
