package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.hourstone.Settings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.query.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /api/query/last} finds the points of the series that are known. */
class LatestPointsTest extends ApiCase {
  private static final Pattern VALUE = Pattern.compile("\"value\":\"([^\"]*)\"");

  @Override
  void putPoints() {
    put("m 1500001200 1 h=a");
    put("m 1500001300 3 h=a");
    put("m 1500001100 2 h=b"); // of the hour before
    put("m 1499930000 4 h=c dc=x"); // 20 hours before
    put("old 1400000000 5 h=a");
    put("old 1400050000 6 h=b");
    put("old 1300000000 7 h=c");
    db.flush();
  }

  private static SortedSet<String> values(ApiResponse response) {
    assertThat(response.status()).describedAs(response.toString()).isEqualTo(200);
    SortedSet<String> values = new TreeSet<>();
    VALUE.matcher(response.body()).results().forEach(found -> values.add(found.group(1)));
    return values;
  }

  private SortedSet<String> get(String parameters) {
    return values(api.respond(ApiCall.of("GET", "/api/query/last?" + parameters, "")));
  }

  private SortedSet<String> post(String query) {
    String body = "{'queries':[" + query + "]}";
    return values(api.respond(ApiCall.of("POST", "/api/query/last", body.replace('\'', '"'))));
  }

  @Test
  void theyAreFoundByTheMetricAlone() {
    assertThat(get("timeseries=m")).containsExactly("2", "3", "4");
    assertThat(post("{'metric':'m'}")).containsExactly("2", "3", "4");
    assertThat(get("timeseries=m&resolve=true")).containsExactly("2", "3", "4");
  }

  @Test
  void theyAreFoundByAllOrSomeTags() {
    assertThat(get("timeseries=m%7Bh=a%7D")).containsExactly("3");
    assertThat(get("timeseries=m%7Bh=b%7D")).containsExactly("2");
    assertThat(get("timeseries=m%7Bdc=x%7D")).containsExactly("4");
    assertThat(get("timeseries=m%7Bh=c%7D")).containsExactly("4");
    assertThat(get("timeseries=m%7Bh=a|c%7D")).containsExactly("3", "4");
    assertThat(post("{'metric':'m','tags':{'h':'c'}},{'metric':'m','tags':{'h':'*'}}"))
        .containsExactly("2", "3", "4");
  }

  @Test
  void theyAreFoundByTsuidHoweverOldTheyAre() {
    assertThat(get("tsuids=000001000001000001")).containsExactly("3");
    assertThat(post("{'tsuids':['000002000001000001','000002000001000003']}"))
        .containsExactly("5", "7");
  }

  @Test
  void theNewestIsFoundHoweverOldAndOthersWithinADay() {
    assertThat(get("timeseries=old")).containsExactly("5", "6");
    assertThat(get("timeseries=old%7Bh=c%7D")).containsExactly("7");
    clock.advance(Duration.ofDays(700));
    assertThat(get("timeseries=m")).containsExactly("2", "3", "4");
  }

  @Test
  void withBackScanSomeHoursAreSearched() {
    assertThat(get("timeseries=m&back_scan=1")).containsExactly("2", "3");
    assertThat(get("timeseries=m%7Bh=b%7D&back_scan=1")).containsExactly("2");
    assertThat(get("timeseries=m&back_scan=30")).containsExactly("2", "3", "4");
    assertThat(get("timeseries=old&back_scan=30")).isEmpty();
  }

  @Test
  void aSeriesWhosePointsWereDeletedHasNone() {
    assertThat(db.delete(Query.parse("none:old"))).isEqualTo(3);
    assertThat(get("timeseries=old")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"timeseries=old", "tsuids=000002000001000002"})
  void aSearchOfTooManyRowsIsAnError(String series) {
    close();
    open(TsdbOptions.defaults().with(Settings.LAST_MAX_ROWS, "10"));
    ApiResponse response = api.respond(ApiCall.of("GET", "/api/query/last?" + series, ""));
    assertThat(response.status()).isEqualTo(200); // hours without rows are not counted
    for (int i = 0; i < 11; i++) {
      put("many 1500001200 1 h=h" + i);
    }
    db.flush();
    ApiResponse many = api.respond(ApiCall.of("GET", "/api/query/last?timeseries=many", ""));
    assertThat(many.status()).isEqualTo(400);
    assertThat(many.body()).contains("11 series need more than 10 rows (hourstone.last.max_rows)");
  }

  @Test
  void aSearchThatFindsNothingInItsRowsSaysSo() {
    close();
    open(TsdbOptions.defaults().with(Settings.LAST_MAX_ROWS, "100"));
    for (int hour = 0; hour < 200; hour++) {
      put("long " + (HOUR - hour * 3600L) + " 1 h=a");
    }
    put("long " + (HOUR - 199 * 3600) + " 2 h=b");
    db.flush();
    ApiResponse response =
        api.respond(ApiCall.of("GET", "/api/query/last?timeseries=long%7Bh=b%7D", ""));
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("no point of 1 series", "hourstone.last.max_rows");
    assertThat(get("timeseries=long%7Bh=b%7D&back_scan=99")).isEmpty();
    assertThat(get("timeseries=long")).isEqualTo(new TreeSet<>(List.of("1")));
  }

  @Test
  void withoutTheIndexTheyAreFoundInTheLastHoursOfTheMetric() {
    close();
    open(TsdbOptions.defaults().with(Settings.INDEX_ENABLE, "false"));
    assertThat(get("timeseries=m")).containsExactly("2", "3", "4");
    assertThat(get("timeseries=old")).containsExactly("5", "6");
    assertThat(get("timeseries=old%7Bh=c%7D")).containsExactly("7");
    assertThat(get("timeseries=m%7Bh=*,dc=x%7D")).containsExactly("4");
  }

  @Test
  void strictModeIsAsOpenTsdb() {
    close();
    open(TsdbOptions.openTsdbDefaults());
    assertThat(get("timeseries=m")).isEmpty();
    assertThat(get("timeseries=m%7Bh=a%7D")).isEmpty();
    assertThat(get("timeseries=m%7Bh=a%7D&back_scan=1")).containsExactly("3");
  }
}
