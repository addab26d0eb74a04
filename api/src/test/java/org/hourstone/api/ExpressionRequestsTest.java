package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.hourstone.QuerySettings;
import org.hourstone.Tags;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.query.QueryCancelledException;
import org.junit.jupiter.api.Test;

/** What requests for expressions cost, and how they end. */
class ExpressionRequestsTest extends ExpressionsCase {
  @Test
  void aRequestForTooManyValuesIsRefused() {
    putTwoHosts();
    db.close();
    use(db.engine().options().with(QuerySettings.EXPRESSION_MAX_VALUES, "14"));
    String formula = ",'expressions':[{'id':'q','expr':'a + b'}]";
    String refusal = "more than 14 values (hourstone.expression.max_values)";

    // The queries return 6 values, b has 6 in its table, and q has 9.
    assertThat(exp(METRICS + ",'outputs':[{'id':'b'}]").status()).isEqualTo(200);
    assertThat(exp(METRICS + formula + ",'outputs':[{'id':'b'}]").status()).isEqualTo(200);
    for (String outputs : List.of("{'id':'q'}", "{'id':'b'},{'id':'b'}", "{'id':'a'},{'id':'b'}")) {
      ApiResponse response = exp(METRICS + formula + ",'outputs':[" + outputs + "]");
      assertThat(response.status()).as(outputs).isEqualTo(413);
      assertThat(response.body()).contains(refusal);
    }

    db.close();
    use(db.engine().options().with(QuerySettings.EXPRESSION_MAX_VALUES, "4"));
    assertThat(gexp("exp=scale(sum:b,2)").status()).isEqualTo(200);
    assertThat(gexp("exp=scale(sum:b,2)&exp=absolute(sum:b)").status()).isEqualTo(200);
    assertThat(gexp("exp=scale(sum:b,2)&exp=absolute(sum:a)").status()).isEqualTo(413);
  }

  @Test
  void aRequestHoldsItsMemoryUntilTheResponseIsWritten() {
    putTwoHosts();
    List<Supplier<ApiResponse>> requests =
        List.of(
            () -> gexp("exp=scale(sum:a,2)"),
            () -> exp(METRICS + ",'expressions':[{'id':'q','expr':'a + b'}]"));
    for (Supplier<ApiResponse> request : requests) {
      ApiResponse response = request.get();
      assertThat(db.runningQueries().list()).hasSize(1);
      assertThat(db.runningQueries().memoryBytes()).isPositive();
      response.body();
      assertThat(db.runningQueries().list()).isEmpty();
      assertThat(db.runningQueries().memoryBytes()).isZero();
    }
    ask("scale(sum:a,2)");
    assertThat(db.runningQueries().list()).isEmpty();
  }

  @Test
  void anOutputCanBeCancelledWhileItIsWritten() {
    putTwoHosts();
    List<Supplier<ApiResponse>> requests =
        List.of(() -> exp(METRICS), () -> gexp("exp=scale(sum:a,2)"));
    for (Supplier<ApiResponse> request : requests) {
      ApiResponse response = request.get();
      db.runningQueries().kill(db.runningQueries().list().get(0).id(), "enough");
      assertThatThrownBy(response::body).isInstanceOf(QueryCancelledException.class);
      assertThat(db.runningQueries().list()).isEmpty();
    }
  }

  @Test
  void aLongOutputIsWrittenInPieces() throws IOException {
    for (int i = 0; i < 60; i++) {
      for (int host = 0; host < 40; host++) {
        put("long", Tags.of("host", "h" + host), i, host);
      }
    }
    List<Integer> pieces = new ArrayList<>();
    boolean[] closed = {false};
    try (ApiResponse response = exp("'metrics':[{'id':'a','metric':'long','filter':'f'}]")) {
      response.writeTo(
          new OutputStream() {
            @Override
            public void write(int b) {
              pieces.add(1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
              pieces.add(length);
            }

            @Override
            public void close() {
              closed[0] = true;
            }
          });
    }
    assertThat(pieces).hasSizeGreaterThan(1).allMatch(length -> length <= 1 << 14);
    assertThat(closed[0]).isFalse();
  }
}
