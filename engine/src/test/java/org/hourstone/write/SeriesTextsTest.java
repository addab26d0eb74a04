package org.hourstone.write;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.write.SeriesTexts.Form;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SeriesTextsTest {
  private static final RowKey KEYS = new RowKey(Schema.DEFAULT);

  private long nanos;
  private final SeriesTexts texts = new SeriesTexts(5000, () -> nanos);

  private static Series series(int i) {
    return new Series(KEYS, new byte[] {0, (byte) (i >> 16), (byte) (i >> 8), (byte) i}, 0, 0);
  }

  private static byte[] tags(int i) {
    return ("host=web" + i).getBytes(US_ASCII);
  }

  private void put(int i) {
    texts.put(Form.LATIN1, ("mhost=web" + i).getBytes(US_ASCII), 1, series(i));
  }

  private static @Nullable Series found(@Nullable KnownText known) {
    return known == null ? null : known.series;
  }

  private @Nullable Series find(int i) {
    return found(find(null, i));
  }

  private @Nullable KnownText find(@Nullable KnownText before, int i) {
    byte[] tags = tags(i);
    byte[] text = new byte[tags.length + 4];
    text[2] = 'm';
    System.arraycopy(tags, 0, text, 4, tags.length);
    return texts.find(before, Form.LATIN1, text, 2, 3, 4, text.length);
  }

  @Test
  void asManyAsMayAreKeptAreFound() {
    for (int i = 0; i < 5000; i++) {
      put(i);
    }
    for (int i = 0; i < 5000; i++) {
      assertThat(find(i)).isEqualTo(series(i));
    }
    assertThat(find(5000)).isNull();
  }

  @Test
  void thoseInUseStayWhileOthersComeAndGo() {
    for (int i = 0; i < 100_000; i++) {
      put(i);
      assertThat(find(i % 100)).isEqualTo(series(i % 100));
    }
    assertThat(IntStream.range(0, 100_000).filter(i -> find(i) != null).count())
        .isLessThanOrEqualTo(5000 + SeriesTexts.PASSING);
  }

  /** Collectors send the points of all series in turn. */
  @Test
  void ifThereAreTooManyInTurnAsManyAreFoundAsThereIsRoomFor() {
    for (int series : List.of(5500, 7500, 10_000, 50_000)) {
      texts.clear();
      int found = 0;
      for (int turn = 0; turn < 12; turn++) {
        found = 0;
        for (int i = 0; i < series; i++) {
          if (find(i) == null) {
            put(i);
          } else {
            found++;
          }
        }
        assertThat(texts.size()).isLessThanOrEqualTo(5000);
      }
      assertThat(found).as("found of %d", series).isGreaterThan(3500);
    }
    assertThat(texts.leftOut()).isPositive();
    assertThat(texts.areTooMany()).isTrue();
  }

  /** A file may have the points of one series after those of another. */
  @Test
  void seriesThatAreWrittenOneAfterTheOtherAreFound() {
    for (int i = 0; i < 50_000; i++) {
      assertThat(find(i)).isNull();
      put(i);
      for (int point = 0; point < 3; point++) {
        assertThat(find(i)).isEqualTo(series(i));
      }
    }
    assertThat(texts.areTooMany()).isFalse();
  }

  /** A tenth of the series is replaced each hour, all of them long since. */
  @Test
  void thoseThatAreNoLongerUsedMakeRoom() {
    int first = 0;
    for (int minute = 0; minute < 600; minute++) {
      nanos = TimeUnit.MINUTES.toNanos(minute);
      first += 6; // of 3600
      int unknown = 0;
      for (int i = first; i < first + 3600; i++) {
        if (find(i) == null) {
          unknown++;
          put(i);
        }
      }
      assertThat(unknown).as("minute %d", minute).isLessThanOrEqualTo(minute == 0 ? 3600 : 6);
    }
    assertThat(texts.leftOut()).isZero();
  }

  @Test
  void aTextThatIsKeptGetsItsNewSeriesAlsoIfNoOtherHasRoom() {
    for (int i = 0; i < 6000; i++) {
      put(i);
    }
    texts.put(Form.LATIN1, "mhost=web1".getBytes(US_ASCII), 1, series(9999));
    assertThat(find(1)).isEqualTo(series(9999));
  }

  private void putLong(int i, int length) {
    byte[] text = Arrays.copyOf(("mhost=web" + i + ",").getBytes(US_ASCII), length);
    texts.put(Form.LATIN1, text, 1, series(i));
  }

  /** A line may have a metric and tags of a kilobyte. */
  @Test
  void longTextsCountAsWhatTheyTake() {
    for (int length : List.of(200, 600, 1024)) {
      texts.clear();
      for (int i = 0; i < 20_000; i++) {
        putLong(i, length);
      }
      int most = 5000 * SeriesTexts.USUAL_BYTES / length;
      assertThat(texts.size()).isBetween(most / 2, most);
    }
  }

  @Test
  void longTextsThatReplaceUsualOnesAreFewer() {
    for (int i = 0; i < 5000; i++) {
      put(i);
    }
    nanos = TimeUnit.HOURS.toNanos(1); // all of them are not in use any more
    for (int i = 0; i < 5000; i++) {
      putLong(i, 1024);
    }
    assertThat(texts.size()).isLessThan(1250);
    texts.clear();
    for (int i = 0; i < 5000; i++) {
      put(i);
    }
    assertThat(texts.size()).isEqualTo(5000);
  }

  @Test
  void metricTagsAndFormAreComparedEach() {
    byte[] text = "abc".getBytes(US_ASCII);
    texts.put(Form.LATIN1, text, 2, series(1));
    assertThat(found(texts.find(null, Form.LATIN1, text, 0, 2, 2, 3))).isEqualTo(series(1));
    assertThat(found(texts.find(null, Form.LATIN1, text, 0, 1, 1, 3))).isNull();
    assertThat(found(texts.find(null, Form.JSON, text, 0, 2, 2, 3))).isNull();
    texts.put(Form.LATIN1, text, 2, series(2));
    assertThat(found(texts.find(null, Form.LATIN1, text, 0, 2, 2, 3))).isEqualTo(series(2));
    texts.clear();
    assertThat(found(texts.find(null, Form.LATIN1, text, 0, 2, 2, 3))).isNull();
  }

  @Test
  void nothingIsKeptIfNothingMayBe() {
    SeriesTexts none = new SeriesTexts(0, () -> nanos);
    none.put(Form.LATIN1, new byte[] {'a', 'c'}, 1, series(1));
    assertThat(found(none.find(null, Form.LATIN1, new byte[] {'a', 'c'}, 0, 1, 1, 2))).isNull();
  }

  @Test
  void textsThatTheFormCannotWriteHaveNoBytes() {
    assertThat(Form.LATIN1.bytes("caf\u00e9")).hasSize(4);
    assertThat(Form.UTF8.bytes("caf\u00e9")).hasSize(5);
    assertThat(Form.LATIN1.bytes("\u20ac")).isNull();
    assertThat(Form.UTF8.bytes("\ud800")).isNull();
  }

  @Test
  void whatStoodBehindATextTheLastTimeChangesNothing() {
    Random random = new Random(7);
    for (int i = 0; i < 8000; i++) { // some are not kept, some for a moment
      put(i);
    }
    KnownText before = null;
    for (int i = 0; i < 100_000; i++) {
      int asked = random.nextInt(100) == 0 ? random.nextInt(8000) : i % 6000;
      KnownText found = find(before, asked);
      assertThat(found(found)).isEqualTo(find(asked)).isIn(null, series(asked));
      before = found == null ? before : found;
    }
  }

  @Test
  void aTextThatIsPutAgainIsFoundBehindAnother() {
    put(1);
    put(2);
    KnownText before = find(null, 1);
    assertThat(found(find(before, 2))).isEqualTo(series(2));
    KnownText second = Objects.requireNonNull(find(before, 2));
    assertThat(found(find(second, 1))).isEqualTo(series(1));
    texts.put(Form.LATIN1, "mhost=web2".getBytes(US_ASCII), 1, series(3));
    assertThat(second.next).as("of one that is kept no longer").isNull();
    assertThat(find(2)).isEqualTo(series(3));
    assertThat(found(find(find(null, 1), 1))).isEqualTo(series(1)); // now 1 is behind 1
    assertThat(found(find(find(null, 1), 2))).isEqualTo(series(3));
  }

  @Test
  void noTextKeepsOneInMemoryThatIsNotKept() {
    put(1);
    put(2);
    KnownText first = Objects.requireNonNull(find(null, 1));
    KnownText second = find(first, 2);
    assertThat(first.next).isSameAs(second);
    texts.clear();
    assertThat(first.next).isNull();
    for (int i = 1; i <= 7000; i++) {
      put(i);
    }
    KnownText passing = find(null, 7000);
    assertThat(found(passing)).isEqualTo(series(7000));
    KnownText kept = Objects.requireNonNull(find(null, 1));
    assertThat(found(find(kept, 7000))).isEqualTo(series(7000));
    assertThat(kept.next).isNull();
  }
}
