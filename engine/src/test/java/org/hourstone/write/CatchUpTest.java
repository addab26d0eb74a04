package org.hourstone.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionException;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.testkit.store.MortalStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who moves the clock can wait until the threads that write have seen it. */
@Timeout(60)
class CatchUpTest {
  private static final Instant START = Instant.parse("2013-01-01T00:10:00Z");
  private static final Family POINTS = new Family("tsdb", "t");

  private final ManualClock clock = new ManualClock(START);
  private final KeyValueStore store = new ModelStore(clock.ticking());
  private final MortalStore mortal = new MortalStore(store);
  private final Tsdb db =
      Tsdb.over(
          mortal,
          TsdbOptions.defaults()
              .withClock(clock)
              .with(Settings.CREATE_TABLES, "true")
              .with(Settings.HEAD, "true"));

  private boolean isSealed() {
    try (RowCursor rows = store.scan(POINTS, Scan.all())) {
      return rows.next() != null;
    }
  }

  private void put() {
    db.put("m", START, 1, Tags.of("host", "a")).join();
  }

  @Test
  void openRowsStayOpen() {
    put();

    db.writer().catchUp();

    assertThat(isSealed()).isFalse();
  }

  @Test
  void rowsAreSealedThatAreDueByTheNewTime() {
    put();
    clock.advance(Duration.ofHours(3));

    db.writer().catchUp();

    assertThat(isSealed()).isTrue();
  }

  @Test
  void rowsThatCanNotBeSealedAreNotAwaited() {
    put();
    clock.advance(Duration.ofHours(3));
    mortal.failAfter(0);

    db.writer().catchUp();

    assertThat(isSealed()).isFalse();
    mortal.recover();
  }

  @Test
  void aClosedWriterNeverCatchesUp() {
    db.close();

    assertThat(catchThrowable(() -> db.writer().catchUp()))
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("the writer of points is closed");
  }
}
