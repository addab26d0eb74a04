package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.hourstone.DaemonSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /api/import/prometheus}. */
class PrometheusTextTest extends InfluxCase {
  private static final String URI = "/api/import/prometheus";
  private static final String OPENMETRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private String post(String uri, String type, String text) {
    try (ApiResponse response =
        api.respond("POST", uri, type, text.getBytes(UTF_8), new Disconnection(), Role.all())) {
      return (response.status() + " " + response.body().replace('"', '\'')).strip();
    }
  }

  private String post(String text) {
    return post(URI, "text/plain; version=0.0.4", text);
  }

  @Test
  void samplesAreStoredAsThoseOfRemoteWrite() {
    assertThat(
            post(
                """
                # HELP http_requests_total Requests, \\"all\\".
                # TYPE http_requests_total counter

                http_requests_total{method="post",code="200"} 1027 1500001200123
                http_requests_total { method = "get" , code = "200" , } 3.5e2\t1500001201000
                up 1
                """))
        .isEqualTo("204");
    assertThat(points("http_requests_total"))
        .containsExactly(
            "http_requests_total{code=200, method=get} 1500001201000 350.0",
            "http_requests_total{code=200, method=post} 1500001200123 1027.0");
    assertThat(points("up")).containsExactly("up{U__=U__} 1500001400000 1.0");
    assertThat(counters()).containsOnly(Map.entry("tsd.door.points", 3L));
  }

  @Test
  void timesOfOpenMetricsAreSeconds() {
    String text =
        """
        # TYPE a counter
        # UNIT a seconds
        a_total 1 1500001200
        a_total 2 1500001201.5
        a_total 3 1.500001202e9
        a_total 4 1500001203.0009 # {trace_id="x} y"} 0.5 1500001203
        a_created 1.5e9 1500001200.123
        # EOF
        """;
    assertThat(post(URI, OPENMETRICS, text)).isEqualTo("204");
    assertThat(points("a_total"))
        .containsExactly(
            "a_total{U__=U__} 1500001200000 1.0",
            "a_total{U__=U__} 1500001201500 2.0",
            "a_total{U__=U__} 1500001202000 3.0",
            "a_total{U__=U__} 1500001203000 4.0");
    assertThat(points("a_created")).containsExactly("a_created{U__=U__} 1500001200123 1.5E9");
    assertThat(counters()).containsEntry("tsd.door.skipped exemplar", 1L);
  }

  @Test
  void namesAndValuesAreEscapedReversibly() {
    assertThat(
            post(
                """
                job:rate{path="C:\\\\dir\\n\\"x\\"",empty=""} 1 1500001200000
                {"http.server/requests","label.name"="Ü",__name="a"} 2 1500001200000
                {__name__="m",a="b"} 3 1500001200000
                """))
        .isEqualTo("204");
    assertThat(points("U__job_3a_rate"))
        .containsExactly("U__job_3a_rate{path=U__C_3a__5c_dir_a__22_x_22_} 1500001200000 1.0");
    assertThat(points("http.server/requests"))
        .containsExactly("http.server/requests{__name=a, label.name=Ü} 1500001200000 2.0");
    assertThat(points("m")).containsExactly("m{a=b} 1500001200000 3.0");
  }

