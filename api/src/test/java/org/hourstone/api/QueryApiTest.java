package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to {@code /api/query} and what belongs to it, and the form of their answers. */
class QueryApiTest extends QueryCase {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** An error's message and details. */
  private static String error(ApiResponse response) {
    JsonNode error = json(response.body()).path("error");
    return error.path("message").asText() + "; " + error.path("details").asText();
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  void ofARequestThatHasEndedNothingIsKeptForItsClient() {
    Disconnection client = new Disconnection();
    String query = "/api/query?" + RANGE + "&m=sum:m";
    try (ApiResponse response = api.respond(ApiCall.of("GET", query, "", client))) {
      assertThat(response.status()).isEqualTo(200);
      assertThat(client.isAwaited()).isTrue();
    }
    assertThat(client.isAwaited()).isFalse();

    for (String uri : new String[] {query + "&m=sum:absent", "/api/suggest?type=metrics"}) {
      api.respond(ApiCall.of("GET", uri, "", client)).close();
      assertThat(client.isAwaited()).as(uri).isFalse();
    }
  }

  @Test
  void aRateAndAFillPolicyCanBeAskedForInEitherForm() {
    String rate = query("m=sum:rate{counter,100}:m{host=a}");
    assertThat(rate).contains("\"dps\":{\"1500001210\":0.15}");
    assertThat(
            post(body(
                    "",
                    ",'tags':{'host':'a'},'rate':'true','rateOptions':"
                        + "{'counter':true,'counterMax':'100'}"))
                .body())
        .isEqualTo(rate);
    assertThat(query("m=sum:10s-sum-zero:m{host=a}"))
        .contains("\"1500001200\":1.0,\"1500001210\":2.5,\"1500001220\":0.0");
    assertThat(post(body("", ",'tags':{'host':'a'},'downsample':'10s-sum-null'")).body())
        .contains("\"1500001210\":2.5,\"1500001220\":null");
    assertThat(query("m=sum:10s-sum-nan:m{host=a}")).contains("\"1500001220\":\"NaN\"");
  }

  @Test
  void pointsAreArraysAndTimesMillisecondsIfAskedFor() {
    assertThat(query("m=none:m{host=b}&ms&arrays"))
        .contains("\"dps\":[[1500001210000,3]]", "\"dps\":[[1500001220500,4]]");
    assertThat(post(body("'msResolution':true,", ",'tags':{'host':'a'}")).body())
        .contains("\"dps\":{\"1500001200000\":1,\"1500001210000\":2.5}");
  }

  /** Those of Java 17 are 1.9999999999999998E23. */
  @Test
  void aDoubleHasTheFewestDigitsAndStrictlyThoseOfJava() {
    String form = "\"dps\":{\"1500001230\":%s}";
    put("n 1500001230 2e23 host=a");
    assertThat(query("m=sum:n")).contains(form.formatted("2.0E23"));

    openStrictly();
    put("n 1500001230 2e23 host=a");
    assertThat(query("m=sum:n"))
        .contains(form.formatted(Double.toString(Double.parseDouble("2e23"))));
  }

  @Test
  void seriesCanBeChosenByTsuid() {
    String expected = query("m=sum:m{host=a}&show_tsuids");
    assertThat(expected).contains("\"tsuids\":[\"000001000001000001\"]");
    assertThat(query("tsuid=sum:000001000001000001&show_tsuids")).isEqualTo(expected);
    String body =
        "{'start':1500001200,'end':1500001300,'showTSUIDs':true,"
            + "'queries':[{'aggregator':'sum','tsuids':['000001000001000001']}]}";
    assertThat(post(body).body()).isEqualTo(expected);
    assertThat(post(body.replace("000001000001000001", "xyz")).toString()).startsWith("400 ");
    openStrictly();
    assertThat(post(body.replace("000001000001000001", "xyz")).toString())
        .isEqualTo(
            "500 {\"error\":{\"code\":500,\"message\":\"TSUID 'xyz': shorter than a metric's UID of"
                + " 6 digits\"}}");
  }

  @Test
  void theQueryIsRepeated() {
    JsonNode echo =
        json(query("m=sum:10s-avg:rate:m{host=*}{dc=not_literal_or(lga)}&show_query"))
            .path(0)
            .path("query");
    assertThat(echo)
        .isEqualTo(
            json(
                """
                {"aggregator":"sum","metric":"m","tsuids":null,"downsample":"10s-avg","rate":true,
                "filters":[{"tagk":"host","filter":"*","group_by":true,"type":"wildcard"},
                {"tagk":"dc","filter":"lga","group_by":false,"type":"not_literal_or"}],
                "percentiles":null,"index":0,
                "rateOptions":null,"filterTagKs":["AAAB","AAAC"],"explicitTags":false,
                "useFuzzyFilter":true,"preAggregate":false,"rollupUsage":null,"rollupTable":"raw",
                "showHistogramBuckets":false,"useMultiGets":true,"tags":{"host":"wildcard(*)"},
                "histogramQuery":false}
                """));
  }

  @Test
  void aQueryIsAnsweredOnceAndTheOthersInTheirOrder() {
    JsonNode response =
        json(query("m=max:m{host=b}&m=sum:m{host=a}&m=max:m{host=b}&show_query&show_summary"));
    assertThat(response).hasSize(3);
    assertThat(response.at("/0/query/aggregator").asText()).isEqualTo("max");
    assertThat(response.at("/1/query/index").asInt()).isEqualTo(1);
    assertThat(response.at("/2/statsSummary/emittedDPs").asInt()).isEqualTo(4);
    assertThat(response.at("/2/statsSummary/queryIdx_01/queryIndex").asInt()).isEqualTo(1);
  }

  @Test
  void statisticsComeWithEachSeries() {
    JsonNode stats = json(query("m=sum:m{host=a}&show_stats")).at("/0/stats");
    assertThat(stats.path("emittedDPs").asInt()).isEqualTo(2);
    assertThat(stats.path("queryScanTime").asDouble()).isPositive();
  }

  @Test
  void annotationsComeAlongUnlessTheyAreNotWanted() {
    annotate("'tsuid':'000001000001000001','startTime':1500001250,'description':'local'");
    annotate("'tsuid':'000001000001000001','startTime':1500001900,'description':'later'");
    annotate("'startTime':1500001260,'description':'global'");
    String local =
        "\"annotations\":[{\"tsuid\":\"000001000001000001\",\"description\":\"local\","
            + "\"notes\":\"\",\"startTime\":1500001250,\"endTime\":0}]";
    assertThat(query("m=sum:m{host=a}"))
        .contains(local)
        .doesNotContain("later")
        .doesNotContain("global");
    assertThat(query("m=sum:m{host=a}&global_annotations"))
        .contains(local, "\"globalAnnotations\":[{\"tsuid\":\"\",\"description\":\"global\"");
    assertThat(query("m=sum:m{host=a}&no_annotations")).doesNotContain("nnotations");
    assertThat(post(body("'noAnnotations':true,", "")).body()).doesNotContain("nnotations");
  }

  private void annotate(String fields) {
    String body = "{" + fields.replace('\'', '"') + "}";
    assertThat(api.respond(ApiCall.of("POST", "/api/annotation", body)).status()).isEqualTo(200);
  }

  @Test
  void jsonpCallsTheFunctionAndNothingElse() {
    ApiResponse response = get("/api/query?" + RANGE + "&m=sum:m{host=a}&jsonp=show");
    assertThat(response.body()).startsWith("show([{\"metric\":\"m\"").endsWith("}])");
    assertThat(response.contentType()).startsWith("application/javascript");
    assertThat(get("/api/query?" + RANGE + "&m=sum:m&jsonp=alert(1)").status()).isEqualTo(400);
  }

  @Test
  void aTimeZoneIsThatOfDatesAndOfCalendarDays() {
    String asked =
        "{'start':'2017/07/14-04:00:00','end':'2017/07/14-05:10:00','timezone':'Europe/Berlin',"
            + "'useCalendar':true,'queries':[{'aggregator':'sum','metric':'m',"
            + "'tags':{'host':'a'},'downsample':'1h-count'}]}";
    assertThat(post(asked).body()).contains("\"dps\":{\"1500001200\":2.0}");
    assertThat(post(asked.replace("Europe/Berlin", "EST")).body()).doesNotContain("1500001200");
    assertThat(post(asked.replace("Europe/Berlin", "Mars/Phobos")).body())
        .contains("The timezone specification could not be found");
  }

  @Test
  void javasZoneNamesAreTheOnlyOnesInStrictMode() {
    String day = ",'downsample':'1dc-sum'";
    assertThat(post(body("'timezone':'GMT+2',", day)).status()).isEqualTo(200);
    openStrictly();
    assertThat(post(body("'timezone':'EST',", day)).status()).isEqualTo(200);
    assertThat(post(body("'timezone':'GMT+2',", day)).body())
        .contains("\"message\":\"The timezone specification could not be found\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{| Unable to parse the given JSON | (line 1, column ",
        "[]| Unable to parse the given JSON | not an object (line 1, column 1)",
        "null| Unable to parse the given JSON | not an object",
        "``| Missing message content | Supply valid JSON",
        "{'queries':5}| Unable to parse the given JSON | queries: not an array",
        "{'start':[1]}| Unable to parse the given JSON | start: not a text (line 1, column 10)",
        "{'queries':[{'rate':'maybe'}]}| Unable | queries[0].rate: neither true nor false: 'maybe'",
        "{'queries':[{},{'filters':[{'type':'x'}]}]}| type: x | in queries[1].filters[0] (line",
        "{'queries':[{'tags':{'host':''}}]}| cannot be null or empty | in queries[0].tags (line",
        "{'start':1,'queries':[{'aggregator':'x','metric':'m'}]}| function: x | in queries[0]",
        "{'start':'soon','queries':[]}| soon | ``"
      })
  void errorsNameTheFaultAndItsPlace(String body, String message, String details) {
    ApiResponse response = post(body);
    assertThat(response.status()).isEqualTo(400);
    JsonNode error = json(response.body()).path("error");
    assertThat(error.path("message").asText()).contains(message);
    assertThat(error.path("details").asText()).contains(details);
  }

  @Test
  void strictModeNamesTheFaultInsteadOfClasses() {
    openStrictly();
    assertThat(
            error(
                post(
                    "{'start':1,'queries':[{'aggregator':'sum','metric':'m',"
                        + "'filters':[{'tagk':'host','filter':'*'}]}]}")))
        .isEqualTo(
            "Unable to parse the given JSON; queries[0].filters[0]: The filter type cannot be null"
                + " or empty (line 1, column 94)");
    assertThat(error(post("{"))).startsWith("Unable to parse the given JSON; Unexpected end");
    assertThat(error(get("/api/query?start=1500001200&m=sum:m&m=foo:m{host=*}")))
        .isEqualTo("No such aggregation function: foo; m=foo:m{host=*}");
    assertThat(error(get("/api/query?start=1500001200&m=sum:nosuch")))
        .isEqualTo("No such name for 'metrics': 'nosuch'; No such name for 'metrics': 'nosuch'");
    assertThat(post("null").status()).isEqualTo(500);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "end=1500001300&m=sum:m | Missing parameter <code>start</code>",
        "start=1500001200 | Missing sub queries",
        "start=1500001200&m= | The query string was empty",
        "start=1500001200&m=m | Invalid parameter m=m (not enough :-separated parts)",
        "start=1500001200&m=sum:a:b:c:d:m | (too many :-separated parts)",
        "start=1500001200&m=sum:wat:m | unknown option 'wat'",
        "start=1500001200&m=sum:m{host=* | Missing '}' at the end of: m{host=*",
        "start=1500001200&m=sum:m{host} | invalid tag: host",
        "start=1500001200&end=1500001200&m=sum:m | must be greater than the start time",
        "start=1500001200&m=sum:nosuch | No such name for 'metrics': 'nosuch'"
      })
  void aParameterThatIsWrongIsABadRequest(String parameters, String message) {
    ApiResponse response = get("/api/query?" + parameters);
    assertThat(response.status()).isEqualTo(400);
    assertThat(json(response.body()).at("/error/message").asText()).contains(message);
  }

