package org.hourstone.tsd.regions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Bytes;
import org.hourstone.tsd.regions.KeyCounts.Boundary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyCountsTest {
  private static final KeyForm FORM = KeyForm.ofPoints(Schema.DEFAULT);

  private final KeyCounts counts = new KeyCounts(FORM, 8);

  /** Rows of different series in the same hour. */
  private void add(int metric, int hour, int rows) {
    for (int row = 0; row < rows; row++) {
      counts.add(
          ByteBuffer.allocate(13)
              .put(new byte[] {0, 0, (byte) metric})
              .putInt(hour * 3600)
              .put(new byte[] {0, 0, 1, 0, 0, (byte) row})
              .array());
    }
  }

  private static String text(@Nullable Boundary boundary) {
    return boundary == null
        ? "none"
        : new Bytes(boundary.key()) + " " + boundary.before() + "/" + boundary.rows();
  }

  @Test
  void theFirstRowOfAMetricNearestToTheMiddle() {
    add(1, 5, 10);
    add(2, 5, 20);
    add(3, 5, 20);
    add(4, 5, 5);

    assertThat(text(counts.best())).isEqualTo("000003 30/55");
  }

  @Test
  void anHourIfOneMetricHasNearlyAll() {
    add(1, 5, 2);
    add(2, 5, 10);
    add(2, 6, 10);
    add(2, 7, 10);

    assertThat(text(counts.best())).isEqualTo("00000200005460 12/32");
    assertThat(counts.rows()).isEqualTo(32);
  }

  @Test
  void aMetricThatHasAQuarterIsPreferredToAnHourInTheMiddle() {
    add(1, 5, 25);
    add(2, 5, 25);
    add(2, 6, 50);

    assertThat(text(counts.best())).isEqualTo("000002 25/100");
  }

  @Test
  void noneInTheRowsOfOneHour() {
    assertThat(text(counts.best())).isEqualTo("none");

    add(1, 5, 100);

    assertThat(text(counts.best())).isEqualTo("none");
  }

  @Test
  void manyBoundariesAreThinnedAndTheMiddleIsStillFound() {
    for (int hour = 0; hour < 10_000; hour++) {
      add(1, hour, 1);
    }

    Boundary best = Objects.requireNonNull(counts.best());

    assertThat(best.before()).isBetween(3_500L, 6_500L);
    int hour = ByteBuffer.wrap(best.key()).getInt(3) / 3600;
    assertThat((long) hour).isEqualTo(best.before());
  }
}
