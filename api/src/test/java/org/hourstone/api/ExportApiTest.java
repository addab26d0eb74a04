package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hourstone.DaemonSettings;
import org.hourstone.QuerySettings;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /api/export}. */
class ExportApiTest extends RequestCase {
  private String export(String parameters) {
    return respond("GET", "/api/export?" + parameters, "");
  }

  @Test
  void withoutParametersEverythingIsExported() {
    put("other 1 9223372036854775807 host=a");
    assertThat(export(""))
        .isEqualTo(
            """
            200 m 1500001200 1 host=a
            m 1500001210 2.5 host=a
            m 1500001210 3 host=b
            m 1500001220500 4 dc=lga host=b
            other 1 9223372036854775807 host=a
            # end: 5 points; 0 cells omitted
            """);
  }

  @Test
  void theRangeIsExact() {
    assertThat(export("start=1500001210&end=1500001220"))
        .isEqualTo(
            """
            200 m 1500001210 2.5 host=a
            m 1500001210 3 host=b
            # end: 2 points; 0 cells omitted
            """);
    assertThat(export("end=1500001200500")).contains("m 1500001200 1 ").contains("end: 1 points");
    assertThat(export("start=1500001220500")).contains("1500001220500").contains("end: 1 points");
    assertThat(export("start=2017/07/14-05:00:10&tz=Europe/Paris")).contains("end: 3 points");
  }

  @Test
  void hoursOutsideOfTheRangeAreSkipped() {
    for (int metric = 0; metric < 5; metric++) {
      for (int hour = -2; hour <= 2; hour++) {
        put("m" + metric + " " + (HOUR + hour * 3600L) + " 1 host=a");
      }
    }
    List<String> lines = export("start=1500001100&end=1500001300").lines().toList();
    assertThat(lines).hasSize(3 + 1 + 5 + 1).last().asString().contains("9 points");
  }

  @Test
  void pointsAreCommaSeparatedValues() {
    assertThat(export("format=csv"))
        .isEqualTo(
            """
            200 metric,timestamp,value,tags
            m,1500001200,1,host=a
            m,1500001210,2.5,host=a
            m,1500001210,3,host=b
            m,1500001220500,4,dc=lga host=b
            # end: 4 points; 0 cells omitted
            """);
  }

