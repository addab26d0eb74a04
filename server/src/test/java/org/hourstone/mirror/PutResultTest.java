package org.hourstone.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.hourstone.mirror.MirrorCounts.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PutResultTest {
  private static final int POINTS = 3;

  private static PutResult of(int status, String body) {
    return PutResult.of(status, body.getBytes(StandardCharsets.UTF_8), POINTS);
  }

  private static String details(int failed, String error) {
    String errors = error.isEmpty() ? "" : "{\"datapoint\":{},\"error\":\"" + error + "\"}";
    return "{\"success\":%d,\"failed\":%d,\"errors\":[%s]}"
        .formatted(POINTS - failed, failed, errors);
  }

  @Test
  void pointsAreStoredIfTheServerSaysSo() {
    assertThat(((PutResult.Settled) of(200, details(0, ""))).refusals()).isEmpty();
    assertThat(((PutResult.Settled) of(204, "")).refusals()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "Unknown metric, UNKNOWN_METRICS",
    "Unable to parse value to a number, INVALID_VALUES",
    "Metric name was empty, ILLEGAL_ARGUMENTS"
  })
  void aPointThatIsWrongIsSettled(String error, Refused reason) {
    PutResult.Settled settled = (PutResult.Settled) of(400, details(1, error));
    assertThat(settled.refusals()).extracting(PutResult.Refusal::reason).containsExactly(reason);
  }

  @Test
  void noMoreAreRefusedThanWereSent() {
    String many = "{\"success\":0,\"failed\":9999999999,\"errors\":[{\"error\":\"x\"}]}";
    assertThat(((PutResult.Settled) of(400, many)).refusals()).hasSize(POINTS);
  }

  /** What is wrong then is the store behind the server, in which the points may be later. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Storage exception: no region",
        "Please throttle writes: 10000 RPCs waiting",
        "Timeout exception",
        "Write timedout",
        "Unexpected exception"
      })
  void whatPassesIsSentAgain(String error) {
    assertThat(of(400, details(1, error))).isInstanceOf(PutResult.Failed.class);
    assertThat(of(200, details(1, error))).isInstanceOf(PutResult.Failed.class);
  }

  @ParameterizedTest
  @CsvSource({
    "200, <html>welcome</html>",
    "200, {}",
    "302, ''",
    "401, ''",
    "404, ''",
    "503, '{\"error\":{\"message\":\"busy\"}}'"
  })
  void whatIsNotOfItIsSentAgain(int status, String body) {
    assertThat(of(status, body)).isInstanceOf(PutResult.Failed.class);
  }

  @Test
  void aRequestThatIsRefusedAsAWholeIsDivided() {
    String chunked = "{\"error\":{\"code\":400,\"message\":\"Chunked request not supported.\"}}";
    assertThat(of(400, chunked)).isInstanceOf(PutResult.Unexplained.class);
    assertThat(((PutResult.Unexplained) of(400, chunked)).isExplicit()).isTrue();
    assertThat(((PutResult.Unexplained) of(413, "")).isExplicit()).isTrue();
  }

  /** It is divided, as OpenTSDB may answer so, but its points are not refused. */
  @Test
  void aRefusalWithoutAnErrorMayBeOfSomethingBeforeTheServer() {
    String page = "<html>The plain HTTP request was sent to HTTPS port</html>";
    assertThat(((PutResult.Unexplained) of(400, page)).isExplicit()).isFalse();
  }
}
