package org.hourstone.api.put;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.api.StoredCells;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.error.TsdbException;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.ModelStore;
import org.hourstone.write.Receipt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A put body that is scanned means what it means when it is parsed. */
public class PutScannerTest {
  private static final int RANDOM = Integer.getInteger("bodies.random", 20_000);
  private static final String POINT =
      "{\"metric\":\"m\",\"timestamp\":1500001200,\"value\":1,\"tags\":{\"host\":\"a\"}}";

  private static final PutReader READER =
      new PutReader(Set.of(), BodyDialect.HOURSTONE, ZoneOffset.UTC);

  /** Plain points that no batch takes. */
  private record WithoutBatch(PlainPuts puts) implements PutKind {
    @Override
    public Set<String> fields() {
      return puts.fields();
    }

    @Override
    public void put(
        PutPoint point, String metric, Map<String, String> tags, Receipt receipt, long token) {
      puts.put(point, metric, tags, receipt, token);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        POINT,
        "[" + POINT + "]",
        "[" + POINT + "," + POINT + "]",
        " [ " + POINT + " ,\n\t" + POINT + "\r] ",
        POINT + "\n" + POINT + "\n",
        "[" + POINT + "][" + POINT + "," + POINT + "]" + POINT,
        "\uFEFF" + POINT,
        "{\"tags\":{},\"value\":\"\",\"timestamp\":\"0\",\"metric\":\"\"}",
        "{\"tags\":{\"a\":\"b\",\"c\":\"c\"},\"value\":-1.5e+3,\"timestamp\":1,\"metric\":\"a b\"}",
      })
  void usualBodiesAreScanned(String body) {
    assertThat(scan(body)).isEqualTo(READER.read(body, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "[" + POINT,
        "[" + POINT + ",]",
        "[" + POINT + "] is not all",
        POINT + "," + POINT,
        POINT + "\n[]",
        "\uFEFF\uFEFF" + POINT,
        "[" + POINT + " " + POINT + "]",
        "[" + POINT + ",null]",
        "[[" + POINT + "]]",
        "{}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":1}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"},\"more\":1}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"value\":2,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":01,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":NaN,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":1.,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":true,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":1.5,\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":-1,\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":\"soon\",\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":9999999999999999999,\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":1}}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\",\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\",}}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":1,\"tags\":[]}",
        "{\"metric\":\"\\u006d\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"\u00e9\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\",\"timestamp\":1,\"value\":\"a\\9,\"tags\":{\"a\":\"b\"}}",
        "{\"metric\":\"m\n\",\"timestamp\":1,\"value\":1,\"tags\":{\"a\":\"b\"}}",
      })
  void othersAreLeftToTheParser(String body) {
    assertThat(scan(body)).isNull();
  }

  @Test
  void textsThatAreTooLongAreLeftToTheParser() {
    String text = "a".repeat(513) + "9";
    for (String body :
        List.of(POINT.replace("1,\"tags", "\"" + text + ",\"tags"), POINT.replace("m\"", text))) {
      assertThat(scan(body)).as(body).isNull();
    }
  }

