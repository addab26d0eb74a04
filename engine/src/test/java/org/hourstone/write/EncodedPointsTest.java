package org.hourstone.write;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.error.RequestException;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.uid.SeriesName;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Points of series that are known by their bytes in another protocol. */
class EncodedPointsTest {
  private static final long SECONDS = 1_500_001_200;

  private final ModelStore store = new ModelStore(new ManualClock(Instant.ofEpochSecond(SECONDS)));
  private Tsdb db = open(UnaryOperator.identity());

  /** How often a name was asked for. */
  private final AtomicInteger names = new AtomicInteger();

  private final AtomicInteger siblings = new AtomicInteger();

  /** {@code tag=value tag=value …} in any order, and the metric. */
  private final EncodedPoints.Protocol words =
      new EncodedPoints.Protocol() {
        @Override
        public SeriesName name(byte[] text, int from, int to, int from2, int to2) {
          names.incrementAndGet();
          Map<String, String> tags = new TreeMap<>();
          for (String word : new String(text, from, to - from, US_ASCII).split(" ")) {
            String[] pair = word.split("=");
            if (pair.length != 2) {
              throw new RequestException("not a tag: " + word);
            }
            tags.put(pair[0], pair[1]);
          }
          return new SeriesName(new String(text, from2, to2 - from2, US_ASCII), tags);
        }

        @Override
        public SeriesName name(
            SeriesName sibling, byte[] text, int from, int to, int from2, int to2) {
          siblings.incrementAndGet();
          return new SeriesName(new String(text, from2, to2 - from2, US_ASCII), sibling.tags());
        }
      };

  private Tsdb open(UnaryOperator<TsdbOptions> more) {
    return Tsdb.over(
        store,
        more.apply(
            TsdbOptions.defaults()
                .with(Settings.COMPACTION_BACKGROUND, "false")
                .with(Settings.AUTO_CREATE_METRICS, "true")));
  }

  private void reopen(Setting<?> setting, String value) {
    db.close();
    db = open(options -> options.with(setting, value));
  }

  @AfterEach
  void close() {
    db.close();
    store.close();
  }

  /** By its token, {@code stored} or the reason. */
  private static final class Outcomes implements Receipt {
    final Map<Long, String> all = new TreeMap<>();

    @Override
    public synchronized void stored(long token) {
      assertThat(all.put(token, "stored")).isNull();
    }

    @Override
    public synchronized void failed(long token, RuntimeException reason) {
      assertThat(all.put(token, String.valueOf(reason.getMessage()))).isNull();
    }

    synchronized List<String> list() {
      return List.copyOf(all.values());
    }
  }

  private static boolean select(EncodedPoints points, String tags, String metric) {
    byte[] text = (tags + "|" + metric).getBytes(US_ASCII);
    return points.select(text, 0, tags.length(), tags.length() + 1, text.length);
  }

  private Outcomes send(EncodedPoints points) {
    Outcomes outcomes = new Outcomes();
    points.send(outcomes);
    db.flush();
    assertThat(points.size()).isZero();
    return outcomes;
  }

