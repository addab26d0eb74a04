package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.QuerySettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.ResponseBody;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.query.RequestBudget;
import org.junit.jupiter.api.Test;

/** The time of a request passes while it works, and not while it waits for its client. */
class BudgetedResponseTest extends ApiCase {
  private final RequestBudget[] budget = new RequestBudget[1];
  private final List<String> looks = new ArrayList<>();

  @Override
  void putPoints() {}

  private interface Writing {
    void to(OutputStream out) throws IOException;
  }

  /** The response to a request that looks at its time, and then has this body. */
  private ApiResponse respond(Writing body) {
    return BudgetedResponse.of(
        db,
        ApiCall.of("GET", "/api/query", ""),
        () -> "a request",
        begun -> {
          budget[0] = begun;
          look("preparing");
          return ApiResponse.streamed(
              new ResponseBody() {
                @Override
                public void writeTo(OutputStream out) throws IOException {
                  body.to(out);
                }

                @Override
                public void close() {}
              });
        });
  }

  /** Notes whether the time of the request passes while that of the machine does. */
  private void look(String during) {
    Duration before = budget[0].elapsed();
    long begun = System.nanoTime();
    while (System.nanoTime() == begun) {
      Thread.onSpinWait();
    }
    looks.add(during + (budget[0].elapsed().equals(before) ? ": waits" : ": works"));
  }

  /** A client that reads the response, and acts while it does. */
  private final class Client extends ByteArrayOutputStream {
    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
      look("writing " + length);
      super.write(bytes, from, length);
    }

    @Override
    public void flush() {
      look("flushing");
    }
  }

  @Test
  void timeDoesNotPassWhileTheClientIsWaitedFor() throws IOException {
    Client client = new Client();
    ApiResponse response =
        respond(
            out -> {
              look("making");
              out.write('[');
              look("making");
              out.write(new byte[] {'1', ']'});
              look("making");
              out.flush();
              look("making");
            });
    look("prepared");
    response.writeTo(client);

    assertThat(looks)
        .containsExactly(
            "preparing: works",
            "prepared: waits",
            "making: works",
            "writing 1: waits",
            "making: works",
            "writing 2: waits",
            "making: works",
            "flushing: waits",
            "making: works");
    assertThat(client).hasToString("[1]");
    assertThat(db.runningQueries().list()).isEmpty();
  }

  @Test
  void aResponseThatIsMadeForLongerThanTheTimeoutIsBrokenOff() {
    close();
    open(TsdbOptions.defaults().with(QuerySettings.QUERY_TIMEOUT, "1"));
    Client client = new Client();
    ApiResponse response =
        respond(
            out -> {
              long begun = System.nanoTime();
              while (System.nanoTime() - begun < 2_000_000) {
                Thread.onSpinWait();
              }
              out.write('[');
            });

    assertThatThrownBy(() -> response.writeTo(client))
        .isInstanceOfSatisfying(
            QueryLimitException.class, e -> assertThat(e.limit()).isEqualTo(Limit.TIME))
        .hasMessageContaining("tsd.query.timeout");
    assertThat(client.size()).isZero();
    assertThat(db.runningQueries().list()).isEmpty();
  }
}