  @Test
  void anyBodyThatIsScannedIsParsedToTheSame() {
    Random random = new Random(4);
    int scans = 0;
    for (int i = 0; i < RANDOM; i++) {
      String body = body(random, i);
      List<@Nullable PutPoint> scanned = scan(body);
      if (scanned != null) {
        assertThat(scanned).as(body).isEqualTo(READER.read(body, 0));
        scans++;
      }
    }
    assertThat(scans).isBetween(RANDOM / 4, RANDOM * 9 / 10);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anyBodyHasTheEffectsAndTheAnswerOfItsParsedPoints(boolean strict) {
    TsdbOptions options = strict ? TsdbOptions.openTsdbDefaults() : TsdbOptions.defaults();
    ModelStore store = new ModelStore(clock());
    ModelStore other = new ModelStore(clock());
    try (Tsdb db = open(store, options);
        Tsdb parsed = open(other, options)) {
      PutEndpoint scanning =
          new PutEndpoint(new PlainPuts(db, ApiOptions.of(db).defaultTag()), ApiOptions.of(db));
      PutEndpoint parsing =
          new PutEndpoint(
              new WithoutBatch(new PlainPuts(parsed, ApiOptions.of(parsed).defaultTag())),
              ApiOptions.of(parsed));
      Random random = new Random(5);
      for (int i = 0; i < RANDOM / 10; i++) {
        String body = body(random, i);
        ApiCall call = ApiCall.of("POST", "/api/put?details", body);
        assertThat(respond(scanning, call)).as(body).isEqualTo(respond(parsing, call));
      }
    }
    assertThat(StoredCells.of(store))
        .isEqualTo(StoredCells.of(other))
        .hasSizeGreaterThan(RANDOM / 10);
  }

  private static @Nullable ScannedPuts scan(String body) {
    byte[] utf8 = body.getBytes(UTF_8);
    if (!new String(utf8, UTF_8).equals(body)) {
      return null; // half a character
    }
    return PutScanner.scan(utf8, utf8.length, null, BodyDialect.HOURSTONE);
  }

  public static ManualClock clock() {
    return new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  }

  public static Tsdb open(ModelStore store, TsdbOptions options) {
    return Tsdb.over(
        store,
        options
            .with(Settings.COMPACTION_BACKGROUND, "false")
            .with(Settings.WRITE_PACKS, "false")
            .with(Settings.AUTO_CREATE_METRICS, "true"));
  }

  static String respond(PutEndpoint endpoint, ApiCall call) {
    try {
      ApiResponse response = endpoint.respond(call);
      return response.status() + response.body();
    } catch (ApiException e) {
      return e.status() + e.getMessage() + e.details();
    } catch (TsdbException e) {
      return e.toString();
    }
  }

  /** Times differ: which of two points of one time is kept depends on when they are written. */
  private static String body(Random random, int number) {
    int count = 1 + random.nextInt(4);
    List<String> points = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      points.add(point(random, 1_500_000_000 + number * 4 + i));
    }
    String body = count == 1 && random.nextBoolean() ? points.get(0) : listed(random, points);
    return random.nextInt(3) > 0 ? body : mutated(body, random);
  }

  /** An array of points, or several, or points one after the other. */
  static String listed(Random random, List<String> points) {
    int shape = random.nextInt(10);
    String comma = blank(random) + "," + blank(random);
    if (shape > 1) {
      return "[" + String.join(comma, points) + "]";
    }
    int first = random.nextInt(points.size());
    return shape == 0
        ? String.join(blank(random) + "\n", points)
        : "["
            + String.join(comma, points.subList(0, first))
            + "]"
            + blank(random)
            + "["
            + String.join(comma, points.subList(first, points.size()))
            + "]";
  }

  static String point(Random random, int time) {
    String metric = random.nextInt(20) == 0 ? "bad metric" : "sys.cpu" + random.nextInt(3);
    List<String> fields =
        new ArrayList<>(
            List.of(
                "\"metric\":" + blank(random) + "\"" + metric + "\"",
                "\"timestamp\":" + quoted(random, Integer.toString(time)),
                "\"value\":" + quoted(random, value(random)),
                "\"tags\":" + blank(random) + "{" + tags(random) + "}"));
    if (random.nextInt(4) == 0) {
      Collections.shuffle(fields, random);
    }
    if (random.nextInt(20) == 0) {
      fields.remove(random.nextInt(4));
    }
    return "{" + String.join(blank(random) + "," + blank(random), fields) + blank(random) + "}";
  }

  private static String value(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> Double.toString(random.nextGaussian());
      case 1 -> "1e" + random.nextInt(400);
      case 2 -> Long.toString(random.nextLong());
      case 3 -> "-0.0";
      case 4 -> random.nextInt(100) + "." + random.nextInt(100);
      default -> Integer.toString(random.nextInt(1000) - 500);
    };
  }

  private static String quoted(Random random, String number) {
    return blank(random) + (random.nextInt(5) == 0 ? "\"" + number + "\"" : number);
  }

  private static String tags(Random random) {
    String host = "\"host\":\"web" + random.nextInt(5) + "\"";
    return switch (random.nextInt(6)) {
      case 0 -> host + "," + blank(random) + "\"dc\":\"lga\"";
      case 1 -> "\"dc\":\"lga\"," + host;
      case 2 -> random.nextInt(4) == 0 ? "" : host;
      default -> host;
    };
  }

  static String blank(Random random) {
    return random.nextInt(20) == 0 ? " \n" : "";
  }

  static String mutated(String body, Random random) {
    int at = random.nextInt(body.length());
    char inserted = "\"\\{}[],: 0-.eE?nN\u00e9\u0000\ud800\n".charAt(random.nextInt(21));
    return random.nextBoolean()
        ? body.substring(0, at) + inserted + body.substring(at)
        : body.substring(0, at) + body.substring(at + 1);
  }
}
