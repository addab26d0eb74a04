package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.api.Test;

/** What is a difference between a recorded answer and another one, and what is none. */
class QueryComparisonTest {
  private static ObjectNode recorded(String aggregator, int status, String response) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("method", "GET")
        .put("path", "/api/query?m=" + aggregator + ":m")
        .put("status", status)
        .put("response", response);
  }

  private static String difference(String response, String answer) {
    return QueryComparison.difference(recorded("sum", 200, response), new ApiResponse(200, answer));
  }

  private static String inAnyOrder(String aggregator, String response, String answer) {
    return QueryComparison.differenceInAnyOrder(
        recorded(aggregator, 200, response), new ApiResponse(200, answer));
  }

  private static String error(String message, String answered) {
    return QueryComparison.difference(
        recorded("sum", 400, "{\"error\":{\"message\":\"" + message + "\"}}"),
        new ApiResponse(400, "{\"error\":{\"message\":\"" + answered + "\"}}"));
  }

  @Test
  void numbersAreComparedByTheirText() {
    assertThat(difference("[1.0]", "[ 1.0 ]")).isEmpty();
    assertThat(difference("[1.0]", "[1]")).isNotEmpty();
    assertThat(difference("[1.0E10]", "[1.0e10]")).isNotEmpty();
    assertThat(difference("[\"NaN\"]", "[NaN]")).isNotEmpty();
    assertThat(difference("[\"1\"]", "[1]")).isNotEmpty();
    assertThat(difference("[null]", "[\"null\"]")).isNotEmpty();
  }

  @Test
  void pointsHaveAnOrderAndOtherMembersHaveNone() {
    assertThat(difference("{\"a\":1,\"b\":{\"c\":2,\"d\":3}}", "{\"b\":{\"d\":3,\"c\":2},\"a\":1}"))
        .isEmpty();
    assertThat(difference("{\"dps\":{\"1\":1,\"2\":2}}", "{\"dps\":{\"2\":2,\"1\":1}}"))
        .isNotEmpty();
    assertThat(difference("{\"dps\":{\"1\":1,\"1\":2}}", "{\"dps\":{\"1\":1,\"1\":2}}")).isEmpty();
    assertThat(difference("{\"dps\":{\"1\":1,\"1\":2}}", "{\"dps\":{\"1\":2}}")).isNotEmpty();
    assertThat(difference("[1,2]", "[2,1]")).isNotEmpty();
    assertThat(difference("[1]", "[1,2]")).isNotEmpty();
  }

  @Test
  void theStatusAndTextThatIsNotJsonAreCompared() {
    assertThat(difference("cb([1])", "cb([1])")).isEmpty();
    assertThat(difference("cb([1])", "cb([1.0])")).isNotEmpty();
    assertThat(difference("", "")).isEmpty();
    assertThat(QueryComparison.difference(recorded("sum", 405, ""), new ApiResponse(400, "")))
        .contains("405", "400");
  }

  @Test
  void errorsAreComparedUpToQuotedObjects() {
    assertThat(error("No such: x", "No such: x")).isEmpty();
    assertThat(error("No such: x", "No such: y")).isNotEmpty();
    assertThat(
            error("Got Infinity: Infinity in this SpanGroup.Iterator(1)", "Got Infinity: Infinity"))
        .isEmpty();
    assertThat(error("Got Infinity: Infinity in this SpanGroup.Iterator(1)", "Got NaN"))
        .isNotEmpty();
    assertThat(error("TSQuery(start_time=1)", "anything")).isEmpty();
  }

  @Test
  void inAnotherOrderTheSameResultsAreThere() {
    assertThat(inAnyOrder("max", "[1,2,2]", "[2,1,2]")).isEmpty();
    assertThat(inAnyOrder("max", "[1,2,2]", "[2,1,1]")).isNotEmpty();
    assertThat(inAnyOrder("max", "[1]", "[1,2]")).isNotEmpty();
  }

  @Test
  void inAnotherOrderRoundingMayDiffer() {
    assertThat(inAnyOrder("sum", "[0.30000000000000004]", "[0.3]")).isEmpty();
    assertThat(inAnyOrder("sum", "[0.3]", "[0.301]")).isNotEmpty();
    assertThat(inAnyOrder("sum", "[3]", "[4]")).isNotEmpty();
    assertThat(inAnyOrder("max", "[0.30000000000000004]", "[0.3]")).isNotEmpty();
    assertThat(inAnyOrder("first", "[[1,5]]", "[[1,6]]")).isEmpty();
  }
}
