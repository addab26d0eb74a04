package org.hourstone.api.put;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.Api;
import org.hourstone.api.ApiUpload;
import org.hourstone.api.StoredCells;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.hourstone.error.RequestException;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.write.Receipt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A body that arrives in parts has the effects and the response of a body that is held whole. */
class StreamedPutTest {
  private static final int RANDOM = Integer.getInteger("bodies.random", 20_000) / 10;

  private final ModelStore store = new ModelStore(PutScannerTest.clock());
  private final Tsdb db = PutScannerTest.open(store, TsdbOptions.defaults());
  private final PutEndpoint endpoint =
      new PutEndpoint(new PlainPuts(db, ApiOptions.of(db).defaultTag()), ApiOptions.of(db));

  @AfterEach
  void close() {
    db.close();
  }

  /** Never settles a point. */
  private record Silent() implements PutKind {
    @Override
    public Set<String> fields() {
      return Set.of();
    }

    @Override
    public void put(
        PutPoint point, String metric, Map<String, String> tags, Receipt receipt, long token) {}
  }

  private static ApiCall call(String parameters) {
    return ApiCall.of("POST", "/api/put?" + parameters, "");
  }

  private static void add(StreamedPut put, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    put.add(bytes, 0, bytes.length);
  }

  private static String point(int i) {
    return "{\"metric\":\"m\",\"timestamp\":%d,\"value\":%d,\"tags\":{\"host\":\"a\"}}"
        .formatted(1_500_000_000 + i, i);
  }

