package org.hourstone.retention;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.Tsdb;
import org.hourstone.annotation.Annotation;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.Value;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.hourstone.query.PointSource;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rollup.RollupCase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Points that arrive just before their hour expires are in its rolled-up values, with all others.
 */
class LateWritesTest extends RollupCase {
  /** A process that ends when rows of points have been deleted. */
  private static final class Dying extends ForwardingStore {
    private boolean dies;

    Dying(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      super.mutate(family, batch);
      if (dies && batch.get(0).changes().get(0) instanceof Change.DeleteRow) {
        throw new IllegalStateException("killed");
      }
    }
  }

  private Tsdb db = open("* raw 2d");

  LateWritesTest() {
    super(Dying::new);
  }

  private Tsdb open(String rules) {
    return open("1h,1d", rules);
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void put(long seconds, long value) {
    put(db, "m", seconds, value);
  }

  private void roll() {
    long unused = roll(db);
  }

  private long retain() {
    return retain(db).rows();
  }

  private List<Double> sums() {
    return sums("1h");
  }

  /** With annotations, as servers ask for them. */
  private List<Double> sums(String interval) {
    Query query = ofDays("sum:" + interval + "-sum:m", 1);
    return values(db, query.from(PointSource.DEFAULT.withAnnotations()));
  }

  @Test
  void aPointInAnOpenRowIsAddedToTheValuesOfItsHour() {
    put(START + 10, 1);
    clock.advance(Duration.ofHours(3));
    db.flush();
    roll();
    clock.advance(Duration.ofSeconds(2 * DAY - 2 * HOUR - 600));
    put(START + 20, 2);
    roll();
    assertThat(sums()).containsExactly(3.0);
    clock.advance(Duration.ofMinutes(11));
    long unused = retain();
    db.flush();
    roll();
    assertThat(sums()).containsExactly(3.0);
    unused = retain();
    roll();
    assertThat(sums()).containsExactly(3.0);
  }

  @Test
  void valuesOfAnHourWithAnAnnotationStayWhenItsRowExpires() {
    put(START + 10, 1);
    put(START + 22 * HOUR, 2);
    db.flush();
    annotate(START + 30);
    annotate(START + 22 * HOUR + 30);
    clock.advance(Duration.ofHours(26));
    roll();
    assertThat(sums("1h")).containsExactly(1.0, 2.0);
    assertThat(sums("1d")).containsExactly(3.0);

    clock.advance(Duration.ofHours(24)); // the first of both expires
    assertThat(sums("1h")).containsExactly(1.0, 2.0);
    assertThat(sums("1d")).containsExactly(3.0);
    assertThat(annotations()).singleElement().asString().contains("" + (START + 22 * HOUR + 30));
    assertThat(retain()).isEqualTo(1);
    assertThat(sums("1d")).containsExactly(3.0);
    assertThat(annotations()).singleElement().asString().contains("" + (START + 22 * HOUR + 30));

    clock.advance(Duration.ofDays(1));
    assertThat(retain()).isEqualTo(1);
    roll();
    assertThat(sums("1h")).containsExactly(1.0, 2.0);
    assertThat(sums("1d")).containsExactly(3.0);

    db.close();
    db = open("* raw 100d");
    assertThat(sums("1h")).containsExactly(1.0, 2.0);
    assertThat(sums("1d")).containsExactly(3.0);
  }

  @Test
  void valuesOfAnHourWithAnAnnotationStayIfTheRunIsKilled() {
    put(START + 10, 1);
    db.flush();
    annotate(START + 30);
    clock.advance(Duration.ofHours(26));
    roll();
    clock.advance(Duration.ofDays(2));
    ((Dying) store).dies = true;
    assertThatThrownBy(this::retain).hasMessageContaining("killed");
    ((Dying) store).dies = false;

    db.close();
    db = open("* raw 100d");
    assertThat(sums("1h")).containsExactly(1.0);
  }

  /** The day has no rolled-up value of the second hour. */
  @Test
  void anHourWhosePointsCanNotBeRolledUpIsNotLeftOutWhileItHasNotExpired() {
    put(START + 10, 1);
    put(START + 22 * HOUR, 2);
    db.flush();
    Family points = db.engine().tables().points();
    byte[] last = {};
    try (RowCursor rows = store.scan(points, Scan.all())) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        last = row.key();
      }
    }
    store.put(
        points,
        last,
        Qualifier.encode(START + 22 * HOUR + 10, Value.FLOAT_FLAGS),
        Value.encode(Value.FLOAT_FLAGS, Value.rawOf(Float.NaN)));
    clock.advance(Duration.ofHours(26));
    roll();
    assertThat(sums("1d")).containsExactly(3.0);

    clock.advance(Duration.ofHours(24)); // the first of both expires
    assertThat(sums("1d")).as("what has not expired").containsExactly(2.0);
    clock.advance(Duration.ofHours(22));
    assertThat(sums("1d")).containsExactly(1.0);
  }

  /** Those that a query for days returns. */
  private List<String> annotations() {
    List<String> texts = new ArrayList<>();
    Query query = ofDays("sum:1d-sum:m", 1).from(PointSource.DEFAULT.withAnnotations());
    try (SeriesCursor found = db.query(query)) {
      found.forEach(
          series -> series.annotations().forEach(each -> texts.add(new String(each, UTF_8))));
    }
    return texts;
  }

  private void annotate(long seconds) {
    var unused =
        db.annotations()
            .save(new Annotation("000001000001000001", seconds, 0, "note", "", null), false);
  }
}
