package org.hourstone.api.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.Disconnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RefusedRequestsTest {
  private static final String MANY =
      IntStream.range(0, 10_000).mapToObj(i -> "p" + i).collect(Collectors.joining("&"));

  private static ApiCall call(String uri) {
    return RefusedRequests.call("GET", uri, new Disconnection());
  }

  @Test
  void aShortQueryStringIsReadAsItIs() {
    String uri = "/api/query?m=sum:m%7Bh=a%7D&start=1h-ago&arrays";
    assertThat(call(uri).parameters()).isEqualTo(ApiCall.of("GET", uri, "").parameters());
  }

  @Test
  void onlyTheFirstOfManyParametersAreRead() {
    ApiCall call = call("/api/query?" + MANY);
    assertThat(call.path()).isEqualTo("/api/query");
    assertThat(call.parameters()).containsKey("p1").hasSizeLessThan(400);
  }

  @Test
  void theMethodIsReadWhereverItIs() {
    ApiCall call = call("/api/put?" + MANY + "&method_override=post&x");
    assertThat(call.method()).isEqualTo("POST");
    assertThat(call("/api/put?" + MANY + "&xmethod_override=post").method()).isEqualTo("GET");
  }

  /** The 1,000 characters end within the escape, or at its end. */
  @ParameterizedTest
  @CsvSource({"0, 995", "1, 995", "2, 996", "3, 997"})
  void anEscapeIsNotDivided(int before, int length) {
    String text = "x".repeat(994 + before);
    List<String> values = call("/q?m=" + text + "%41" + text).parameters().get("m");
    assertThat(values).singleElement().asString().startsWith(text).hasSize(length);
  }

  @Test
  void parametersThatCanNotBeReadAreLeftOut() {
    assertThat(call("/q?m=%4").parameters()).isEmpty();
    assertThat(call("/q?%zz" + MANY + "&method_override=put").path()).isEqualTo("/q");
  }
}
