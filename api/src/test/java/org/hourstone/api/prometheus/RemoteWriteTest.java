package org.hourstone.api.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.api.prometheus.RemoteMessages.label;
import static org.hourstone.api.prometheus.RemoteMessages.sample;
import static org.hourstone.api.prometheus.RemoteMessages.series;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.hourstone.TsdbOptions;
import org.hourstone.api.prometheus.RemoteMessages.Fields;
import org.hourstone.api.prometheus.RemoteMessages.Sample;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Remote write stores each sample, counts what it skips, and names what it refuses. */
class RemoteWriteTest extends RemoteStorageCase {
  private String points(String metric) {
    String uri = "/api/query?start=1500000000&end=1500010000&ms&m=none:" + metric;
    return api.respond(ApiCall.of("GET", uri, "")).body().replace('"', '\'');
  }

  @Test
  void samplesAreStoredInAnyOrder() {
    assertWritten(
        RemoteMessages.write(
            series("__name__", "up", "job", "a")
                .message(2, sample(1.5, HOUR + 60_000))
                .message(2, sample(2, HOUR + 1)),
            series("__name__", "up", "job", "b").message(2, sample(-0.25, HOUR))));
    assertWritten(
        RemoteMessages.write(
            series("__name__", "up", "job", "a").message(2, sample(3, HOUR + 30_000))));

    assertThat(points("up"))
        .contains("{'1500001200001':2.0,'1500001230000':3.0,'1500001260000':1.5}")
        .contains("{'1500001200000':-0.25}");
    assertThat(api.statistics())
        .anyMatch(
            each ->
                each.metric().equals("tsd.door.points")
                    && each.value() == 4
                    && "prometheus".equals(each.tags().get("door")));
  }

  @Test
  void namesThatAreNotAllowedAreEscaped() {
    assertWritten(
        RemoteMessages.write(
            series("__name__", "a:b", "path", "/x y", "none", "").message(2, sample(1, HOUR)),
            series("__name__", "alone").message(2, sample(1, HOUR))));

    assertThat(points("U__a_3a_b")).contains("'tags':{'path':'U__/x_20_y'}");
    assertThat(points("alone")).contains("'tags':{'U__':'U__'}");
  }

  @Test
  void whatHasNoPlaceIsCountedAndSkipped() {
    double stale = Double.longBitsToDouble(WrittenSamples.STALE);
    byte[] request =
        new Fields()
            .message(
                1,
                series("__name__", "m")
                    .message(2, sample(stale, HOUR))
                    .message(2, sample(Double.NaN, HOUR + 1))
                    .message(2, sample(Double.NEGATIVE_INFINITY, HOUR + 2))
                    .message(2, sample(7, HOUR + 3))
                    .message(3, new Fields().decimal(2, 1))
                    .message(4, new Fields().number(1, 5)))
            .message(3, new Fields().number(1, 2).text(2, "m"))
            .bytes();

    assertWritten(request);
    assertThat(points("m")).contains("{'1500001200003':7.0}");
    assertThat(skipped())
        .isEqualTo(
            "[exemplar=1, infinity=1, metadata=1, nan=1, native_histogram=1, stale_marker=1]");
  }

  /** A Prometheus takes a response without any for a failure. */
  @Test
  void staleMarkersCountAsWritten() {
    double stale = Double.longBitsToDouble(WrittenSamples.STALE);
    ApiResponse response =
        post(
            "/api/v1/write",
            V2,
            RemoteMessages.write2(
                List.of(new Sample(HOUR, stale), new Sample(HOUR + 1, Double.NaN)),
                "__name__",
                "m"));

    assertThat(response.status()).isEqualTo(204);
    assertThat(response.headers()).containsEntry("X-Prometheus-Remote-Write-Samples-Written", "1");
  }

