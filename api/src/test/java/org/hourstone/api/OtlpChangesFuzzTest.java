package org.hourstone.api;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Requests of OTLP that were changed a little are answered as any bytes are. In a class of its own:
 * a search runs one test of each. {@code -Dotlp.random=N} plays N random bodies.
 */
class OtlpChangesFuzzTest {
  private static final int RANDOM = Integer.getInteger("otlp.random", 2000);

  @FuzzTest(maxExecutions = 5_000)
  void changedRequestsAreAnswered(FuzzedDataProvider data) throws IOException {
    try (OtlpBodies bodies = new OtlpBodies()) {
      bodies.checkChanged(bound -> data.remainingBytes() > 0 ? data.consumeInt(0, bound - 1) : 0);
    }
  }

  @Test
  void randomlyChangedRequestsAreAnswered() throws IOException {
    try (OtlpBodies bodies = new OtlpBodies()) {
      for (int i = 0; i < RANDOM; i++) {
        bodies.checkChanged(new Random(i)::nextInt);
      }
    }
  }
}
