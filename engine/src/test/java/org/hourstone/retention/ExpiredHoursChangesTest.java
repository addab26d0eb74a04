package org.hourstone.retention;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.codec.Value;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.rollup.RollupCase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of hours whose points were deleted as expired stay, whatever annotations these get. */
class ExpiredHoursChangesTest extends RollupCase {
  private static final String SHORT = "* raw 2d, 1h 300d, 1d 300d";
  private static final String LONG = "* raw 300d, 1h 300d, 1d 300d";
  private static final String TSUID = "000001000001000001";
  private static final long LATE = START + 5 * HOUR + 30;
  private static final SimpleHistogram HISTOGRAM = SimpleHistogram.of(Map.of(new Bucket(0, 1), 5L));

  /** Two hours of a day of which all that is left are the values. */
  private void expire() {
    try (Tsdb db = open("1h,1d", SHORT)) {
      put(db, "m", START + 10, 1);
      put(db, "m", START + 5 * HOUR, 2);
      db.flush();
      to(START + 5 * DAY);
      long unused = roll(db);
      assertThat(retain(db).rows()).isEqualTo(2);
      assertValuesStay(db);
    }
  }

  private static void assertValuesStay(Tsdb db) {
    assertThat(sums(db, "1h", 1)).containsExactly(1.0, 2.0);
    assertThat(sums(db, "1d", 1)).containsExactly(3.0);
    for (String interval : List.of("1h", "1d")) {
      Query query = ofDays("sum:" + interval + "-count:m", 1);
      assertThat(values(db, query.from(PointSource.DEFAULT.withAnnotations())))
          .hasSize(interval.equals("1h") ? 2 : 1);
    }
  }

  private static void rollAndVerify(Tsdb db) {
    long unused = roll(db);
    assertValuesStay(db);
    unused = db.ownRollups().orElseThrow().verify(() -> false, done -> {});
    assertValuesStay(db);
  }

  @ParameterizedTest
  @ValueSource(strings = {SHORT, LONG})
  void thatAnAnnotationIsDeletedWhichIsNotThere(String rules) {
    expire();
    try (Tsdb db = open("1h,1d", rules)) {
      db.annotations().delete(TSUID, LATE);
      rollAndVerify(db);
    }
  }

  @Test
  void anAnnotationThatIsSavedAndDeletedUnderALongerRule() {
    expire();
    try (Tsdb db = open("1h,1d", LONG)) {
      var unused = db.annotations().save(new Annotation(TSUID, LATE, 0, "late", "", null), false);
      rollAndVerify(db);
      db.annotations().delete(TSUID, LATE);
      rollAndVerify(db);
    }
  }

  @Test
  void aHistogramThatIsStoredAndDeletedUnderALongerRule() {
    expire();
    TsdbOptions histograms =
        options("1h,1d", LONG)
            .with(
                Settings.HISTOGRAMS_CONFIG,
                "{\"org.hourstone.histogram.SimpleHistogramCodec\": 42}");
    try (Tsdb db = Tsdb.over(store, histograms)) {
      db.put("m", Instant.ofEpochSecond(LATE), HISTOGRAM, Tags.of("host", "a")).join();
      db.flush();
      var unused = db.delete(ofDays("sum:percentiles[50]:m", 1));
      rollAndVerify(db);
    }
  }

  /** The mark of such a row would have its day read from points, of which there are none. */
  @Test
  void thatARowIsDeletedWhichCanNotBeRolledUpWhileNoIntervalIsSet() {
    try (Tsdb db = open("1h,1d", "")) {
      put(db, "m", START + 10, 1);
      put(db, "m", START + 5 * HOUR, 2);
      db.flush();
      byte[] row = new RowKey(Schema.DEFAULT).rowKey(HexFormat.of().parseHex(TSUID), START);
      store.put(
          db.engine().tables().points(),
          row,
          Qualifier.encode(START + 20, Value.FLOAT_FLAGS),
          Value.encode(Value.FLOAT_FLAGS, Value.rawOf(Float.NaN)));
      to(START + 5 * DAY);
      long unused = roll(db);
      assertThat(sums(db, "1d", 1)).containsExactly(3.0);
    }
    try (Tsdb db = open("", "* raw 2d")) {
      assertThat(retain(db).rows()).isEqualTo(2);
    }
    try (Tsdb db = open("1h,1d", LONG)) {
      assertThat(sums(db, "1d", 1)).containsExactly(2.0);
    }
  }

  /** They are computed again for other intervals. */
  @Test
  void anAnnotationUnderALongerRuleWhileIntervalsChange() {
    expire();
    try (Tsdb db = open("30m,1h,1d", LONG)) {
      var unused = db.annotations().save(new Annotation(TSUID, LATE, 0, "late", "", null), false);
      rollAndVerify(db);
    }
  }
}
