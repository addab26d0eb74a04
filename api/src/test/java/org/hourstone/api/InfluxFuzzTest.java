package org.hourstone.api;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;

/** Any body of InfluxDB's line protocol is stored or refused with a reason that names a line. */
class InfluxFuzzTest {
  @FuzzTest(maxExecutions = 10_000)
  void bodiesAreStoredOrRefused(byte @NotNull [] body) {
    TextBodies.check("/write", body, "^\\{\"error\":\"partial write: line ", "");
  }
}