  @Test
  void pointsAreJsonThatPutTakes() {
    String lines = export("format=json").substring("200 ".length());
    assertThat(lines)
        .startsWith("{'metric':'m','timestamp':1500001200,'value':1,'tags':{'host':'a'}}\n")
        .contains("'value':2.5,")
        .endsWith("\n{'end':{'points':4,'omitted':0}}\n");
    String points = lines.substring(0, lines.indexOf("{'end'"));
    open(options());
    assertThat(respond("POST", "/api/put?summary", points))
        .isEqualTo("200 {'success':4,'failed':0}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "m=m{host=b}                | 2",
        "m=m{host=*}                | 4",
        "m=m{}{dc=literal_or(lga)}  | 1",
        "m=explicit_tags:m{host=b}  | 1",
        "m=m{dc=lga}&m=m{host=b}    | 2",
        "m=m{host=b}&m=m&m=other    | 5",
        "tsuid=000001000001000001   | 2",
        "tsuid=000001000001000001&m=m | 4",
        "tsuid=000001000001000001,000001000001000002 | 3",
      })
  void aSelectionHasEachPointOnce(String selection, int points) {
    put("other 1500001200 1 host=c");
    for (String salt : new String[] {"0", "1"}) {
      String escaped = selection.replace("{", "%7B").replace("}", "%7D");
      assertThat(export(escaped)).contains("end: " + points + " points");
      assertThat(export(escaped).lines().distinct().count()).isEqualTo(points + 1);
      open(options().with(Settings.SALT_WIDTH, salt).with(Settings.SALT_BUCKETS, "5"));
      put("other 1500001200 1 host=c");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lines", "csv", "json"})
  void anExportContinuesAfterEachPlaceThatItNames(String format) {
    for (String salt : new String[] {"0", "1"}) {
      open(options().with(Settings.SALT_WIDTH, salt).with(Settings.SALT_BUCKETS, "3"));
      for (int i = 0; i < 12_000; i++) {
        put("m" + i % 3 + " " + (HOUR + i) + " " + i + " host=h" + i % 7);
      }
      for (String selection : new String[] {"", "&m=m1&m=m0%7Bhost=h1%7D&m=m2&m=m1"}) {
        continuesExactly("format=" + format + selection);
      }
    }
  }

  private void continuesExactly(String request) {
    String head = request.contains("csv") ? "metric,timestamp,value,tags\n" : "";
    String whole = text(request);
    int places = 0;
    for (String line : whole.split("(?<=\n)")) {
      String token = line.strip().replaceAll("^# after |^\\{'after':'|'}$", "");
      if (!token.equals(line.strip()) && token.matches("\\d+\\.[0-9a-f]+")) {
        String rest = whole.substring(whole.indexOf(line) + line.length());
        assertThat(text(request + "&after=" + token)).isEqualTo(head + rest);
        places++;
      }
    }
    assertThat(places).isGreaterThan(2);
  }

  /** An export without the numbers at its end. */
  private String text(String request) {
    return export(request).replaceFirst("^200 ", "").replaceFirst("\\d+(\\D+)\\d+(\\D*)$", "$1$2");
  }

  @Test
  void whatHasNoLineIsNamed() {
    annotate();
    assertThat(export(""))
        .isEqualTo(
            """
            200 # omitted: row 000000596833b0 cell 01000a: a row of global annotations
            m 1500001200 1 host=a
            m 1500001210 2.5 host=a
            # omitted: row 000001596833b0000001000001 cell 01000a: annotation
            # omitted: row 000001596833b0000001000001 cell 06000a: histogram
            m 1500001210 3 host=b
            m 1500001220500 4 dc=lga host=b
            # end: 4 points; 3 cells omitted
            """);
    assertThat(export("start=1500001211&m=m")).doesNotContain("omitted:");
    assertThat(export("format=csv").lines())
        .filteredOn(line -> line.startsWith("#"))
        .hasSize(4)
        .allMatch(line -> line.indexOf(',') < 0);
  }

  private void annotate() {
    open(
        options()
            .with(Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":42}"));
    respond("POST", "/api/annotation", "{'startTime':1500001210,'description':'all'}");
    respond(
        "POST",
        "/api/annotation",
        "{'startTime':1500001210,'tsuid':'000001000001000001','description':'one'}");
    String histogram =
        "{'metric':'m','timestamp':1500001210,'tags':{'host':'a'},'buckets':{'0,1':5}}";
    assertThat(respond("POST", "/api/histogram", histogram)).startsWith("204");
  }

  @Test
  void annotationsAndHistogramsAreInJson() {
    annotate();
    List<String> lines = export("format=json").lines().toList();
    assertThat(lines.get(0)).contains("{'annotation':{").contains("'description':'all'");
    assertThat(lines.get(1))
        .startsWith("{'metric':'m','tags':{'host':'a'},'annotation':{")
        .contains("'description':'one'");
    String histogram = lines.get(2);
    assertThat(histogram)
        .startsWith("{'metric':'m','tags':{'host':'a'},'timestamp':1500001210,'id':42,'value':'");
    assertThat(lines).last().isEqualTo("{'end':{'points':4,'omitted':0}}");
    assertThat(export("format=json&start=1500001211")).doesNotContain("'id'", "annotation");

    open(
        options()
            .with(Settings.HISTOGRAMS_CONFIG, "{\"net.opentsdb.core.SimpleHistogramDecoder\":42}"));
    assertThat(respond("POST", "/api/histogram", histogram)).startsWith("204");
    assertThat(export("format=json&start=1500001210&end=1500001211")).contains(histogram);
  }

  @Test
  void namesThatImportRefusesHaveLinesOnlyInJson() {
    put("n 1500001200 1 host=a");
    db.uids().rename(UidKind.METRIC, "n", "n,1");
    assertThat(export("tsuid=000002000001000001"))
        .contains(" cell 0000: import would refuse it: ")
        .endsWith("# end: 0 points; 1 cells omitted\n");
    assertThat(export("format=json&tsuid=000002000001000001"))
        .contains("{'metric':'n,1','timestamp':1500001200,'value':1,'tags':{'host':'a'}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "format=xml         | 'xml' is not a format: lines, json or csv",
        "start=2&end=1      | End time",
        "start=x            | x",
        "m=nothing          | nothing",
        "m=sum:m            | sum",
        "m=1m-avg:m         | an export has points as they are stored",
        "m=rate:m           | an export has points as they are stored",
        "tsuid=zz           | zz",
        "after=1            | after: '1' is not from an export",
        "after=0.zz         | after: '0.zz' is not from an export",
        "after=1.00         | after: '1.00' is from an export of another selection",
        "after=0.00&after=0.01 | after: is given 2 times",
        "tags=x             | tags: is not a parameter of /api/export",
        "metric=m           | metric: is not a parameter of /api/export",
        "limit=1            | limit: is not a parameter of /api/export",
        "START=1            | START: is not a parameter of /api/export; its name is start",
      })
  void aBadParameterIsNamed(String parameters, String message) {
    assertThat(export(parameters)).startsWith("400 ").contains(message);
  }

  @Test
  void onlyReadersMayExport() {
    ApiCall call = ApiCall.of("GET", "/api/export", "", new Disconnection(), Set.of(Role.WRITE));
    assertThat(api.respond(call).status()).isEqualTo(403);
    call = ApiCall.of("GET", "/api/export", "", new Disconnection(), Set.of(Role.READ));
    assertThat(api.respond(call).body()).contains("4 points");
    assertThat(respond("POST", "/api/export", "")).startsWith("405 ");
  }

  @Test
  void strictModeHasNoExport() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(export("")).startsWith("404 ");
  }

  @Test
  void aServerThatOnlyWritesHasNone() {
    open(options().with(DaemonSettings.MODE, "wo"));
    assertThat(export("")).startsWith("404 ");
  }

  @Test
  void theLimitsOfQueriesApply() {
    open(options().with(QuerySettings.QUERY_MAX_POINTS, "3"));
    assertThat(export("")).startsWith("413 ").contains("more than 3 points");
    open(options().with(QuerySettings.QUERY_MAX_BYTES, "10"));
    assertThat(export("")).startsWith("413 ").contains("more than 10 bytes");
  }

  @Test
  void itIsAmongTheCompletedQueries() {
    export("m=m%7Bhost=b%7D");
    assertThat(respond("GET", "/api/stats/query", "")).contains("export [").contains("'points':2");
    List<String> texts = new ArrayList<>();
    try (ApiResponse response = api.respond(ApiCall.of("GET", "/api/export", ""))) {
      db.runningQueries().list().forEach(query -> texts.add(query.text()));
      assertThat(response.contentType()).isEqualTo("text/plain; charset=UTF-8");
    }
    assertThat(texts).containsExactly("export everything");
  }
}
