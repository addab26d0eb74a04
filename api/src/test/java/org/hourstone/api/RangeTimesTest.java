package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.hourstone.QuerySettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fraction of a second in the times of a range, wherever a range is read. */
class RangeTimesTest extends ApiCase {
  private static final String END = "1500001300";

  @Override
  TsdbOptions options() {
    return TsdbOptions.defaults().with(QuerySettings.ALLOW_DELETE, "true");
  }

  @Override
  void putPoints() {
    put("m 1490000000 1 host=a");
    put("m 1500001200400 2 host=a");
    put("m 1500001200600 3 host=a");
  }

  private String get(String uri) {
    ApiResponse response = api.respond(ApiCall.of("GET", uri, ""));
    return response.status() == 200 ? response.body() : String.valueOf(response.status());
  }

  private String post(String uri, String body) {
    ApiResponse response = api.respond(ApiCall.of("POST", uri, body.replace('\'', '"')));
    return response.status() == 200 ? response.body() : String.valueOf(response.status());
  }

  private static final String ONLY_THE_LAST = "\"dps\":{\"1500001200600\":3}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1500001200.5",
        "1500001200.50",
        "1500001200.500",
        "1500001200.5000000000001",
        "1.5000012005E9",
        "15000012005e-1",
        "1500001200500.0"
      })
  void aFractionOfASecondIsOne(String start) {
    String range = "start=" + start + "&end=" + END;
    assertThat(get("/api/query?" + range + "&ms&m=none:m")).contains(ONLY_THE_LAST);
    assertThat(get("/api/query/gexp?" + range + "&ms&exp=scale(none:m,1)"))
        .contains("\"dps\":{\"1500001200600\":3");
    assertThat(get("/q?" + range + "&ascii&m=none:m")).isEqualTo("m 1500001200 3 host=a\n");
    for (String written : new String[] {start, "'" + start + "'"}) {
      assertThat(
              post(
                  "/api/query",
                  "{'start':"
                      + written
                      + ",'end':'"
                      + END
                      + ".9','msResolution':true,'queries':[{'aggregator':'none','metric':'m'}]}"))
          .contains(ONLY_THE_LAST);
      assertThat(
              post(
                  "/api/query/exp",
                  "{'time':{'start':"
                      + written
                      + ",'end':"
                      + END
                      + ",'aggregator':'none'},'filters':[],'metrics':[{'id':'a','metric':'m'}],"
                      + "'outputs':[{'id':'a'}]}"))
          .contains("\"dps\":[[1500001200600,3.0]]");
    }
  }

  @Test
  void anEndMayHaveAFractionToo() {
    assertThat(get("/api/query?start=1500001200&end=1500001200.5&ms&m=none:m"))
        .contains("\"dps\":{\"1500001200400\":2}");
    assertThat(get("/api/query?start=1500001200.4&end=1500001200.6&ms&m=none:m"))
        .contains("\"dps\":{\"1500001200400\":2,\"1500001200600\":3}");
  }

  @Test
  void aDeletionBeginsAtTheFraction() {
    assertThat(
            post(
                "/api/query",
                "{'start':1500001200.5,'end':1500001300,'delete':true,"
                    + "'queries':[{'aggregator':'none','metric':'m'}]}"))
        .contains("3");
    assertThat(get("/api/query?start=1&end=1500001300&ms&m=none:m"))
        .contains("\"dps\":{\"1490000000000\":1,\"1500001200400\":2}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1500001200.",
        ".5",
        "-1500001200.5",
        "-5",
        "1500001200123.5",
        "1500001200123456",
        "1500001200123456789",
        "1e99",
        "1500001200.5.5",
        "1500001200,5",
        "%20"
      })
  void whatIsNoTimeIsRefused(String start) {
    String range = "start=" + start + "&end=" + END;
    assertThat(get("/api/query?" + range + "&m=none:m")).isEqualTo("400");
    assertThat(get("/api/query/gexp?" + range + "&exp=scale(none:m,1)")).isEqualTo("400");
    assertThat(get("/q?" + range + "&ascii&m=none:m")).isEqualTo("400");
  }
}