  @Test
  void refusedSamplesAreNamedAndTheOthersStored() {
    Fields many = series("__name__", "many");
    for (int i = 0; i < 9; i++) {
      many.message(1, label("l" + i, "v"));
    }
    ApiResponse response =
        write(
            RemoteMessages.write(
                many.message(2, sample(1, HOUR)),
                series("job", "nameless").message(2, sample(1, HOUR)),
                series("__name__", "m", "a", "1", "a", "2").message(2, sample(1, HOUR)),
                series("__name__", "old").message(2, sample(1, -5)),
                series("__name__", "good").message(2, sample(4, HOUR))));

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body())
        .startsWith("4 of 5 samples were not stored: ")
        .doesNotContain("\n")
        .contains("__name__=many", "tsd.storage.max_tags")
        .contains("the series {job=nameless} has no label __name__")
        .contains("a series has the label a twice")
        .contains("-5 ms");
    assertThat(points("good")).contains("{'1500001200000':4.0}");
  }

  @Test
  void prometheusRepeatsWhatAFailedStoreDidNotTake() {
    close();
    FaultPlan plan = new FaultPlan(1);
    open(new FaultyStore(new ModelStore(clock), plan), options());
    byte[] request = RemoteMessages.write(series("__name__", "m").message(2, sample(1, HOUR)));

    plan.fail(FaultPlan.Operation.MUTATE, FaultPlan.Fault.NOT_APPLIED, 1);
    assertThat(write(request).status()).isEqualTo(503);
    plan.calm();
    assertWritten(request);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-protobuf", V2})
  void theRestIsNotWrittenIfTheStoreFails(String type) {
    close();
    open(
        new ForwardingStore(new ModelStore(clock)) {
          @Override
          public void mutate(Family family, List<RowMutation> batch) {
            throw new StoreException(StoreException.Outcome.REJECTED, "the store is away");
          }
        },
        options());
    List<Sample> samples =
        IntStream.range(0, 40_000).mapToObj(i -> new Sample(HOUR + i, 0.1 * i)).toList();
    Fields series = series("__name__", "m");
    samples.forEach(each -> series.message(2, sample(each.value(), each.millis())));
    byte[] request =
        type.equals(V2)
            ? RemoteMessages.write2(samples, "__name__", "m")
            : RemoteMessages.write(series);

    try (LoggedBy log = LoggedBy.anyThread("org.hourstone.refused")) {
      assertThat(post("/api/v1/write", type, request).toString())
          .startsWith("503 8192 of 8192 samples were not stored");
      assertThat(log.messages()).isNotEmpty();
    }
  }

  /** Whatever its number of bytes. */
  @Test
  void theLaterOfTwoSamplesOfATimeCounts() {
    double[] values = {0.1, 1.5, 0.1, 2, 1e300, 0.5, 0.1};
    Map<SortedMap<String, String>, List<Sample>> expected = new HashMap<>();
    for (double value : values) {
      assertWritten(RemoteMessages.write(series("__name__", "m").message(2, sample(value, HOUR))));
      db.flush();
      clock.advance(Duration.ofMillis(1));
      expected.put(new TreeMap<>(Map.of("__name__", "m")), List.of(new Sample(HOUR, value)));
      assertThat(all("/api/v1/read")).isEqualTo(expected);
    }
    Fields series = series("__name__", "m");
    for (double value : values) {
      series.message(2, sample(value, HOUR));
    }
    assertWritten(RemoteMessages.write(series));
    assertThat(all("/api/v1/read")).isEqualTo(expected);
  }

  @Test
  void labelsMayHaveOtherFieldsBetweenThem() {
    assertWritten(
        RemoteMessages.write(
            series("__name__", "m")
                .message(2, sample(1, HOUR))
                .message(1, label("a", "b"))
                .message(2, sample(2, HOUR + 1000))));

    assertThat(points("m"))
        .contains("'tags':{'a':'b'}", "'1500001200000':1.0", "'1500001201000':2");
  }

  @Test
  void version2StoresTheSame() {
    List<Sample> samples = List.of(new Sample(HOUR, 1), new Sample(HOUR + 1, Double.NaN));
    ApiResponse response =
        post("/api/v1/write", V2, RemoteMessages.write2(samples, "__name__", "a b", "x", "y z"));

    assertThat(response.status()).isEqualTo(204);
    assertThat(response.headers())
        .containsEntry("X-Prometheus-Remote-Write-Samples-Written", "1")
        .containsEntry("X-Prometheus-Remote-Write-Histograms-Written", "0")
        .containsEntry("X-Prometheus-Remote-Write-Exemplars-Written", "0");
    assertThat(all("/api/v1/read?escaping=allow-utf-8"))
        .isEqualTo(
            Map.of(new TreeMap<>(Map.of("__name__", "a b", "x", "y z")), samples.subList(0, 1)));
  }

  /** Protobuf's lists of numbers may be in several parts, or each number by itself. */
  @Test
  void version2TakesListsInAnyForm() {
    Fields request = new Fields();
    List.of("", "__name__", "m", "a", "b").forEach(symbol -> request.text(4, symbol));
    Fields each = new Fields().number(1, 1).number(1, 2).number(1, 3).number(1, 4);
    Fields parts =
        new Fields()
            .content(1, new Fields().raw(1).bytes())
            .content(1, new Fields().raw(2).raw(3).bytes())
            .number(1, 4);
    request.message(5, each.message(2, sample(1, HOUR)));
    request.message(5, parts.message(2, sample(2, HOUR + 1)));

    assertThat(post("/api/v1/write", V2, request.bytes()).toString()).startsWith("204");
    assertThat(all("/api/v1/read"))
        .isEqualTo(
            Map.of(
                new TreeMap<>(Map.of("__name__", "m", "a", "b")),
                List.of(new Sample(HOUR, 1), new Sample(HOUR + 1, 2))));
  }

  @Test
  void version2SaysHowMuchWasStoredIfTheRestCantBeRead() {
    byte[] whole = RemoteMessages.write2(List.of(new Sample(HOUR, 1)), "__name__", "m");
    byte[] broken = new Fields().message(5, new Fields().number(1, 9)).bytes();
    byte[] request = Arrays.copyOf(whole, whole.length + broken.length);
    System.arraycopy(broken, 0, request, whole.length, broken.length);

    ApiResponse response = post("/api/v1/write", V2, request);

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("1 samples before that were stored");
    assertThat(response.headers()).containsEntry("X-Prometheus-Remote-Write-Samples-Written", "1");
  }

  @Test
  void aRequestThatWouldTakeMuchMemoryIsRefused() {
    Fields symbols = new Fields();
    for (int i = 0; i <= 1 << 20; i++) {
      symbols.text(4, "");
    }
    assertThat(post("/api/v1/write", V2, symbols.bytes()).toString())
        .startsWith("400 ")
        .contains("more than 1048576 symbols");

    byte[] labels =
        RemoteMessages.write(
            series("__name__", "m", "a", " ".repeat(70_000)).message(2, sample(1, HOUR)),
            series("__name__", "good").message(2, sample(1, HOUR)));
    assertThat(write(labels).toString())
        .startsWith("400 ")
        .contains("labels of 70026 bytes, more than 65536");
    assertThat(points("good")).contains("1.0");
  }

  @Test
  void version2WithManyLabelsTakesLittleMemory() {
    Fields request = new Fields().text(4, "").text(4, "__name__").text(4, "m").text(4, "l");
    for (int i = 0; i < 300; i++) {
      request.text(4, "x".repeat(8000) + i);
    }
    for (int i = 0; i < 300; i++) {
      byte[] labels = new Fields().raw(1).raw(2).raw(3).raw(4 + i).bytes();
      request.message(5, new Fields().content(1, labels).message(2, sample(i, HOUR)));
    }

    assertThat(post("/api/v1/write", V2, request.bytes()).status()).isEqualTo(204);
    assertThat(all("/api/v1/read")).hasSize(300);

    Fields amplified =
        new Fields().text(4, "").text(4, "__name__").text(4, "m").text(4, "x".repeat(200_000));
    byte[] twice = new Fields().raw(1).raw(2).raw(3).raw(3).bytes();
    amplified.message(5, new Fields().content(1, twice).message(2, sample(1, HOUR)));
    byte[] good = new Fields().raw(1).raw(2).bytes();
    amplified.message(5, new Fields().content(1, good).message(2, sample(7, HOUR)));
    assertThat(post("/api/v1/write", V2, amplified.bytes()).body())
        .contains("a series has labels of 400027 bytes, more than 65536");
    assertThat(points("m")).as("the other series").contains("7.0");
  }

  @Test
  void version2DoesNotCopyTheLabelsOfSeriesWithoutEnd() {
    Fields request =
        new Fields()
            .text(4, "")
            .text(4, "__name__")
            .text(4, "m")
            .text(4, "l")
            .text(4, "x".repeat(60_000));
    byte[] labels = new Fields().raw(1).raw(2).raw(3).raw(4).bytes();
    for (int i = 0; i < 1000; i++) {
      request.message(5, new Fields().content(1, labels));
    }
    assertThat(post("/api/v1/write", V2, request.bytes()).status())
        .as("without samples nothing is copied")
        .isEqualTo(204);

    for (int i = 0; i < 1000; i++) {
      request.message(5, new Fields().content(1, labels).message(2, sample(i, HOUR)));
    }
    assertThat(post("/api/v1/write", V2, request.bytes()).toString())
        .startsWith("400 ")
        .contains("more than 100 times as many bytes as the request");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json                                       | 415",
        "application/x-protobuf;proto=io.prometheus.write.v3.Request | 415",
        "application/x-protobuf; proto=prometheus.WriteRequest  | 204",
        "application/x-protobuf                                 | 204",
      })
  void onlyKnownMessagesAreTaken(String type, int status) {
    byte[] request = RemoteMessages.write(series("__name__", "m").message(2, sample(1, HOUR)));
    ApiResponse response = post("/api/v1/write", type, request);
    assertThat(response.status()).isEqualTo(status);
    if (status == 415) {
      assertThat(response.body()).contains(type, "io.prometheus.write.v2.Request");
    }
  }

  /** It has no field that the other one reads, so nothing would be stored, and all acknowledged. */
  @Test
  void theMessageOfAnotherVersionIsRefused() {
    byte[] one = RemoteMessages.write(series("__name__", "m").message(2, sample(1, HOUR)));
    byte[] two = RemoteMessages.write2(List.of(new Sample(HOUR, 1)), "__name__", "m");

    for (ApiResponse response :
        List.of(post("/api/v1/write", V2, one), post("/api/v1/write", "", two))) {
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.body()).contains("it is of remote write ", "Content-Type");
    }
    assertThat(post("/api/v1/write", V2, two).status()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", V2, "read"})
  void anyBytesAreAnswered(String kind) {
    Random random = new Random(7);
    byte[] valid =
        switch (kind) {
          case V2 -> RemoteMessages.write2(List.of(new Sample(HOUR, 1)), "__name__", "m", "a", "b");
          case "read" ->
              RemoteMessages.read(
                  RemoteMessages.query(
                      HOUR,
                      HOUR + 1,
                      RemoteMessages.matcher(LabelMatcher.Type.RE, "__name__", "m|n.*(a){2}")));
          default ->
              RemoteMessages.write(
                  series("__name__", "m", "a", "b").message(2, sample(1, HOUR)),
                  series("__name__", "m", "a", "ü").message(2, sample(1, HOUR)));
        };
    String uri = kind.equals("read") ? "/api/v1/read" : "/api/v1/write";
    for (int i = 0; i < 3000; i++) {
      byte[] changed = Arrays.copyOf(valid, random.nextInt(valid.length + 3));
      for (int k = random.nextInt(4); k > 0 && changed.length > 0; k--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      try (ApiResponse response = post(uri, kind.equals("read") ? "" : kind, changed)) {
        assertThat(response.status()).as("%d: %s", i, response).isIn(200, 204, 400);
        if (response.status() == 400) {
          assertThat(response.body()).isNotBlank();
        }
      }
    }
  }

  @Test
  void aRequestThatIsCutOffSaysWhatWasStored() {
    byte[] whole =
        RemoteMessages.write(
            series("__name__", "m").message(2, sample(1, HOUR)),
            series("__name__", "n").message(2, sample(1, HOUR)));

    ApiResponse response = write(Arrays.copyOf(whole, whole.length - 3));

    assertThat(response.status()).isEqualTo(400);
    assertThat(response.body()).contains("longer than its message", "1 samples before that");
    assertThat(points("m")).contains("1.0");
  }

  @Test
  void strictModeHasNoSuchPaths() {
    close();
    open(new ModelStore(clock), TsdbOptions.openTsdbDefaults().withClock(clock));

    assertThat(write(new byte[0]).status()).isEqualTo(404);
    assertThat(post("/api/v1/read", "", new byte[0]).status()).isEqualTo(404);
  }
}
