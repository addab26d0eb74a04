package org.hourstone.api.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.ApiUpload;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.DefaultTag;
import org.hourstone.api.put.PlainPuts;
import org.hourstone.api.put.PutEndpoint;
import org.hourstone.api.put.PutScannerTest;
import org.hourstone.api.put.StreamedPut;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.api.status.Jobs;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(Refusals.WINDOW_SECONDS);

  private final AtomicLong nanos = new AtomicLong();
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final Refusals refusals = new Refusals(nanos::get, later::add);
  private final LoggedBy log = LoggedBy.thisThread("org.hourstone.refused");

  @AfterEach
  void releaseLog() {
    log.close();
  }

  private void refuse(RefusalReason reason, String what) {
    refusals.point(reason, "10.0.0.1:5", "why", () -> what, null);
  }

  private long count(RefusalReason reason) {
    return refusals.statistics().stream()
        .filter(each -> reason.type().equals(each.tags().get("type")))
        .mapToLong(Statistic::value)
        .sum();
  }

  @Test
  void aFloodHasFewLinesAndTheNumberOfTheOthers() {
    for (int i = 0; i < 1000; i++) {
      refuse(RefusalReason.ILLEGAL_ARGUMENTS, "line " + i);
    }
    refuse(RefusalReason.HBASE_ERRORS, "another reason");

    assertThat(log.messages())
        .containsExactly(
            "refused (illegal_arguments): why, from 10.0.0.1:5: line 0",
            "refused (illegal_arguments): why, from 10.0.0.1:5: line 1",
            "refused (illegal_arguments): why, from 10.0.0.1:5: line 2",
            "refused (hbase_errors): why, from 10.0.0.1:5: another reason");
    assertThat(later).hasSize(1);
    nanos.addAndGet(WINDOW_NANOS);
    later.remove().run();
    assertThat(log.messages()).hasSize(5).last().isEqualTo("refused (illegal_arguments): 997 more");
    refuse(RefusalReason.ILLEGAL_ARGUMENTS, "later");
    assertThat(log.messages()).hasSize(6);
    assertThat(count(RefusalReason.ILLEGAL_ARGUMENTS)).isEqualTo(1001);
    assertThat(refusals.points()).isEqualTo(1002);
  }

  /** The thread that should do it may not get a turn, or no memory. */
  @Test
  void aFloodWhoseEndIsNotLoggedInTimeEndsWithTheNextRefusal() {
    for (int i = 0; i < 10; i++) {
      refuse(RefusalReason.OVERLOADS, "line");
    }
    nanos.addAndGet(WINDOW_NANOS);
    refuse(RefusalReason.OVERLOADS, "later");
    assertThat(log.messages())
        .hasSize(5)
        .endsWith(
            "refused (overloads): 7 more", "refused (overloads): why, from 10.0.0.1:5: later");

    for (int i = 0; i < 10; i++) {
      refuse(RefusalReason.OVERLOADS, "line");
    }
    later.remove().run();
    assertThat(log.messages()).as("that was the end of the first one").hasSize(7);
    nanos.addAndGet(WINDOW_NANOS);
    later.remove().run();
    assertThat(log.messages()).hasSize(8).last().isEqualTo("refused (overloads): 8 more");
    assertThat(later).isEmpty();
  }

  @Test
  void whatHasNoLineYetIsLoggedAtTheEnd() {
    for (int i = 0; i < 5; i++) {
      refuse(RefusalReason.HBASE_ERRORS, "line");
      refusals.query(RefusalReason.OVERLOADS, "", "why", () -> "line");
    }
    refusals.flush();
    refusals.flush();
    assertThat(log.messages())
        .hasSize(8)
        .endsWith("refused (hbase_errors): 2 more", "refused query (overloads): 2 more");
  }

  @Test
  void refusalsThatAreRareAreAllLogged() {
    for (int i = 0; i < 100; i++) {
      refuse(RefusalReason.INVALID_VALUES, "line");
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
    }
    assertThat(log.messages()).hasSize(100);
    assertThat(later).isEmpty();
  }

  @Test
  void whatAClientSendsIsOneLineOfBoundedLength() {
    refuse(
        RefusalReason.INVALID_VALUES,
        "put a\r\n\u001b[31m\u2028refused (forged)" + "x".repeat(100_000));
    assertThat(log.messages()).hasSize(1);
    assertThat(log.messages().get(0))
        .contains("put a\\x0d\\x0a\\x1b[31m\\x2028refused")
        .endsWith("x…")
        .hasSizeLessThan(400);
  }

  @Test
  void eachPointOfAStreamedBodyIsCounted() {
    String good = "{\"metric\":\"m\",\"timestamp\":1500000000,\"value\":1,\"tags\":{\"h\":\"a\"}}";
    String wrong = good.replace("1500000000", "0");
    String body = "[" + wrong + ("," + good).repeat(100) + "," + wrong + "]";
    ModelStore store = new ModelStore(PutScannerTest.clock());
    try (Tsdb db = PutScannerTest.open(store, TsdbOptions.defaults())) {
      DefaultTag none = ApiOptions.of(db).defaultTag();
      PutEndpoint endpoint = new PutEndpoint(new PlainPuts(db, none), ApiOptions.of(db), refusals);
      StreamedPut put = endpoint.begin(ApiCall.of("POST", "/api/put", ""), 1000);
      put.add(body.getBytes(UTF_8), 0, body.length());

      assertThat(put.response().status()).isEqualTo(400);
    }
    assertThat(count(RefusalReason.ILLEGAL_ARGUMENTS)).isEqualTo(2);
    assertThat(log.messages())
        .hasSize(2)
        .allMatch(line -> line.endsWith("Invalid timestamp: " + refused()));
  }

  private static String refused() {
    return "{\"metric\":\"m\",\"timestamp\":0,\"value\":\"1\",\"tags\":{\"h\":\"a\"}}";
  }

  @Test
  void theRestOfABodyThatBreaksOffIsCountedOnce() {
    ModelStore store = new ModelStore(PutScannerTest.clock());
    try (Tsdb db = PutScannerTest.open(store, TsdbOptions.defaults())) {
      Api api =
          new Api(
              db,
              ServerInfo.none(),
              Plotter.none(),
              refusals,
              new Jobs(InstantSource.system()),
              JobCommands.none());
      ApiUpload upload = api.upload("POST", "/api/put", new Disconnection("c"), Role.all());
      byte[] body = "[{\"metric\":".getBytes(UTF_8);
      upload.add(body, 0, body.length);
      assertThat(upload.brokenOff(408, "Request Timeout", "").status()).isEqualTo(408);
    }
    assertThat(count(RefusalReason.ILLEGAL_ARGUMENTS)).isEqualTo(1);
    assertThat(log.messages())
        .containsExactly("refused (illegal_arguments): Request Timeout, from c: POST /api/put");
  }
}