  private static String points(int count) {
    List<String> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      points.add(point(i));
    }
    return String.join(",", points);
  }

  private static void assertRefused(ThrowingCallable call, int status, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.status() + e.getMessage()).contains(message))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.status()).isEqualTo(status));
  }

  /** What can't be points takes many times more memory than its text. */
  @Test
  void aBodyOfManyEmptyPointsIsRefused() {
    for (String empty : List.of("{}", "null", "{\"metric\":[]}")) {
      String few = "[" + (empty + ",").repeat(999) + empty + "]";
      String many = "[" + (empty + ",").repeat(100_000) + empty + "]";

      assertThat(PutScannerTest.respond(endpoint, call("summary").withBody(few)))
          .contains("\"failed\":1000");
      assertRefused(
          () -> endpoint.respond(call("summary").withBody(many)),
          413,
          "data points, which have less than 32 bytes each");
    }
  }

  @Test
  void anyBodyHasTheEffectsAndTheResponseOfOneThatIsHeld() {
    ModelStore held = new ModelStore(PutScannerTest.clock());
    ModelStore cut = new ModelStore(PutScannerTest.clock());
    int faults = 0;
    try (Tsdb whole = PutScannerTest.open(held, TsdbOptions.defaults());
        Tsdb ofFaulty = PutScannerTest.open(cut, TsdbOptions.defaults())) {
      PutEndpoint holding =
          new PutEndpoint(
              new PlainPuts(whole, ApiOptions.of(whole).defaultTag()), ApiOptions.of(whole));
      PutEndpoint faulty =
          new PutEndpoint(
              new PlainPuts(ofFaulty, ApiOptions.of(ofFaulty).defaultTag()),
              ApiOptions.of(ofFaulty));
      Random random = new Random(6);
      for (int i = 0; i < RANDOM; i++) {
        byte[] body = body(random, i);
        String parameters = random.nextBoolean() ? "details" : "summary&sync";
        ApiCall call = call(parameters).withBody(new String(body, UTF_8));
        String expected = PutScannerTest.respond(holding, call);
        boolean isFault = expected.startsWith("400") && !expected.contains("\"success\"");
        faults += isFault ? 1 : 0;
        long before = ofFaulty.writer().stats().stored();
        StreamedPut put = (isFault ? faulty : endpoint).begin(call, 500 + random.nextInt(500));
        String actual = streamed(put, body, random);

        if (isFault) {
          long stored = ofFaulty.writer().stats().stored() - before;
          // Of what is not closed a part may be too large for a point.
          assertThat(actual).as(call.body()).containsPattern("^4(00|13)").doesNotContain("success");
          assertThat(actual.contains(stored + " points before that were stored"))
              .as("%s: %s says that %d were stored", call.body(), actual, stored)
              .isEqualTo(stored > 0 || actual.contains("points before"));
        } else {
          assertThat(actual).as(call.body()).isEqualTo(expected);
        }
      }
    }
    assertThat(faults).isBetween(RANDOM / 20, RANDOM / 2);
    assertThat(StoredCells.of(store)).isEqualTo(StoredCells.of(held)).hasSizeGreaterThan(RANDOM);
  }

  private static String streamed(StreamedPut put, byte[] body, Random random) {
    try {
      for (int from = 0; from < body.length; ) {
        int to = Math.min(body.length, from + 1 + random.nextInt(random.nextBoolean() ? 5 : 700));
        put.add(body, from, to);
        from = to;
      }
      ApiResponse response = put.response();
      return response.status() + response.body();
    } catch (ApiException e) {
      return e.status() + e.getMessage() + e.details();
    } catch (RequestException e) {
      return e.toString();
    }
  }

  /** Times differ, as in {@link PutScannerTest}. */
  private static byte[] body(Random random, int number) {
    int count = 1 + random.nextInt(25);
    List<String> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int time = 1_500_000_000 + number * 25 + i;
      points.add(random.nextInt(10) == 0 ? odd(random, time) : PutScannerTest.point(random, time));
    }
    boolean single = random.nextInt(10) == 0;
    String body =
        " \n\t".repeat(random.nextInt(10) == 0 ? 300 : 0)
            + (single ? points.get(0) : PutScannerTest.listed(random, points))
            + (random.nextInt(8) == 0 ? " ,]}\"x".repeat(random.nextInt(200)) : "");
    byte[] bytes =
        (random.nextInt(3) > 0 ? body : PutScannerTest.mutated(body, random)).getBytes(UTF_8);
    if (random.nextInt(20) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static String odd(Random random, int time) {
    String shape =
        switch (random.nextInt(8)) {
          case 0 -> "null";
          case 5 -> "[{'metric':[%d,'],[']}]";
          case 6 -> "%d";
          case 7 -> "{'metric':'m','timestamp':[%d],'value':{'x':[{}]},'tags':['a']}";
          case 1 -> "{'metric':'\u20ac\\'],[{','timestamp':%d,'value':1,'tags':{'h':'\u00e9'}}";
          case 2 ->
              "{'x':[{'y':[1,',]}',{}],'z':null}],'metric':'m','timestamp':%d,'value':'2',"
                  + "'tags':{'host':'a\\u0062'}}";
          case 3 -> "{'metric':'m\\\\','timestamp':%d,'value':NaN,'tags':{'host':'a'}}";
          default -> "{'metric':'m','timestamp':'%d','value':1.50,'tags':{'host':null}}";
        };
    return shape.formatted(time).replace('\'', '"');
  }

  @Test
  void aFaultAtTheEndTellsHowManyPointsAreStored() {
    StreamedPut put = endpoint.begin(call(""), 1_000);
    add(put, "[" + points(100));

    assertRefused(put::response, 400, "Unable to parse the given JSON; 9");
    assertThat(put.explained(new ApiException(400, "why")).getMessage())
        .isEqualTo("why; " + stored() + " points before that were stored");
    assertThat(stored()).isBetween(90L, 99L);
  }

  @Test
  void thePlaceOfAFaultIsCountedFromAPointThatIsNamed() {
    String body = "[" + points(100) + ",\n  {\"metric\":x}]";
    StreamedPut put = endpoint.begin(call(""), 1_000);
    add(put, body);

    assertThatThrownBy(put::response)
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              Matcher place =
                  Pattern.compile(
                          ".*\\(line 2, column 13\\), counted from the comma before data point"
                              + " (\\d+)",
                          Pattern.DOTALL)
                      .matcher(e.details());
              assertThat(place.matches()).as(e.details()).isTrue();
              assertThat(Long.parseLong(place.group(1))).isEqualTo(stored() + 1);
            });
  }

  private long stored() {
    return db.writer().stats().stored();
  }

  @Test
  void nothingOfAFaultyBodyThatFitsIntoABlockIsStored() {
    String body = "[" + points(5) + ",]";
    StreamedPut put = endpoint.begin(call(""), body.length());
    add(put, body);

    assertRefused(put::response, 400, "Unable to parse the given JSON");
    assertThat(stored()).isZero();
  }

  @Test
  void aMissingPointIsAFaultWhereverTheBodyIsCut() {
    for (String fault : List.of(",]", " , ]", ",,", ",]x", "")) {
      for (int block = 100; block < 420; block++) {
        StreamedPut put = endpoint.begin(call(""), block);
        String body = "[" + points(4) + fault + (fault.equals(",,") ? point(5) + "]" : "");

        assertRefused(
            () -> {
              add(put, body);
              put.response();
            },
            400,
            "Unable to parse the given JSON");
      }
    }
  }

  @Test
  void textAfterTheValueIsRefused() {
    for (String body : List.of("[" + points(5) + "]", point(0))) {
      for (String rest : List.of("[{".repeat(1_000), "x", ",", "]", "0", "\"", "null")) {
        StreamedPut put = endpoint.begin(call("summary"), 500);

        assertRefused(
            () -> {
              add(put, body + " " + rest);
              put.response();
            },
            400,
            "");
      }
    }
  }

  @Test
  void valuesOneAfterTheOtherAreStoredWhereverTheBodyIsCut() {
    String lines = points(6).replace("},{", "}\n{");
    for (String body : List.of(lines, lines + "\n", "\uFEFF" + lines, "[]" + lines, lines + "[]")) {
      for (int block = 100; block < 700; block += 7) {
        StreamedPut put = endpoint.begin(call("summary"), block);
        add(put, body);

        assertThat(put.response().body()).isEqualTo("{\"success\":6,\"failed\":0}");
      }
    }
  }

  /** A point is refused as too large whatever it is cut behind. */
  @Test
  void aLargePointIsCutAnywhere() {
    StringBuilder tags = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      tags.append(i == 0 ? "" : ",").append("\"k").append(i).append("\":\"\u00e9\"");
    }
    String body = point(0).replace("\"host\":\"a\"", tags.toString());
    for (int block = 100; block < 300; block++) {
      StreamedPut put = endpoint.begin(call(""), block);

      assertRefused(() -> add(put, body), 413, "A data point has more than " + block + " bytes");
    }
  }

  @Test
  void aMemberWithANameLargerThanABlockIsTooLarge() {
    StreamedPut put = endpoint.begin(call(""), 100_000);

    assertRefused(
        () -> add(put, "[{\"" + "x".repeat(100_001)),
        413,
        "A data point has more than 100000 bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[{\"x\":\"", "{\"x\":\"", "[1,{]", "[{\"x\" 1", "nothing", "   "})
  void aPointLargerThanABlockIsRefusedUnlessItIsFaulty(String begin) {
    StreamedPut put = endpoint.begin(call(""), 1_000);
    boolean isText = begin.endsWith("\"");

    assertRefused(
        () -> {
          add(put, begin + (isText ? "x" : " ").repeat(1_001));
          put.response();
        },
        isText ? 413 : 400,
        isText ? "A data point has more than 1000 bytes" : "");
  }

  @Test
  void noMoreThanABlockIsHeld() {
    StreamedPut put = endpoint.begin(call("summary"), 1_000);
    byte[] body = ("[" + points(1_000) + "]").getBytes(UTF_8);
    long most = 0;
    for (int from = 0; from < body.length; from += 77) {
      put.add(body, from, Math.min(body.length, from + 77));
      most = Math.max(most, put.heldBytes());
    }

    assertThat(put.response().body()).isEqualTo("{\"success\":1000,\"failed\":0}");
    assertThat(most).isBetween(1_000L, 1_001L);
  }

  @Test
  void errorsBeyondAnAmountAreCountedOnly() {
    StreamedPut put = endpoint.begin(call("details"), 10_000);
    String bad = point(1).replace("\"m\"", "\"\"");
    add(put, "[" + (bad + ",").repeat(20_000) + point(2) + "]");

    ApiResponse response = put.response();

    assertThat(put.heldBytes()).isLessThan(2 << 20);
    String body = response.body();
    int listed = body.split("Metric name was empty", -1).length - 1;
    assertThat(body)
        .startsWith("{\"success\":1,\"failed\":20000,\"unlisted\":" + (20_000 - listed) + ",");
    assertThat(listed).isPositive();
  }

  @Test
  void pointsThatAreNotSettledInTimeAreCountedOverAllBlocks() {
    StreamedPut put =
        new PutEndpoint(new Silent(), ApiOptions.of(db))
            .begin(call("summary&sync&sync_timeout=1"), 1_000);
    add(put, "[" + points(50) + "]");

    assertThat(put.response().body()).isEqualTo("{\"success\":0,\"timeouts\":50,\"failed\":0}");
  }

  @Test
  void aRequestIsRefusedBeforeItsBodyHasArrived() {
    Api api = new Api(db);
    byte[] begin = "[".getBytes(UTF_8);

    assertThat(upload(api, "PUT", "/api/put", Role.all()).add(begin, 0, 1))
        .isEqualTo(api.respond(ApiCall.of("PUT", "/api/put", "[")));
    assertThat(upload(api, "POST", "/api/put", Set.of(Role.READ)).add(begin, 0, 1))
        .isEqualTo(api.respond("POST", "/api/put", "[", new Disconnection(), Set.of(Role.READ)));
    assertThat(upload(api, "POST", "/api/histogram", Role.all()).add(begin, 0, 1))
        .isEqualTo(api.respond(ApiCall.of("POST", "/api/histogram", "[")));
  }

  private static ApiUpload upload(Api api, String method, String uri, Set<Role> roles) {
    return api.upload(method, uri, new Disconnection(), roles);
  }

  @Test
  void aSmallUploadHasTheResponseOfTheWholeBody() {
    Api api = new Api(db);
    byte[] body = ("[" + points(5) + "," + point(1).replace(":1,", ":{},,") + "]").getBytes(UTF_8);
    ApiUpload upload = upload(api, "POST", "/api/put?details&jsonp=f", Role.all());
    for (int i = 0; i < body.length; i++) {
      assertThat(upload.add(body, i, i + 1)).isNull();
    }

    assertThat(upload.end())
        .isEqualTo(
            api.respond(ApiCall.of("POST", "/api/put?details&jsonp=f", new String(body, UTF_8))));
    assertThat(stored()).isZero();
  }

  @Test
  void onlyPointsAreTakenInPartsAndNotInStrictMode() {
    Api api = new Api(db);
    assertThat(Arrays.asList("/api/put?sync", "/api/v1/put", "/api/rollup", "/api/histogram"))
        .allMatch(api::takesParts);
    assertThat(Arrays.asList("/api/query", "/api/annotation/bulk", "/nowhere"))
        .noneMatch(api::takesParts);
    try (Tsdb strict =
        PutScannerTest.open(
            new ModelStore(PutScannerTest.clock()), TsdbOptions.openTsdbDefaults())) {
      assertThat(new Api(strict).takesParts("/api/put")).isFalse();
    }
  }
}
