package org.hourstone.testing.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import org.hourstone.testing.golden.GoldenQueryContract;
import org.junit.jupiter.api.Test;

/** The reference answers as OpenTSDB did, where the recorded queries are about numbers. */
class RecordedReferenceTest {
  private static final int QUERIES = 319;
  private static final Pattern SPECIFIED = Pattern.compile("\\d+(ms|[smhdwny])c?-.*|.*all-.*|");

  @Test
  void recordedQueriesAreAnsweredAsRecorded() throws IOException {
    PutLines points = new PutLines();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(resource("queries-dataset.txt"), StandardCharsets.UTF_8))) {
      lines.lines().forEach(points::put);
    }
    Reference reference = new Reference(points, Mode.STRICT, what -> {});
    int answered = 0;
    try (InputStream queries = resource("queries.json")) {
      for (JsonNode query : new ObjectMapper().readTree(queries)) {
        if (isOfNumbers(query)) {
          assertThat(reference.answer(query.get("body")))
              .describedAs("%s", query)
              .isEqualTo(Result.parse(query.required("response").asText()));
          answered++;
        }
      }
    }
    assertThat(answered).isEqualTo(QUERIES);
  }

  private static InputStream resource(String name) {
    return Objects.requireNonNull(GoldenQueryContract.class.getResourceAsStream(name));
  }

  /** Not of dates, TSUIDs, errors, or other forms of the answer. */
  private static boolean isOfNumbers(JsonNode query) {
    JsonNode body = query.path("body");
    if (query.required("status").asInt() != 200
        || query.required("path").asText().contains("arrays")
        || !body.path("start").asText().matches("\\d+(ms)?")) {
      return false;
    }
    for (JsonNode sub : body.path("queries")) {
      if (!sub.has("metric") || !SPECIFIED.matcher(sub.path("downsample").asText()).matches()) {
        return false;
      }
    }
    return body.has("queries");
  }
}