  /** As {@code value at seconds}, in the order of time. */
  private List<String> stored(String metric, Map<String, String> tags) {
    List<String> points = new ArrayList<>();
    String of =
        tags.keySet().stream().map(tagk -> tagk + "=" + tags.get(tagk)).collect(joining(","));
    Query query =
        Query.parse("none:" + metric + "{" + of + "}")
            .between(Instant.ofEpochSecond(SECONDS), Instant.ofEpochSecond(SECONDS + 3600));
    try (SeriesCursor cursor = db.query(query)) {
      cursor.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              points.add(series.text(i) + " at " + series.millis(i) / 1000);
            }
          });
    }
    return points;
  }

  @Test
  void aSeriesIsKnownOnceAPointWasSent() {
    EncodedPoints points = db.writer().encodedPoints(words);
    for (int i = 0; i < 3; i++) {
      assertThat(select(points, "host=a", "m")).isEqualTo(i > 0);
      points.add(SECONDS + i, i, i);
      assertThat(points.size()).isOne();
      assertThat(send(points).list()).containsExactly("stored");
    }
    assertThat(names).hasValue(1);
    assertThat(stored("m", Map.of("host", "a")))
        .containsExactly("0 at 1500001200", "1 at 1500001201", "2 at 1500001202");
  }

  @Test
  void aNameIsAskedForOnceAndSharedByThoseThatBeginTheSame() {
    EncodedPoints points = db.writer().encodedPoints(words);
    byte[] text = "host=a|m1 m2".getBytes(US_ASCII);
    for (int i = 0; i < 100; i++) {
      int metric = 7 + i % 2 * 3;
      points.select(text, 0, 6, metric, metric + 2);
      points.add(SECONDS + i, i, i);
    }
    assertThat(send(points).list()).hasSize(100).containsOnly("stored");
    assertThat(names).hasValue(1);
    assertThat(siblings).hasValue(1);
    assertThat(stored("m2", Map.of("host", "a"))).hasSize(50);
  }

  @Test
  void eachFaultIsReportedWithItsPoint() {
    EncodedPoints points = db.writer().encodedPoints(words);
    for (int round = 0; round < 2; round++) {
      select(points, "host=a", "m");
      points.add(SECONDS, 1, 0);
      points.add(SECONDS, Double.NaN, 1);
      points.add(SECONDS, Double.NEGATIVE_INFINITY, 2);
      points.add(-1, 1, 3);
      points.add(0x1_0000_0000L * 1000, 1, 4);
      points.add(SECONDS + 1, 2.5, 5);
      select(points, "host", "m");
      points.add(SECONDS, 1, 6);
      select(points, "host=a", "m m");
      points.add(SECONDS, 1, 7);
      select(points, "a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1", "m");
      points.add(SECONDS, 1, 8);
      List<String> outcomes = send(points).list();
      assertThat(outcomes).hasSize(9);
      assertThat(outcomes.get(0)).isEqualTo("stored");
      assertThat(outcomes.get(1)).startsWith("value is NaN or Infinite: NaN");
      assertThat(outcomes.get(2)).startsWith("value is NaN or Infinite: -Infinity");
      assertThat(outcomes.get(3)).startsWith("negative ");
      assertThat(outcomes.get(4)).startsWith("timestamp after the year 2106");
      assertThat(outcomes.get(5)).isEqualTo("stored");
      assertThat(outcomes.get(6)).isEqualTo("not a tag: host");
      assertThat(outcomes.get(7)).startsWith("Invalid metric name (\"m m\")");
      assertThat(outcomes.get(8))
          .isEqualTo("9 tags, more than the 8 that tsd.storage.max_tags allows");
      assertThat(stored("m", Map.of("host", "a")))
          .containsExactly("1 at 1500001200", "2.5 at 1500001201");
    }
  }

  /** Each point has its own reason, and there may be one for each few bytes that were sent. */
  @Test
  void reasonsAreShortThoughNamesAreLong() {
    String host = "host=" + "x".repeat(20_000);
    EncodedPoints points = db.writer().encodedPoints(words);
    select(points, host, "m");
    points.add(SECONDS, Double.NaN, 0);
    points.add(0x1_0000_0000L * 1000, 1, 1);
    select(points, host, "m".repeat(20_000) + " ");
    points.add(SECONDS, 1, 2);
    select(points, "x".repeat(20_000), "m");
    points.add(SECONDS, 1, 3);
    List<String> reasons = new ArrayList<>(send(points).list());
    reopen(Settings.AUTO_CREATE_TAGVS, "false");
    points = db.writer().encodedPoints(words);
    select(points, "host=" + "y".repeat(20_000), "m");
    points.add(SECONDS, 1, 0);
    reasons.addAll(send(points).list());

    assertThat(reasons).hasSize(5).allMatch(reason -> reason.length() < 1000);
  }

  /** Also if a part of the points waits for its series, which has several texts. */
  @Test
  void theLastValueOfATimeIsKept() {
    Random random = new Random(3);
    List<String> texts = List.of("a=1 b=2", "b=2 a=1", "a=1 a=1 b=2", "b=2 b=2 a=1");
    for (int round = 0; round < 50; round++) {
      String metric = "m" + round / 3;
      EncodedPoints points = db.writer().encodedPoints(words);
      Map<Long, Integer> last = new HashMap<>();
      for (int i = 0; i < 200; i++) {
        if (random.nextInt(20) == 0) {
          select(points, "host=h" + random.nextInt(9), "other" + random.nextInt(9));
          points.add(SECONDS, 1, i);
          continue;
        }
        select(points, texts.get(random.nextInt(texts.size())), metric);
        if (random.nextInt(50) == 0) {
          points.add(SECONDS, Double.NaN, i);
        }
        long time = SECONDS + random.nextInt(4);
        int value = 1000 * round + i;
        points.add(time, value, i);
        last.put(time, value);
        if (random.nextInt(40) == 0) { // another request makes it known
          EncodedPoints other = db.writer().encodedPoints(words);
          select(other, texts.get(random.nextInt(texts.size())), metric);
          other.add(SECONDS + 9, 0, 0);
          send(other);
        }
      }
      points.send(new Ignored());
      db.flush();
      List<String> expected =
          last.entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .map(each -> each.getValue() + " at " + each.getKey())
              .toList();
      assertThat(stored(metric, Map.of("a", "1", "b", "2"))).containsAll(expected);
    }
  }

  private static final class Ignored implements Receipt {
    @Override
    public void stored(long token) {}

    @Override
    public void failed(long token, RuntimeException reason) {}
  }

  @Test
  void whatWasRenamedIsWrittenUnderTheNameThatItHasThen() {
    EncodedPoints points = db.writer().encodedPoints(words);
    select(points, "host=a", "m");
    points.add(SECONDS, 1, 0);
    send(points);

    db.uids().rename(UidKind.METRIC, "m", "n");
    assertThat(select(points, "host=a", "m")).isFalse();
    points.add(SECONDS, 2, 0);
    assertThat(send(points).list()).containsExactly("stored");

    assertThat(stored("n", Map.of("host", "a"))).containsExactly("1 at 1500001200");
    assertThat(stored("m", Map.of("host", "a"))).containsExactly("2 at 1500001200");
  }

  @Test
  void unknownNamesAreReportedByName() {
    reopen(Settings.AUTO_CREATE_METRICS, "false");
    EncodedPoints points = db.writer().encodedPoints(words);
    select(points, "host=a", "m");
    points.add(SECONDS, 1, 0);
    points.add(SECONDS, 2, 1);
    assertThat(send(points).list())
        .containsExactly("No such name for 'metrics': 'm'", "No such name for 'metrics': 'm'");
  }

  @Test
  void seriesBeyondALimitAreRefusedAndOthersStored() {
    reopen(Settings.MAX_SERIES, "3");
    EncodedPoints points = db.writer().encodedPoints(words);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 6; i++) {
        select(points, "host=h" + i, "m");
        points.add(SECONDS, i, i);
      }
      List<String> outcomes = send(points).list();
      assertThat(outcomes.subList(0, 3)).containsOnly("stored");
      assertThat(outcomes.subList(3, 6))
          .allMatch(reason -> reason.contains(Settings.MAX_SERIES.key()));
    }
    assertThat(db.uids().find(UidKind.TAGV, "h5")).isNull();
  }

  @Test
  void longNamesAreWrittenThoughTheyAreNotRemembered() {
    String host = "x".repeat(2000);
    EncodedPoints points = db.writer().encodedPoints(words);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      assertThat(select(points, "host=" + host, "m")).isFalse();
      points.add(SECONDS + i, i, 0);
      all.addAll(send(points).list());
    }
    assertThat(all).containsExactly("stored", "stored");
    assertThat(stored("m", Map.of("host", host))).hasSize(2);
  }

  /** Bytes that a client may choose so that their hashes are equal. */
  @Test
  void seriesWhoseHashesAreEqualAreSeveral() {
    EncodedPoints points = db.writer().encodedPoints(words);
    int count = 512;
    for (int i = 0; i < count; i++) {
      StringBuilder host = new StringBuilder();
      for (int bit = 0; bit < 9; bit++) {
        host.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      select(points, "host=" + host, "m");
      points.add(SECONDS, i, i);
    }
    assertThat(send(points).list()).hasSize(count).containsOnly("stored");
    assertThat(names).hasValue(count);
  }
}
