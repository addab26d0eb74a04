package org.hourstone.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.ZoneId;
import java.util.OptionalDouble;
import org.hourstone.Tsdb;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.PlotStyle;
import org.hourstone.api.request.Plotter;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.query.ResultSeries;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests to {@code /q}. */
class GraphApiTest extends ApiCase {
  @Override
  void putPoints() {
    putThreeSeries();
  }

  @Override
  Api over(Tsdb opened) {
    return new Api(opened, ServerInfo.none(), Description::new);
  }

  private ApiResponse get(String query) {
    return api.respond(ApiCall.of("GET", "/q?" + RANGE + "&" + query, ""));
  }

  /** A picture in words. */
  private static final class Description implements Plotter.Plot {
    private final StringBuilder text = new StringBuilder();

    Description(PlotStyle style) {
      text.append(style);
    }

    @Override
    public long add(ResultSeries series) {
      text.append('\n').append(series.metric()).append(series.tags()).append(series.size());
      return 1;
    }

    @Override
    public byte[] png() {
      return text.toString().getBytes(UTF_8);
    }
  }

  private String picture(String query) throws IOException {
    try (ApiResponse response = get(query)) {
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.contentType()).isEqualTo("image/png");
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      response.writeTo(bytes);
      return bytes.toString(UTF_8);
    }
  }

  @Test
  void pointsAreLinesOfText() {
    ApiResponse lines = get("m=none:m&m=sum:m&ascii&o=axis+x1y2&wxh=9x9");

    assertThat(lines.status()).isEqualTo(200);
    assertThat(lines.contentType()).startsWith("text/plain");
    assertThat(lines.body())
        .isEqualTo(
            """
            m 1500001200 1 host=a
            m 1500001210 2.5 host=a
            m 1500001210 3 host=b
            m 1500001220 4 dc=lga host=b
            m 1500001200 1 dc=lga
            m 1500001210 5.5 dc=lga
            m 1500001220 4 dc=lga
            """);
  }

  /** The points are at 03:00 UTC, in Kolkata at 08:30. */
  @ParameterizedTest
  @CsvSource({
    "tz=UTC, 1499990400",
    "tz=Asia/Kolkata, 1499970600",
    "timezone=Asia/Kolkata, 1499970600"
  })
  void linesOfCalendarDaysAreOfTheZone(String zone, String midnight) {
    String days = "/q?start=1499900000&end=1500100000&ascii&m=count:1dc-sum:m&" + zone;
    assertThat(api.respond(ApiCall.of("GET", days, "")).body()).startsWith("m " + midnight + " ");
  }

  @Test
  void whatIsMissingHasNoLine() {
    assertThat(get("m=sum:5s-sum-nan:m&ascii").body())
        .isEqualTo(get("m=sum:5s-sum:m&ascii").body())
        .isNotEmpty()
        .doesNotContain("NaN");
  }

  @Test
  void theNumberOfPointsIsGivenWithTheAggregatedTags() {
    assertThat(get("m=sum:m&json").body())
        .isEqualTo("{\"plotted\":3,\"points\":3,\"etags\":[[\"host\"]],\"timing\":0}");
  }

  @Test
  void aPictureHasTheSeriesOfAllQueriesInTheStyleAskedFor() throws IOException {
    PlotStyle plain = PlotStyle.of(PlotStyle.WIDTH, PlotStyle.HEIGHT, ZoneId.of("UTC"));
    assertThat(picture("m=sum:m{host=*}&m=sum:m&png"))
        .isEqualTo(plain + "\nm{host=a}2\nm{dc=lga, host=b}2\nm{dc=lga}3");
    assertThat(picture("m=sum:m{host=a}")).as("without png").isEqualTo(plain + "\nm{host=a}2");

    PlotStyle style =
        new PlotStyle(
            400,
            300,
            ZoneId.of("Europe/Paris"),
            "A title",
            new PlotStyle.Axis("ms", OptionalDouble.of(1.5), OptionalDouble.empty(), true),
            false);
    assertThat(
            picture(
                "m=sum:m{host=a}&png&wxh=400x300&tz=Europe/Paris&title=A+title&ylabel=ms"
                    + "&yrange=%5B1.5:%5D&ylog&nokey&style=linespoint"))
        .isEqualTo(style + "\nm{host=a}2");
  }

  @ParameterizedTest
  @CsvSource({
    "wxh=9x9,           wxh=9x9: must be 100 to 4096 pixels each",
    "wxh=800x99999,     wxh=800x99999: must be 100 to 4096 pixels each",
    "wxh=800,           wxh is malformed: '800'",
    "yrange=1:2,        yrange is malformed: '1:2'",
    "yrange=%5B1:x%5D,  yrange is malformed: 'x'",
    "yrange=%5BNaN:%5D, yrange is malformed: 'NaN'",
    "yrange=%5B0:1e-400%5D, yrange is malformed: '1e-400'",
    "yrange=%5B0:1e400%5D, yrange is malformed: '1e400'",
    "yrange=%5B5:1%5D,  yrange is malformed: '[5:1]'",
    "yrange=%5B0:%5D&ylog, with ylog yrange must be above 0: '[0:]'",
    "tz=Mars/Olympus,   The timezone specification could not be found: Mars/Olympus"
  })
  void aMalformedStyleIsRefused(String parameter, String message) {
    ApiResponse refusal = get("m=sum:m&png&" + parameter);

    assertThat(refusal.status()).isEqualTo(400);
    assertThat(refusal.body()).contains("\"message\":\"" + message);
  }

  @Test
  void withoutAPlotterNoPictureIsDrawn() {
    ApiResponse none = new Api(db).respond(ApiCall.of("GET", "/q?" + RANGE + "&m=sum:m&png", ""));

    assertThat(none.status()).isEqualTo(501);
    assertThat(none.body()).contains("Pictures are not supported");
  }

  @Test
  void errorsAreThoseOfQueries() {
    assertThat(get("m=sum:nosuch&ascii").body()).contains("nosuch");
    assertThat(get("ascii").body()).contains("Missing sub queries");
    assertThat(get("m=sum:nosuch&png").status()).isEqualTo(400);
  }
}
