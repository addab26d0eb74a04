package org.hourstone.tsd.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as they are sent. */
class SafeRequestTest {
  private static final RequestTimes TIMES = new RequestTimes(Instant.ofEpochSecond(1_700_000_000));

  private static String target(String given) {
    return SafeRequest.get(given, TIMES).target();
  }

  private static SafeRequest logged(String members, String ofQuery) throws IOException {
    String line =
        "{\"query\":{\"start\":\"1\",\"end\":\"2\"%s,\"queries\":[{\"metric\":\"m\"%s}]}}"
            .formatted(members, ofQuery);
    return LoggedQuery.request(new ObjectMapper().readTree(line), TIMES);
  }

  @Test
  void theLatestPointsHaveNames() {
    assertThat(target("/api/query/last?timeseries=resolve.count{resolve=*}"))
        .endsWith("&resolve=true");
    assertThat(target("/api/query/last?timeseries=m;resolve")).endsWith("m;resolve");
    assertThat(target("/api/query/last?resolve=true&timeseries=m")).endsWith("&timeseries=m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "\"True\"", "\"false\"", "1", "0.5", "[]"})
  void aBodyMayNotSayThatPointsAreDeleted(String value) {
    String body = "{\"start\":1,\"delete\":" + value + ",\"queries\":[]}";
    assertThatThrownBy(() -> SafeRequest.of("POST", "/api/query", body, TIMES))
        .isInstanceOf(UnusableRequestException.class)
        .hasMessageStartingWith("delete: ");
    assertThatThrownBy(() -> logged(",\"delete\":" + value, ""))
        .isInstanceOf(UnusableRequestException.class)
        .hasMessageStartingWith("delete: ");
  }

  @Test
  void aBodyMaySayThatTheyAreNot() throws IOException {
    for (String value : new String[] {"false", "null"}) {
      String body = "{\"start\":1,\"delete\":" + value + ",\"queries\":[]}";
      assertThat(SafeRequest.of("POST", "/api/query", body, TIMES).body()).contains("\"queries\"");
      assertThat(logged(",\"delete\":" + value, "").body()).doesNotContain("delete");
    }
  }

  @Test
  void aLoggedQueryKeepsWhatItsAnswerDependsOn() throws IOException {
    String all =
        ",\"percentiles\":[99.9],\"showHistogramBuckets\":true,\"preAggregate\":true,"
            + "\"rollupUsage\":\"ROLLUP_RAW\"";
    assertThat(logged(",\"globalAnnotations\":true", all).body())
        .contains("\"globalAnnotations\":true", all);
    assertThat(logged("", ",\"percentiles\":[],\"preAggregate\":false,\"rollupUsage\":null").body())
        .endsWith("\"queries\":[{\"metric\":\"m\"}]}");
  }
}
