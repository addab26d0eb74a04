package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Expressions are answered in strict mode as OpenTSDB 2.4.0 answered them, to the digit. Recorded
 * over the points in the file, put in this order to an empty instance; stack traces and empty lists
 * of annotations are taken out. Not in the file is where OpenTSDB fails by a defect, or takes
 * values of one timestamp for those of another: see {@code
 * docs/expressions.md#differences-from-opentsdb}.
 */
class RecordedExpressionsTest {
  private final ModelStore store =
      new ModelStore(new ManualClock(Instant.parse("2026-01-01T00:00:00Z")));
  private JsonNode recorded;
  private Tsdb db;

  @BeforeEach
  void putPoints() throws IOException {
    try (InputStream json = RecordedExpressionsTest.class.getResourceAsStream("expressions.json")) {
      recorded = new ObjectMapper().readTree(json);
    }
    db = Tsdb.over(store, GoldenConfig.options(Map.of()));
    recorded.required("puts").forEach(line -> db.putLine(line.asText()));
    db.flush();
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  @TestFactory
  Stream<DynamicTest> expressionsAreAnsweredAsRecorded() {
    Api api = new Api(db);
    return StreamSupport.stream(recorded.required("requests").spliterator(), false)
        .map(
            request ->
                DynamicTest.dynamicTest(
                    request.required("name").asText(),
                    () ->
                        assertThat(
                                QueryComparison.difference(
                                    request, api.respond(RecordedAnswer.call(request))))
                            .describedAs("%s", request)
                            .isEmpty()));
  }
}
