package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The calendar and the time zone of a request, wherever it has them. */
class ExpressionZonesTest extends ApiCase {
  private static final long START = 1_717_200_000; // 2024-06-01T00:00Z
  private static final String RANGE = "start=2024/06/04&end=2024/06/06-23:00:00";
  private static final String MIDNIGHTS = "1717484400 1717570800 1717657200";
  private static final String OF_UTC = "1717459200 1717545600 1717632000";
  private static final Pattern TIME = Pattern.compile("17\\d{8}(?:000)?(?=[\",])");

  ExpressionZonesTest() {
    super(Instant.ofEpochSecond(START + 12 * 86_400));
  }

  @Override
  void putPoints() {
    for (int i = 0; i < 288; i++) {
      put("m " + (START + i * 3600L + 1800) + " 1 h=a");
    }
  }

  /** The times of the points in a response, in seconds. */
  private String times(ApiCall call) {
    ApiResponse response = api.respond(call);
    assertThat(response.status()).describedAs(response.toString()).isEqualTo(200);
    String body = response.body();
    String points = body.substring(body.indexOf("\"dps\""));
    return TIME.matcher(points)
        .results()
        .map(found -> found.group().substring(0, 10))
        .distinct()
        .collect(Collectors.joining(" "));
  }

  private String get(String uri) {
    return times(ApiCall.of("GET", uri, ""));
  }

  private String exp(String time, String downsampler) {
    return times(
        ApiCall.of(
            "POST",
            "/api/query/exp",
            ("{'time':{'start':'2024/06/04','end':'2024/06/06-23:00:00','aggregator':'sum'"
                    + time
                    + ",'downsampler':{'aggregator':'sum'"
                    + downsampler
                    + "}},'filters':[],'metrics':[{'id':'a','metric':'m'}],"
                    + "'outputs':[{'id':'a'}]}")
                .replace('\'', '"')));
  }

  @ParameterizedTest
  @ValueSource(strings = {"timezone", "tz"})
  void functionsHaveTheDaysOfTheZone(String parameter) {
    String zone = RANGE + "&" + parameter + "=America/Los_Angeles";
    assertThat(get("/api/query?" + zone + "&m=sum:1dc-sum:m")).isEqualTo(MIDNIGHTS);
    assertThat(get("/api/query/gexp?" + zone + "&exp=scale(sum:1dc-sum:m,1)")).isEqualTo(MIDNIGHTS);
    assertThat(get("/api/query/gexp?" + zone + "&exp=scale(sum:1d-sum:m,1)&use_calendar=true"))
        .isEqualTo(MIDNIGHTS);
    assertThat(get("/api/query?" + zone + "&m=sum:1d-sum:m&useCalendar=true")).isEqualTo(MIDNIGHTS);
    assertThat(get("/api/query?" + zone + "&m=sum:1d-sum:m&use_calendar=false"))
        .isEqualTo("1717545600 1717632000 1717718400");
  }

  @Test
  void formulasHaveTheDaysOfTheZone() {
    String zone = ",'timezone':'America/Los_Angeles'";
    assertThat(exp(zone, ",'interval':'1dc'")).isEqualTo(MIDNIGHTS);
    assertThat(exp(zone + ",'useCalendar':true", ",'interval':'1d'")).isEqualTo(MIDNIGHTS);
    assertThat(exp(zone, ",'interval':'1d','useCalendar':true")).isEqualTo(MIDNIGHTS);
    assertThat(exp("", ",'interval':'1dc'")).isEqualTo(OF_UTC);
    assertThat(exp(",'timezone':'PST'", ",'interval':'1dc'")).isEqualTo(MIDNIGHTS);
  }

  @Test
  void anUnknownZoneIsRefusedEverywhere() {
    for (String uri :
        new String[] {
          "/api/query?" + RANGE + "&tz=Nowhere&m=sum:1dc-sum:m",
          "/api/query/gexp?" + RANGE + "&tz=Nowhere&exp=scale(sum:1dc-sum:m,1)"
        }) {
      assertThat(api.respond(ApiCall.of("GET", uri, "")).status()).isEqualTo(400);
    }
  }

  @Test
  void inStrictModeFunctionsHaveTheDaysOfUtc() {
    close();
    open(TsdbOptions.openTsdbDefaults());
    assertThat(
            get(
                "/api/query/gexp?start=1717459200&end=1717714800&tz=America/Los_Angeles"
                    + "&exp=scale(sum:1dc-sum:m,1)"))
        .isEqualTo(OF_UTC);
    assertThat(exp(",'timezone':'America/Los_Angeles'", ",'interval':'1dc'"))
        .isEqualTo("1717545600 1717632000 1717718400");
  }
}
