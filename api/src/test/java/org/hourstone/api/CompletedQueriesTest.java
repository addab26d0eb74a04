package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.api.endpoint.CompletedQueries;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /api/stats/query} lists the requests for points that have ended. */
class CompletedQueriesTest extends ApiCase {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  void putPoints() {
    put("m 1500001200 1 host=a");
    put("m 1500001210 2 host=a");
    put("m 1500001210 3 host=b");
    db.flush();
  }

  private ApiResponse get(String uri) {
    return api.respond(ApiCall.of("GET", uri, "", new Disconnection("10.1.2.3:5 request r")));
  }

  private String listText() {
    return get("/api/stats/query").body();
  }

  private JsonNode completed() {
    try {
      return JSON.readTree(listText()).path("completed");
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aQueryIsListedWithItsOutcomeAndUse() {
    assertThat(completed()).isEmpty();
    assertThat(get("/api/query?" + RANGE + "&m=sum:m{host=*}").body()).contains("dps");

    JsonNode query = completed().path(0);

    assertThat(query.path("query").asText()).isEqualTo("sum:m{host=wildcard(*)}");
    assertThat(query.path("client").asText()).isEqualTo("10.1.2.3:5 request r");
    assertThat(query.path("exception").asText()).isEqualTo("null");
    assertThat(query.at("/httpResponse/code").asInt()).isEqualTo(200);
    assertThat(query.path("queryStartTimestamp").asLong()).isEqualTo((HOUR + 200) * 1000);
    assertThat(query.path("queryCompletedTimestamp").asLong()).isEqualTo((HOUR + 200) * 1000);
    assertThat(query.path("sentToClient").asBoolean()).isTrue();
    assertThat(query.path("rows").asInt()).isEqualTo(2);
    assertThat(query.path("bytes").asInt()).isPositive();
    assertThat(query.path("points").asInt()).isEqualTo(3);
    assertThat(query.path("series").asInt()).isEqualTo(2);
    assertThat(query.at("/stats/emittedDPs").asInt()).isEqualTo(3);
    for (String time :
        new String[] {"totalTime", "processingPreWriteTime", "workingTime", "avgQueryScanTime"}) {
      assertThat(query.at("/stats/" + time).isDouble()).as(time).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "query | m=sum:nosuch | 400 | No such name for 'metrics': 'nosuch'",
        "query/gexp | exp=scale(sum:nosuch,2) | 400 | No such name for 'metrics': 'nosuch'",
        "query/gexp | exp=scale(sum:m,2) | 200 | null",
        "query/last | timeseries=nosuch{host=a} | 400 | No such name for 'metrics': 'nosuch'",
        "query/last | timeseries=m{host=a}&back_scan=1 | 200 | null",
        "../q | m=sum:m&ascii | 200 | null"
      })
  void failuresAndOtherRequestsForPointsAreListed(
      String path, String parameters, int status, String problem) {
    String uri = path.startsWith("..") ? path.substring(2) : "/api/" + path;
    String range = path.equals("query/last") ? "" : RANGE + "&";
    ApiResponse response = get(uri + "?" + range + parameters);
    assertThat(response.body()).isNotNull();
    assertThat(response.status()).isEqualTo(status);

    JsonNode query = completed().path(0);

    assertThat(query.at("/httpResponse/code").asInt()).isEqualTo(status);
    assertThat(query.path("exception").asText()).startsWith(problem);
    assertThat(query.path("sentToClient").asBoolean()).isTrue();
  }

  @Test
  void aResponseThatIsBrokenOffWasNotSent() {
    ApiResponse response = get("/api/query?" + RANGE + "&m=sum:m");
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("connection reset");
          }
        };
    assertThatThrownBy(() -> response.writeTo(broken)).isInstanceOf(IOException.class);

    JsonNode query = completed().path(0);

    assertThat(query.path("sentToClient").asBoolean()).isFalse();
    assertThat(query.path("exception").asText()).isEqualTo("connection reset");
    assertThat(query.at("/httpResponse/code").asInt()).isEqualTo(200);
  }

  @Test
  void theLatestAreKeptAndCompletionDoesNotReplaceThem() {
    for (int i = 0; i <= CompletedQueries.MOST; i++) {
      get("/api/query?" + RANGE + "&m=sum:m" + (i == 0 ? "{host=first}" : "")).close();
    }
    get("/api/query?" + RANGE + "&m=max:m").close();
    get("/api/suggest?type=metrics&q=m").close();

    JsonNode list = completed();

    assertThat(list).hasSize(CompletedQueries.MOST);
    assertThat(list.path(0).path("query").asText()).isEqualTo("max:m");
    assertThat(list.toString()).doesNotContain("first");
  }

  @Test
  void whatClientsSendIsCut() {
    String name = "x".repeat(100_000);
    String queries =
        IntStream.range(0, 4_000)
            .mapToObj(
                i -> "{\"aggregator\":\"sum\",\"metric\":\"" + i + name.substring(99_000) + "\"}")
            .collect(Collectors.joining(","));
    String body = "{\"start\":1500001200,\"end\":1500001300,\"queries\":[" + queries + "]}";
    for (int i = 0; i < 5; i++) {
      api.respond(ApiCall.of("POST", "/api/query", body)).close();
      get("/api/query?" + RANGE + "&m=sum:" + name).close();
    }

    assertThat(completed()).hasSize(10);
    assertThat(listText().length()).isLessThan(10 * 4_000);
    try (var budget = db.begin(() -> name)) {
      assertThat(budget.use().text()).hasSizeLessThan(2_100).endsWith("…");
      assertThat(get("/api/query/running").body()).hasSizeLessThan(3_000);
    }
  }
}
