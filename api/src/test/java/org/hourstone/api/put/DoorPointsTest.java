package org.hourstone.api.put;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.endpoint.ErrorDialect;
import org.hourstone.api.put.DoorPoints.Outcome;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.SeriesName;
import org.hourstone.write.EncodedPoints;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The points of one request of another protocol. */
class DoorPointsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MILLIS = 1_500_001_200_000L;

  /** {@code host} and {@code metric}. */
  private static final EncodedPoints.Protocol HOSTS =
      (text, from, to, from2, to2) -> {
        String host = new String(text, from, to - from, UTF_8);
        if (host.isEmpty()) {
          throw new RequestException("no host");
        }
        return new SeriesName(new String(text, from2, to2 - from2, UTF_8), Map.of("host", host));
      };

  private static final class Failing extends ForwardingStore {
    private volatile @Nullable StoreException failure;

    Failing(KeyValueStore delegate) {
      super(delegate);
    }

    @Override
    public void mutate(Family family, List<RowMutation> batch) {
      StoreException thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
      super.mutate(family, batch);
    }
  }

  private final ManualClock clock = new ManualClock(Instant.ofEpochMilli(MILLIS));
  private final Failing store = new Failing(new ModelStore(clock));
  private final Refusals refusals = new Refusals();
  private Tsdb db;

  @BeforeEach
  void open() {
    db =
        Tsdb.over(
            store,
            TsdbOptions.defaults()
                .withClock(clock)
                .with(Settings.HEAD, "false")
                .with(Settings.COMPACTION_BACKGROUND, "false")
                .with(Settings.AUTO_CREATE_METRICS, "true"));
  }

  @AfterEach
  void close() {
    store.failure = null;
    db.close();
    store.close();
  }

  private DoorPoints points() {
    return new DoorPoints(db, HOSTS, refusals, ErrorDialect.HOURSTONE, "a client");
  }

  private static void select(DoorPoints points, String host, String metric) {
    byte[] text = (host + metric).getBytes(UTF_8);
    points.select(text, 0, host.length(), host.length(), text.length);
  }

  /** As {@code host millis value}. */
  private List<String> stored(String metric) {
    db.flush();
    String uri = "/api/query?start=0&end=4294967295999&ms&m=none:" + metric;
    List<String> points = new ArrayList<>();
    try (ApiResponse response = new Api(db).respond(ApiCall.of("GET", uri, ""))) {
      for (JsonNode result : JSON.readTree(response.body())) {
        String host = result.path("tags").path("host").asText();
        result
            .path("dps")
            .properties()
            .forEach(point -> points.add(host + " " + point.getKey() + " " + point.getValue()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return points;
  }

  private long counted(String type) {
    return refusals.statistics().stream()
        .filter(each -> each.metric().equals("rpc.errors") && each.tags().containsValue(type))
        .mapToLong(Statistic::value)
        .sum();
  }

  @Test
  void pointsOfMoreThanABlockAreStored() {
    int count = 2 * DoorPoints.BLOCK + 17;
    for (int round = 0; round < 2; round++) { // the second time the series is known
      DoorPoints points = points();
      select(points, "a", "m" + round);
      for (int i = 0; i < count; i++) {
        points.add(MILLIS + i, i);
      }
      assertThat(points.end()).isEqualTo(new Outcome(count, 0, List.of(), false, 400));
      assertThat(stored("m" + round)).hasSize(count);
    }
  }

  @Test
  void faultsAmongMoreThanABlockAreReportedWithTheirLinesAndTheOthersStored() {
    DoorPoints points = points();
    int count = DoorPoints.BLOCK + 100;
    for (int i = 1; i <= count; i++) {
      points.line(i);
      select(points, i % 2 == 0 ? "a" : "b", "m");
      if (i == 7 || i == count - 7) {
        points.add(MILLIS + i, Double.NaN);
      } else if (i == 8) {
        points.refuse(MILLIS + i, "not this one");
      } else if (i == 9) {
        points.refuse("what?".getBytes(UTF_8), 0, 4, "unreadable");
      } else if (i == 10) {
        select(points, "", "m");
        points.add(MILLIS, 1);
      } else if (i == 11) {
        select(points, "a", "m m");
        points.add(MILLIS, 1);
      } else {
        points.add(MILLIS + i, i);
      }
    }
    Outcome outcome = points.end();
    assertThat(outcome.stored()).isEqualTo(count - 6);
    assertThat(outcome.refused()).isEqualTo(6);
    assertThat(outcome.isWorthRepeating()).isFalse();
    assertThat(outcome.reasons())
        .containsExactly(
            "line 7: illegal argument: value is NaN or Infinite: NaN for metric=m timestamp="
                + (MILLIS + 7),
            "line 8: not this one",
            "line 9: unreadable",
            "line 10: illegal argument: no host",
            "line 11: illegal argument: Invalid metric name (\"m m\"): illegal character:  ");
    assertThat(stored("m")).hasSize(count - 6);
    assertThat(counted("illegal_arguments")).isEqualTo(6);
  }

  @Test
  void theLogHasThePointOrItsText() {
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.refused")) {
      DoorPoints points = points();
      points.refuse("what is this?".getBytes(UTF_8), 0, 7, "unreadable");
      select(points, "a", "m");
      points.refuse(MILLIS, "not this one");
      points.end();
      assertThat(log.messages())
          .containsExactly(
              "refused (illegal_arguments): unreadable, from a client: what is",
              "refused (illegal_arguments): not this one, from a client: m{host=a} at "
                  + MILLIS
                  + " ms");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, false",
    "1000, true",
    "1, false",
    "-1, false",
    "-1000, false",
    "4294967295, false",
    "4294967296, true",
    "4294967295000, true",
    "4294967295999, true",
    "4294967296000, false",
    "5000000000000, false",
    "9999999999999, false",
    "10000000000000, false",
    "9223372036854775807, false",
    "9223372036854775000, false",
    "-9223372036854775808, false",
  })
  void aTimeIsStoredExactlyOrRefused(long millis, boolean isStored) {
    for (int round = 0; round < 2; round++) {
      DoorPoints points = points();
      select(points, "a", "m");
      points.add(millis, 1);
      assertThat(points.end().stored()).isEqualTo(isStored ? 1 : 0);
    }
    assertThat(stored("m")).hasSize(isStored ? 1 : 0).allMatch(("a " + millis + " 1")::equals);
  }

  @Test
  void theItemsOfWhichAPointWasRefusedAreCounted() {
    DoorPoints points = points();
    for (int item = 0; item < DoorPoints.BLOCK; item++) {
      points.beginItem();
      for (int i = 0; i < 3; i++) {
        select(points, item % 1000 == 0 && i > 0 ? "" : "a", "m");
        points.add(MILLIS + item, i);
      }
    }
    assertThat(points.end().refused()).isEqualTo(18);
    assertThat(points.refusedItems()).isEqualTo(9);
  }

  @Test
  void whatTheStoreDidNotTakeIsWorthRepeating() {
    DoorPoints first = points();
    select(first, "a", "m");
    first.add(MILLIS, 1);
    first.end();
    store.failure = new StoreException(StoreException.Outcome.REJECTED, "no server");
    DoorPoints points = points();
    points.line(3);
    select(points, "a", "m");
    points.add(MILLIS, 2);
    points.refuse(MILLIS, "not this one");
    assertThat(points.hasFailed()).isFalse();
    Outcome outcome = points.end();
    assertThat(outcome.isWorthRepeating()).isTrue();
    assertThat(points.hasFailed()).isTrue();
    assertThat(outcome.stored()).isZero();
    assertThat(outcome.reasons())
        .containsExactly("line 3: storage error: no server", "line 3: not this one");
  }
}
