package org.hourstone.api.put;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.testkit.store.RecordingStore;
import org.hourstone.testkit.store.RecordingStore.Counted;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/** The names of the new series in one body are resolved together. */
class NewSeriesPutTest {
  private static final int SERIES = 500;

  private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_500_000_100));
  private final RecordingStore store = new RecordingStore(new ModelStore(clock));
  private final Tsdb db =
      Tsdb.over(
          store,
          TsdbOptions.defaults().withClock(clock).with(Settings.AUTO_CREATE_METRICS, "true"));

  private static String point(int i) {
    return "{\"metric\":\"m%d\",\"timestamp\":1500000000,\"value\":%d,\"tags\":{\"host\":\"h%d\"}}"
        .formatted(i % 10, i, i);
  }

  private ApiResponse put(String body) {
    return new Api(db).respond(ApiCall.of("POST", "/api/put?details", body));
  }

  @Test
  void aBodyOfNewSeriesCostsFewCallsOfTheStore() {
    try (db) {
      String body =
          IntStream.range(0, SERIES)
              .mapToObj(NewSeriesPutTest::point)
              .collect(Collectors.joining(",", "[", "]"));
      store.reset();
      assertThat(put(body).body()).contains("\"success\":" + SERIES, "\"failed\":0");
      assertThat(store.total(Counted.GETS) + store.total(Counted.INCREMENTS))
          .isLessThan(SERIES / 2); // each name alone costs one
      assertThat(db.uids().find(UidKind.TAGV, "h" + (SERIES - 1))).isNotNull();
    }
  }

  @Test
  void aFaultAmongThemCostsOnlyItsPoint() {
    try (db) {
      String wrong = point(1).replace("\"h1\"", "\"h 1\"");
      String empty = point(2).replace("{\"host\":\"h2\"}", "{}");
      String body = "[" + String.join(",", point(0), wrong, empty, point(3), point(3)) + "]";
      assertThat(put(body).body())
          .contains("\"success\":3", "\"failed\":2", "illegal character", "Missing tags");
    }
  }

  /** Each call may take long then. */
  @Test
  void whileTheStoreIsAwayFewCallsAreMadeHoweverManySeriesThereAre() {
    AtomicBoolean isAway = new AtomicBoolean();
    AtomicInteger calls = new AtomicInteger();
    KeyValueStore away =
        new ForwardingStore(store) {
          @Override
          public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
            if (!isAway.get()) {
              return super.get(family, rows, columns);
            }
            calls.incrementAndGet();
            throw new StoreException(StoreException.Outcome.REJECTED, "the store is away");
          }

          @Override
          public Row get(Family family, byte[] row, Columns columns) {
            return get(family, List.of(row), columns).get(0);
          }
        };
    TsdbOptions options = db.engine().options();
    db.close();
    try (Tsdb behind = Tsdb.over(away, options)) {
      String body =
          IntStream.range(0, 4 * SERIES)
              .mapToObj(NewSeriesPutTest::point)
              .collect(Collectors.joining(",", "[", "]"));
      isAway.set(true);

      ApiResponse response = new Api(behind).respond(ApiCall.of("POST", "/api/put?details", body));

      assertThat(response.body()).contains("\"success\":0", "\"failed\":" + 4 * SERIES);
      assertThat(calls.get()).isPositive().isLessThan(50);
      isAway.set(false);
    }
  }
}
