package org.hourstone.api;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;

/**
 * Any body of Prometheus' text, or of OpenMetrics, is stored or refused with a reason that names a
 * line.
 */
class PrometheusTextFuzzTest {
  @FuzzTest(maxExecutions = 10_000)
  void bodiesAreStoredOrRefused(byte @NotNull [] body) {
    TextBodies.check(
        "/api/import/prometheus",
        body,
        "samples were not stored\",\"details\":\"line ",
        "text/plain",
        "application/openmetrics-text");
  }
}