  @Test
  void whatIsNotFiniteIsSkippedByName() {
    assertThat(post("a NaN\na nan 1\na +Inf\na -Inf\na Inf\na{b=\"c\"} 1\n")).isEqualTo("204");
    assertThat(counters())
        .containsEntry("tsd.door.skipped nan", 2L)
        .containsEntry("tsd.door.skipped infinity", 3L)
        .containsEntry("tsd.door.points", 1L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "1500001300     | 1500001300000",
        "1500001300500  | 1500001300500",
        "100s-ago       | 1500001300000",
      })
  void aParameterSaysTheTimeOfSamplesWithoutOne(String timestamp, long millis) {
    assertThat(post(URI + "?timestamp=" + timestamp, "", "a 1\nb 1 1500001200000"))
        .isEqualTo("204");
    assertThat(points("a")).containsExactly("a{U__=U__} " + millis + " 1.0");
    assertThat(points("b")).containsExactly("b{U__=U__} 1500001200000 1.0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "a                      | there is no value",
        "a{b=\"c\"}             | there is no value",
        "a x                    | the value is not a number that a double can hold: x",
        "a 1e999                | the value is not a number that a double can hold: 1e999",
        "a 0x10                 | the value is not a number that a double can hold: 0x10",
        "a 1 1.5                | the timestamp is not a number of milliseconds: 1.5",
        "a 1 1 1                | there is something after the timestamp: 1",
        "a 1 -1                 | the time -1 ms can't be stored",
        "a{b=\"c\" 1            | the labels do not end with }",
        "a{b=\"c} 1             | the labels do not end with }",
        "a{b=\"c\"d=\"e\"} 1    | there is no comma between two labels",
        "a{b} 1                 | the label b has no value",
        "a{b=c} 1               | the value of the label b is not in quotes",
        "a{=\"c\"} 1            | a label has no name",
        "a{,} 1                 | a label has no name",
        "a{\"\"=\"c\"} 1        | a label has no name",
        "a{b=\"c\",b=\"d\"} 1   | the label b is given twice",
        "a{\"b\"} 1             | the sample has two names: a and b",
        "{b=\"c\"} 1            | the sample has no name",
        "{} 1                   | the sample has no name",
        "a.b 1                  | the name a.b has other characters",
        "a{b.c=\"d\"} 1         | the name b.c has other characters",
        "1a 1                   | the name 1a has other characters",
        "m 1500001200 1 host=a  | the timestamp is not a number of milliseconds: 1; ",
      })
  void aLineThatIsNoSampleIsRefusedByItsNumber(String line, String reason) {
    String text = "# a comment\nfirst 1\n" + line + "\nlast 1\n" + line + "\n";
    String refused = post(text);
    if (line.startsWith("m ")) { // a line of import
      assertThat(refused).contains("there is something after the timestamp: host=a");
      return;
    }
    assertThat(refused)
        .startsWith("400 {'error':{'code':400,'message':'2 of 4 samples were not stored'")
        .containsPattern("'details':'line 3: (illegal argument: )?" + Pattern.quote(reason));
    assertThat(points("first")).hasSize(1);
    assertThat(points("last")).hasSize(1);
    assertThat(counters()).containsEntry("tsd.door.points", 2L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x", "1e5000", "1e-5000", "1e999999999", "1e-999999999", "9999999999999999"})
  void aTimeOfOpenMetricsThatIsNoneIsRefused(String time) {
    assertThat(post(URI, OPENMETRICS, "a 1 " + time))
        .startsWith("400 ")
        .contains("line 1: the time");
  }

  @Test
  void textThatIsNotUtf8IsRefusedByItsNumber() {
    byte[] body = "ok 1\na{b=\"\u00ff\"} 1\n".getBytes(StandardCharsets.ISO_8859_1);
    try (ApiResponse response = write(URI, body)) {
      assertThat(response.body()).contains("line 2: ").contains("not UTF-8");
    }
    assertThat(points("ok")).hasSize(1);
  }

  @Test
  void tooManyTagsNameTheSetting() {
    StringBuilder line = new StringBuilder("a{");
    for (int i = 0; i < 9; i++) {
      line.append("l").append(i).append("=\"v\",");
    }
    assertThat(post(line + "} 1")).contains("line 1: ").contains("tsd.storage.max_tags");
    assertThat(post("a{b=\"" + "x".repeat(9000) + "\"} 1"))
        .contains("name and labels have 9007 bytes, more than 8192");
  }

  @Test
  void aBodyOfAnotherTypeIsRefused() {
    String protobuf = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily";
    assertThat(post(URI, protobuf, "a 1")).startsWith("415 ");
    assertThat(post(URI, "application/x-www-form-urlencoded", "a 1\r\n")).isEqualTo("204");
  }

  @ParameterizedTest
  @CsvSource({
    "timestamp=x, x",
    "time=1, 204",
    "start=1, start",
    "timestamp=1&timestamp=2, 2 times"
  })
  void aBadParameterIsNamed(String parameters, String message) {
    assertThat(post(URI + "?" + parameters, "", "a 1")).contains(message);
  }

  @Test
  void onlyWritersMayImport() {
    ApiCall call = ApiCall.of("POST", URI, "a 1", new Disconnection(), Set.of(Role.READ));
    assertThat(api.respond(call).status()).isEqualTo(403);
    call = ApiCall.of("POST", URI, "a 1", new Disconnection(), Set.of(Role.WRITE));
    assertThat(api.respond(call).status()).isEqualTo(204);
    assertThat(respond("GET", URI, "")).startsWith("405 ");
  }

  @Test
  void strictModeAndServersThatOnlyReadHaveNone() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(post("a 1")).startsWith("404 ");
    open(options().with(DaemonSettings.MODE, "ro"));
    assertThat(post("a 1")).startsWith("404 ");
  }
}
