package org.hourstone.api.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.api.prometheus.RemoteMessages.matcher;
import static org.hourstone.api.prometheus.RemoteMessages.query;

import org.hourstone.QuerySettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.api.Test;

/** What the regular expressions of remote read are compiled to is memory of their request. */
class RegexMemoryTest extends RemoteStorageCase {
  private static final String BYTES = "1000000";

  @Override
  TsdbOptions options() {
    return super.options().with(QuerySettings.QUERY_MEMORY_BYTES, BYTES);
  }

  private String read(String... regexes) {
    RemoteMessages.Fields[] matchers = new RemoteMessages.Fields[regexes.length];
    for (int i = 0; i < regexes.length; i++) {
      matchers[i] = matcher(LabelMatcher.Type.RE, "host", regexes[i]);
    }
    byte[] request = RemoteMessages.read(query(0, HOUR, matchers));
    try (ApiResponse response = post("/api/v1/read", "", request)) {
      return response.toString();
    }
  }

  @Test
  void aRegexThatTakesMoreThanARequestMayIsRefused() {
    assertThat(read("(?:a{900}|b){30}"))
        .startsWith("413 ")
        .contains("hourstone.query.limits.memory_bytes");
  }

  @Test
  void thoseOfARequestAreAddedUp() {
    String part = "(?:a{900}|b){4}";

    assertThat(read(part)).startsWith("200 ");
    assertThat(read(part, part)).startsWith("413 ");
  }

  @Test
  void theMemoryIsGivenBack() {
    for (int i = 0; i < 10; i++) {
      assertThat(read("(?:a{900}|b){4}")).startsWith("200 ");
      assertThat(read("(?:a{900}|b){4}|(")).startsWith("400 ");
    }
  }
}
