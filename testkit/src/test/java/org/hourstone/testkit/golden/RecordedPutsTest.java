package org.hourstone.testkit.golden;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.Api;
import org.hourstone.api.Telnet;
import org.hourstone.testkit.StoreFixture;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What OpenTSDB answered to a sequence of puts by HTTP and telnet is what is answered here. */
class RecordedPutsTest {
  private static final int REQUESTS = 81;

  @Test
  void putsAreAnsweredAsRecorded(@TempDir Path directory) throws IOException {
    JsonNode recorded;
    try (InputStream json = RecordedPutsTest.class.getResourceAsStream("http-puts.json")) {
      recorded = new ObjectMapper().readTree(json);
    }
    assertThat(recorded.size()).isEqualTo(REQUESTS);
    try (ModelStore store = new ModelStore(StoreFixture.in(directory, 1).clock());
        Tsdb db = Tsdb.over(store, GoldenConfig.options(Map.of()))) {
      Api api = new Api(db);
      Telnet telnet = new Telnet(db);
      for (JsonNode request : recorded) {
        String name = request.required("name").asText();
        if (request.has("lines")) {
          assertThat(replies(telnet, request.get("lines")))
              .describedAs(name)
              .isEqualTo(request.required("response").asText());
        } else {
          RecordedAnswer.compare(name, request, api.answer(RecordedAnswer.call(request)));
        }
      }
    }
  }

  /** Lines were sent as UTF-8, and the telnet port takes bytes for ISO-8859-1. */
  private static String replies(Telnet telnet, JsonNode lines) {
    StringBuilder replies = new StringBuilder();
    for (JsonNode line : lines) {
      String received = new String(line.asText().getBytes(UTF_8), ISO_8859_1);
      replies.append(telnet.answer(received).join());
    }
    return replies.toString();
  }
}
