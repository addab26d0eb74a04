package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.hourstone.DaemonSettings;
import org.hourstone.Settings;
import org.hourstone.StrictSubject;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The endpoints that clients of InfluxDB use. */
class InfluxApiTest extends InfluxCase {
  @ParameterizedTest
  @CsvSource({
    "'', 1500001200123456789, 1500001200123",
    "ns, 1500001200123999999, 1500001200123",
    "n, 1500001200000000000, 1500001200000",
    "us, 1500001200123456, 1500001200123",
    "u, 1500001200123999, 1500001200123",
    "%C2%B5s, 1500001200123999, 1500001200123",
    "ms, 1500001200123, 1500001200123",
    "s, 1500001200, 1500001200000",
    "m, 25000020, 1500001200000",
    "h, 416667, 1500001200000",
    "s, '', 1500001456000",
    "ms, '', 1500001456789",
    "ns, '', 1500001456789",
    "m, '', 1500001440000",
    "h, '', 1500001200000",
    "h, 1, 3600000",
  })
  void everyPrecisionIsRead(String precision, String time, String millis) {
    clock.advance(Duration.ofMillis(56_789));
    for (String uri :
        List.of("/write?db=d&rp=r&precision=", "/api/v2/write?org=o&bucket=b&precision=")) {
      assertThat(respond("POST", uri + precision, "m,uri=" + uri.charAt(5) + " f=1i " + time))
          .isEqualTo("204");
    }
    assertThat(points("m.f")).hasSize(2).allMatch(point -> point.endsWith("} " + millis + " 1"));
  }

  @Test
  void anUnknownPrecisionIsRefusedInTheFormOfItsVersion() {
    String reason = "invalid precision 'd' (use ns, us, ms, s, m or h)".replace("'", "\\'");
    assertThat(respond("POST", "/write?precision=d", "m f=1"))
        .isEqualTo("400 {'error':'" + reason + "'}");
    assertThat(respond("POST", "/api/v2/write?precision=d", "m f=1"))
        .isEqualTo("400 {'code':'invalid','message':'" + reason + "'}");
    assertThat(respond("POST", "/write?precision=s&precision=ms", "m f=1"))
        .isEqualTo("400 {'error':'The query string can't be read: precision: is given 2 times'}");
    assertThat(respond("POST", "/write?percision=s&m=x", "m f=1"))
        .isEqualTo(
            "400 {'error':'The query string can't be read: m: is not a parameter of /write'}");
  }

  @Test
  void validPointsAreStoredThoughOthersAreRefused() {
    String body = "m,h=a f=1i 1500001200\nm,h=a f=x 1\nm,h=a f=2i 1500001201\n";
    String reason =
        "partial write: line 2: the value of f is not a number that a double can hold: x dropped=1";
    assertThat(respond("POST", "/write?precision=s", body))
        .isEqualTo("400 {'error':'" + reason + "'}");
    assertThat(respond("POST", "/api/v2/write?precision=s", body))
        .isEqualTo("400 {'code':'invalid','message':'" + reason + "'}");
    assertThat(points("m.f"))
        .containsExactly("m.f{h=a} 1500001200000 1", "m.f{h=a} 1500001201000 2");
    assertThat(counters())
        .containsEntry("tsd.door.points", 4L)
        .containsEntry("tsd.datapoints.failed", 2L)
        .containsEntry("tsd.rpc.errors illegal_arguments", 2L);
  }

  @Test
  void unknownNamesAreRefusedByName() {
    open(TsdbOptions.defaults().with(Settings.AUTO_CREATE_TAGKS, "false"));
    assertThat(write("m,h=a f=1i 1500001200"))
        .isEqualTo(
            "400 {'error':'partial write: line 1: unknown metric: No such name for 'tagk': 'h'"
                + " dropped=1'}");
  }

  @Test
  void seriesBeyondTheLimitAreRefused() {
    open(TsdbOptions.defaults().with(Settings.MAX_SERIES, "2"));
    assertThat(write("m,h=a f=1i 1500001200\nm,h=b f=1i 1500001200\nm,h=c f=1i 1500001200"))
        .startsWith("400 {'error':'partial write: line 3: ")
        .contains(Settings.MAX_SERIES.key());
    assertThat(points("m.f")).hasSize(2);
  }

