package org.hourstone.tsd.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.api.request.PlotStyle;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.series.Aggregator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PictureTest {
  private static final Instant START = Instant.ofEpochSecond(1_500_001_200);
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final int BLUE = 0xff0000ff;

  /** A picture of one series. */
  private static BufferedImage drawn(PlotStyle style, double... values) throws IOException {
    try (Tsdb db = Tsdb.open("memory:")) {
      for (int i = 0; i < values.length; i++) {
        db.put("m", START.plusSeconds(i), values[i], Tags.of("host", "a"));
      }
      db.flush();
      Picture picture = new Picture(style);
      if (values.length > 0) {
        long from = START.toEpochMilli();
        try (SeriesCursor series =
            db.query(
                Query.metric("m")
                    .betweenMillis(from, from + 1_000_000)
                    .aggregate(Aggregator.NONE))) {
          series.forEach(each -> assertThat(picture.add(each)).isPositive());
        }
      }
      return ImageIO.read(new ByteArrayInputStream(picture.png()));
    }
  }

  /** The rows of the image in which the series is drawn. */
  private static IntStream rows(BufferedImage image) {
    return IntStream.range(0, image.getHeight())
        .filter(
            y -> IntStream.range(0, image.getWidth()).anyMatch(x -> image.getRGB(x, y) == BLUE));
  }

  private static PlotStyle style(OptionalDouble least, OptionalDouble greatest, boolean log) {
    return new PlotStyle(400, 300, UTC, "", new PlotStyle.Axis("", least, greatest, log), false);
  }

  @Test
  void aSeriesIsALineInAPictureOfTheSizeAskedFor() throws IOException {
    BufferedImage image = drawn(PlotStyle.of(400, 300, UTC), 1, 5, 2);

    assertThat(image.getWidth()).isEqualTo(400);
    assertThat(image.getHeight()).isEqualTo(300);
    assertThat(rows(image)).isNotEmpty();
  }

  @Test
  void withoutPointsThePictureIsOfNoSeries() throws IOException {
    assertThat(rows(drawn(PlotStyle.of(400, 300, UTC)))).isEmpty();
  }

  @Test
  void theAxisOfValuesCanBeGiven() throws IOException {
    OptionalDouble none = OptionalDouble.empty();
    int[] natural = rows(drawn(style(none, none, false), 1, 5, 2)).toArray();
    int[] given =
        rows(drawn(style(OptionalDouble.of(0), OptionalDouble.of(100), false), 1, 5, 2)).toArray();

    assertThat(natural.length).isGreaterThan(3 * given.length);
    assertThat(given[0]).as("the lower part of the picture").isGreaterThan(150);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -3, 1e-300})
  void aLogarithmicAxisLeavesOutWhatHasNoLogarithm(double least) throws IOException {
    OptionalDouble none = OptionalDouble.empty();
    assertThat(rows(drawn(style(none, none, true), least, 10, 1000))).isNotEmpty();
    assertThat(rows(drawn(style(none, none, true), Math.min(least, 0)))).isEmpty();
  }
}
