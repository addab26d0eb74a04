package org.hourstone.testing.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * If a server passes this, it answers over a store what OpenTSDB 2.4 answered over the network: the
 * sequences of {@link GoldenHttpContract}, with what is asked of the server itself and the types of
 * content, and the queries of {@link GoldenQueryContract}.
 */
public abstract class GoldenServerContract extends GoldenHttpContract {
  @Override
  protected abstract RequestPort serve(Tsdb database);

  @TestFactory
  final Stream<DynamicTest> queriesAreAnsweredAsRecorded() {
    return Recordings.queries().map(this::play).orElse(Stream.empty());
  }

  private Stream<DynamicTest> play(RecordedQueries recorded) {
    Tsdb database =
        database(open(fixture()), StoredForm.PLAIN.options(GoldenConfig.options(Map.of())));
    StoredForm.PLAIN.put(recorded.points(), database);
    RequestPort requests = port(database);
    return recorded.queries().stream()
        .map(
            query ->
                DynamicTest.dynamicTest(
                    query.required("name").asText(),
                    () ->
                        assertThat(difference(query, requests))
                            .describedAs("%s", query)
                            .isEmpty()));
  }

  private static String difference(JsonNode query, RequestPort requests) {
    RequestPort.Response response =
        requests.http(
            query.required("method").asText(),
            query.required("path").asText(),
            Map.of(),
            RecordedAnswer.call(query).body());
    String type = ServerRequests.typeDifference(query.path("content_type").asText(), response);
    return type.isEmpty() ? QueryComparison.difference(query, response.answer()) : type;
  }
}