  @Test
  void anEmptyBodyHasNothingToStore() {
    assertThat(write("")).isEqualTo("204");
    assertThat(write("# nothing\n")).isEqualTo("204");
  }

  @Test
  void clientsFindOutThatTheServerIsThere() {
    try (ApiResponse ping = api.sent("/ping", "", api.respond(ApiCall.of("HEAD", "/ping", "")))) {
      assertThat(ping.status()).isEqualTo(204);
      assertThat(ping.headers()).containsEntry("X-Influxdb-Version", "1.8.0");
    }
    assertThat(respond("GET", "/ping", "")).isEqualTo("204");
    assertThat(respond("GET", "/ping?verbose=true", "")).startsWith("200 {'version':'");
    assertThat(respond("GET", "/health", "")).startsWith("200 ").contains("'status':'pass'");
    assertThat(respond("POST", "/ping", "")).startsWith("405 {'error':'Method not allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE DATABASE telegraf",
        "create database \"my db\"",
        "CREATE DATABASE \"a\\\"b\" WITH DURATION 3d REPLICATION 1 NAME \"x\";",
        "CREATE DATABASE d WITH SHARD DURATION 30m",
      })
  void databasesAreCreatedInNameOnly(String query) {
    String form =
        "q="
            + query.replace(" ", "+").replace("\"", "%22").replace("\\", "%5C").replace(";", "%3B");
    String expected = "there is one database, whatever its name: nothing was created";
    assertThat(respond("POST", "/query", form)).startsWith("200 {'results':[{").contains(expected);
    assertThat(respond("POST", "/query?" + form, "")).contains(expected);
    assertThat(respond("POST", "/query?db=d", form + "&db=d")).contains(expected);
  }

  @Test
  void oneDatabaseIsShown() {
    assertThat(respond("GET", "/query?q=SHOW%20DATABASES", ""))
        .isEqualTo(
            "200 {'results':[{'statement_id':0,'series':[{'name':'databases','columns':['name'],"
                + "'values':[['hourstone']]}]}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT+*+FROM+cpu",
        "DROP+DATABASE+d",
        "CREATE+DATABASE+d%3B+DROP+DATABASE+d",
        "SHOW+DATABASES%3B+SELECT+1",
        "SHOW+SERIES",
      })
  void otherQueriesAreRefusedByName(String query) {
    assertThat(respond("GET", "/query?q=" + query, ""))
        .startsWith("400 {'error':'only SHOW DATABASES and CREATE DATABASE are known here, not: ")
        .contains(query.substring(0, query.indexOf('+')))
        .contains("/api/query");
    assertThat(respond("GET", "/query", "")).contains("missing required parameter");
  }

  @Test
  void writersMayUseThemAndReadersMayNot() {
    for (String uri :
        List.of("/write", "/api/v2/write", "/ping", "/health", "/query?q=SHOW+DATABASES")) {
      String method = uri.contains("write") ? "POST" : "GET";
      for (Role role : List.of(Role.READ, Role.WRITE)) {
        ApiCall call = ApiCall.of(method, uri, "", new Disconnection(), EnumSet.of(role));
        try (ApiResponse response = api.respond(call)) {
          assertThat(response.status() == 403).as(uri).isEqualTo(role == Role.READ);
        }
      }
    }
  }

  @Test
  void thereAreNoneInStrictModeOrIfTheServerOnlyReads() {
    for (TsdbOptions options :
        List.of(
            TsdbOptions.openTsdbDefaults(),
            TsdbOptions.defaults().with(DaemonSettings.MODE, "ro"))) {
      open(options);
      for (String path : List.of("/write", "/ping", "/health", "/query")) {
        assertThat(respond("GET", path, "")).startsWith("404");
      }
      assertThat(respond("POST", "/api/v2/write", "m f=1"))
          .startsWith(options.isStrict(StrictSubject.REQUESTS) ? "501" : "404");
    }
  }
}
