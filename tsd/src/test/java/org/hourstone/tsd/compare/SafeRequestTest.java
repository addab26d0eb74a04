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
  @ValueSource(
      strings = {
        "/api/query?start=1&m=sum:m&delete",
        "/api/query?delete=false",
        "/api/query?delete=\u0085",
        "/api/query?start=1;delete=\u2028x&m=sum:m",
        "/api/query?start=1&DELETE=true",
        "/api/query?start=1&d%65lete=true",
        "/api/query?m=sum:m?x&delete=1",
        "/api/query?method_override=\u2029delete",
        "/api/v1/query?Method_Override=delete",
        "http://other:4242/api/query?delete=\u0085true",
        "http://other?/api/query?delete=true",
        "HTTP://other/api/query?m=sum:m",
        "//other/api/query?m=sum:m",
        "/api/query;delete?m=sum:m",
        "/api/query/?m=sum:m",
        "/api/query\u0085?m=sum:m",
        "/api/%71uery?m=sum:m",
        "/api/query/../uid/rename?m=sum:m",
        "/api/v1/v1/query?m=sum:m",
        "/api/put?m=sum:m",
        "/api/query#?delete",
      })
  void whatMayChangeSomethingIsNotSent(String target) {
    for (String method : new String[] {"GET", "POST"}) {
      assertThatThrownBy(() -> SafeRequest.of(method, target, "{}", TIMES))
          .isInstanceOf(UnusableRequestException.class);
    }
    assertThatThrownBy(() -> target(target)).isInstanceOf(UnusableRequestException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "PUT", "delete", "get", "HEAD", "PATCH"})
  void onlyMethodsThatReadAreSent(String method) {
    assertThatThrownBy(() -> SafeRequest.of(method, "/api/query?m=sum:m", "", TIMES))
        .isInstanceOf(UnusableRequestException.class)
        .hasMessageContaining("method");
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
