package org.hourstone.api;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Whatever bytes are sent as OTLP, in protobuf or JSON: they are stored, refused in part, or not
 * readable; none of it is a fault of the server.
 */
class OtlpFuzzTest {
  @FuzzTest(maxExecutions = 5_000)
  void anyBytesAreAnswered(FuzzedDataProvider data) {
    boolean isJson = data.consumeBoolean();
    try (OtlpBodies bodies = new OtlpBodies()) {
      bodies.check(isJson, data.consumeRemainingAsBytes());
    }
  }
}