  @Test
  void otherVersionsAndMethodsAreRefused() {
    assertThat(get("/api/v1/query?" + RANGE + "&m=sum:m").status()).isEqualTo(200);
    assertThat(get("/api/v9/query?" + RANGE + "&m=sum:m").toString())
        .startsWith("501 ")
        .contains("API version [9] is greater than the max [1]");
    for (String uri : new String[] {"/api/query", "/q", "/version"}) {
      ApiResponse head = api.respond(ApiCall.of("HEAD", uri + "?" + RANGE + "&m=sum:m&ascii", ""));
      assertThat(head.status()).isEqualTo(405);
      assertThat(head.body()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "PROPFIND", "get"})
  void theOlderEndpointsRefuseOtherMethods(String method) {
    for (String uri : new String[] {"/version", "/stats", "/stats?json", "/q?" + RANGE}) {
      ApiResponse response = api.respond(ApiCall.of(method, uri, ""));
      assertThat(response.status()).as(uri).isEqualTo(405);
      assertThat(response.body()).contains("The HTTP method [" + method + "] is not permitted");
    }

    openStrictly();

    assertThat(api.respond(ApiCall.of(method, "/version", "")).status()).isEqualTo(200);
    assertThat(api.respond(ApiCall.of(method, "/stats", "")).status()).isEqualTo(200);
  }

  @Test
  void anUnknownTimeZoneIsRefusedThoughItIsNotNeeded() {
    String uri = "/api/query?start=1h-ago&m=sum:m&";
    for (String zone : new String[] {"tz=Mars/Base", "timezone=GMT%2B99"}) {
      assertThat(error(get(uri + zone)))
          .startsWith("The timezone specification could not be found: ");
    }
    assertThat(get(uri + "tz=Europe/Berlin").status()).isEqualTo(200);
    assertThat(post(body("'timezone':'Mars/Base',", "")).status()).isEqualTo(400);

    openStrictly();

    assertThat(get(uri + "tz=Mars/Base").status()).isEqualTo(200);
    assertThat(post(body("'timezone':'Mars/Base',", "")).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "GET", "POST"})
  void nothingIsDeletedUnlessThatIsAllowed(String method) {
    String uri = "/api/query?" + RANGE + "&m=sum:m";
    ApiResponse response =
        method.equals("POST")
            ? post(body("'delete':true,", ""))
            : api.respond(
                ApiCall.of(
                    method, method.equals("GET") ? uri + "&method_override=delete" : uri, ""));
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("tsd.http.query.allow_delete=false");
    assertThat(query("m=sum:m{host=a}")).contains("1500001200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "POST"})
  void whatIsDeletedIsAnswered(String method) {
    close();
    open(TsdbOptions.defaults().with(QuerySettings.ALLOW_DELETE, "true"));
    String uri = "/api/query?start=1500001205&end=1500001300&m=sum:m%7Bhost=a%7D";
    ApiResponse response =
        method.equals("POST")
            ? post(body("'delete':true,", ",'tags':{'host':'a'}").replace("1200", "1205"))
            : api.respond(ApiCall.of(method, uri, ""));
    assertThat(response.toString()).startsWith("200 ").contains("\"dps\":{\"1500001210\":2.5}");
    assertThat(query("m=sum:m%7Bhost=a%7D")).contains("\"dps\":{\"1500001200\":1}");
    assertThat(query("m=sum:m%7Bhost=b%7D")).contains("\"1500001210\":3");
  }

  @Test
  void aLongAnswerIsMadeWhileItIsWritten() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 90_000; i++) {
      db.putLine("put long " + (HOUR * 1000 + i * 10L) + " " + i + " host=a");
      lines.append(lines.isEmpty() ? "" : ",");
      lines.append('"').append(HOUR * 1000 + i * 10L).append("\":").append(i);
    }
    db.flush();
    String uri = "/api/query?start=1500001200&end=1500009000&m=sum:long&ms";
    ApiResponse response = get(uri);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    response.writeTo(out);
    assertThat(out.toString(UTF_8)).endsWith("\"dps\":{" + lines + "}}]");
    assertThatThrownBy(() -> response.writeTo(out)).isInstanceOf(IllegalStateException.class);
    assertThat(get(uri).body()).isEqualTo(out.toString(UTF_8));
    ApiResponse abandoned = get(uri);
    assertThat(db.runningQueries().list()).hasSize(1);
    abandoned.close();
    assertThat(db.runningQueries().list()).isEmpty();
  }

  @Test
  void aLimitAnswers413() {
    close();
    open(TsdbOptions.defaults().with(QuerySettings.QUERY_MAX_POINTS, "3"));
    assertThat(get("/api/query?" + RANGE + "&m=sum:m").toString())
        .startsWith("413 ")
        .contains("tsd.query.limits.data_points.default");
    assertThat(db.runningQueries().list()).isEmpty();
  }

  @Test
  void aBodyIsReadUpToTheQueryThatIsOneTooMany() {
    close();
    open(TsdbOptions.defaults().with(QuerySettings.QUERY_MAX_QUERIES, "1"));
    String query = "{'aggregator':'sum','metric':'m'}";
    String body = "{'start':1500001200,'queries':[" + query + "," + query;
    assertThat(post(body + "]}").status()).isEqualTo(200); // the same one
    assertThat(post(body + ",{'aggregator':'max','metric':'m'}, and what is no JSON").toString())
        .startsWith("413 ")
        .contains("more than 1 queries (hourstone.query.limits.queries)");
  }

  @Test
  void theLastPointOfASeriesIsFoundByLookingBack() {
    String last = "/api/query/last?back_scan=2&timeseries=";
    assertThat(get(last + "m{host=a}").body())
        .isEqualTo(
            "[{\"timestamp\":1500001210000,\"value\":\"2.5\",\"tsuid\":\"000001000001000001\"}]");
    assertThat(json(get(last + "m{host=b,dc=lga}&resolve=true").body()))
        .isEqualTo(
            json(
                "[{\"metric\":\"m\",\"timestamp\":1500001220500,\"value\":\"4\","
                    + "\"tags\":{\"host\":\"b\",\"dc\":\"lga\"},"
                    + "\"tsuid\":\"000001000001000002000002000003\"}]"));
    put("old " + (HOUR - 7200) + " 7 host=a");
    put("older " + (HOUR - 3 * 3600 - 1) + " 8 host=a");
    assertThat(get(last + "old{host=a}").body()).contains("\"value\":\"7\"");
    assertThat(get(last + "older{host=a}").body()).isEqualTo("[]");
    assertThat(get(last.replace("=2", "=100") + "older{host=a}").body())
        .contains("\"value\":\"8\"");
  }

  @Test
  void inStrictModeLastPointsAreFoundByTheMetaTable() {
    openStrictly();
    assertThat(get("/api/query/last?timeseries=m").body()).isEqualTo("[]");
    close();
    open(TsdbOptions.openTsdbDefaults().with(Settings.META_TRACKING, "true"));
    db.flush(); // a write is acknowledged before its metadata is stored
    assertThat(json(get("/api/query/last?timeseries=m").body())).hasSize(3);
    assertThat(json(get("/api/query/last?timeseries=m{dc=lga}").body()).at("/0/value").asText())
        .isEqualTo("4");
    assertThat(get("/api/query/last?tsuids=000001000001000001,000001000001000002").body())
        .contains("\"value\":\"2.5\"", "\"value\":\"3\"");
  }

  @Test
  void lastPointsAreAskedForByABodyToo() {
    String body =
        "{\"queries\":[{\"metric\":\"m\",\"tags\":{\"host\":\"a\"}},"
            + "{\"tsuids\":[\"000001000001000002\"]}],\"backScan\":1,\"resolveNames\":true}";
    assertThat(api.respond(ApiCall.of("POST", "/api/query/last", body)).body())
        .contains("\"value\":\"2.5\"", "\"value\":\"3\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "? | Missing sub queries",
        "?timeseries=m&back_scan=x | Unable to parse back_scan parameter",
        "?timeseries={h=a}&back_scan=1 | Metric cannot be null or empty",
        "?timeseries=m&back_scan=2000000 | need more than 1000000 rows (hourstone.last.max_rows)",
        "?timeseries=m{no=a}&back_scan=1 | No such name for 'tagk': 'no'",
        "?tsuids=zz&back_scan=1 | contains illegal character for hexBinary: zz"
      })
  void aWrongRequestForLastPointsSaysWhatIsWrong(String parameters, String message) {
    ApiResponse response = get("/api/query/last" + parameters);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains(message);
  }

  @Test
  void aggregatorsAndTypesOfFiltersAreListed() {
    JsonNode aggregators = json(get("/api/aggregators").body());
    assertThat(aggregators).extracting(JsonNode::asText).contains("sum", "p99", "none", "mult");
    assertThat(json(get("/api/config/filters").body()).at("/regexp/examples").asText())
        .isNotEmpty();
    assertThat(json(get("/api/config/filters").body()).has("not_key")).isTrue();
    openStrictly();
    assertThat(json(get("/api/config/filters").body()).has("not_key")).isFalse();
  }
}
