package org.hourstone.api.prometheus;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hourstone.api.prometheus.RemoteMessages.matcher;
import static org.hourstone.api.prometheus.RemoteMessages.query;
import static org.hourstone.api.prometheus.RemoteMessages.sample;
import static org.hourstone.api.prometheus.RemoteMessages.series;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hourstone.QuerySettings;
import org.hourstone.TsdbOptions;
import org.hourstone.api.prometheus.RemoteMessages.Fields;
import org.hourstone.api.prometheus.RemoteMessages.Sample;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.testkit.store.ModelStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Remote read gives the series that Prometheus' matchers select, with all of their samples. */
class RemoteReadTest extends RemoteStorageCase {
  private static final String[] NAMES = {"m", "m:n", "ma", "a b", "U__x", "ü", "_"};
  private static final String[] LABELS = {"a", "b_c", "le", "ünder", "d.e"};
  private static final String[] VALUES = {
    "x", "y", "xy", "/a b", "U__", "U__20", "+Inf", "Ü", "", "a|b", "\uD83D\uDE00", "_", "line\nend"
  };
  private static final String[] REGEXES = {
    "x",
    "x|y",
    ".*",
    ".+",
    "",
    "x.*",
    "[xy]+",
    "(?i)XY|ü",
    "x|",
    "[[:alpha:]]+",
    "/a.*",
    "a\\|b",
    ".",
    "U__.*",
    "^x$",
    "(x|y)*",
    "line.end",
    "\\PL*",
    "[x-y]{1,2}",
    "(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12})?x{1}"
  };

  private void put(String point) {
    db.putLine("put " + point).join();
  }

  private Map<SortedMap<String, String>, List<Sample>> read(
      LabelMatcher.Type type, String name, String value) {
    byte[] request = RemoteMessages.read(query(0, Long.MAX_VALUE, matcher(type, name, value)));
    return read("/api/v1/read", request).get(0);
  }

  private static SortedMap<String, String> labels(String... namesAndValues) {
    SortedMap<String, String> labels = new TreeMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      labels.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return labels;
  }

  @Test
  void bothEndsOfTheRangeAreInclusive() {
    assertWritten(
        RemoteMessages.write(
            series("__name__", "m")
                .message(2, sample(1, HOUR))
                .message(2, sample(2, HOUR + 1))
                .message(2, sample(3, HOUR + 2000))));
    Fields m = matcher(LabelMatcher.Type.EQ, "__name__", "m");
    SortedMap<String, String> series = labels("__name__", "m");

    assertThat(
            read(
                "/api/v1/read",
                RemoteMessages.read(
                    query(HOUR, HOUR + 2000, m),
                    query(HOUR + 1, HOUR + 1, m),
                    query(HOUR + 2, HOUR + 1999, m),
                    query(-1, HOUR, m),
                    query(5, 4, m))))
        .containsExactly(
            Map.of(
                series,
                List.of(new Sample(HOUR, 1), new Sample(HOUR + 1, 2), new Sample(HOUR + 2000, 3))),
            Map.of(series, List.of(new Sample(HOUR + 1, 2))),
            Map.of(),
            Map.of(series, List.of(new Sample(HOUR, 1))),
            Map.of());
  }

  @Test
  void whatOpenTsdbsClientsWroteIsReadInNamesThatPrometheusTakes() {
    put("sys.cpu-user 1500001200 42 host=web01.lga dc.name=x");
    SortedMap<String, String> escaped =
        labels("__name__", "U__sys_2e_cpu_2d_user", "U__dc_2e_name", "x", "host", "web01.lga");
    List<Sample> samples = List.of(new Sample(HOUR, 42));

    assertThat(read(LabelMatcher.Type.EQ, "__name__", "sys.cpu-user"))
        .isEqualTo(Map.of(escaped, samples));
    assertThat(read(LabelMatcher.Type.EQ, "__name__", "U__sys_2e_cpu_2d_user")).hasSize(1);
    assertThat(read(LabelMatcher.Type.RE, "__name__", "sys[.].*")).hasSize(1);
    assertThat(read(LabelMatcher.Type.EQ, "U__dc_2e_name", "x")).hasSize(1);
    assertThat(read(LabelMatcher.Type.EQ, "dc.name", "x")).hasSize(1);
    assertThat(all("/api/v1/read?escaping=allow-utf-8"))
        .isEqualTo(
            Map.of(
                labels("__name__", "sys.cpu-user", "dc.name", "x", "host", "web01.lga"), samples));
  }

  @Test
  void aTagThatIsCalledAsTheLabelOfTheMetricIsEscaped() {
    put("m 1500001200 1 __name__=other host=a");
    put("m 1500001200 2 host=b");

    assertThat(read(LabelMatcher.Type.EQ, "__name__", "m"))
        .isEqualTo(
            Map.of(
                labels("__name__", "m", "U______name____", "other", "host", "a"),
                List.of(new Sample(HOUR, 1)),
                labels("__name__", "m", "host", "b"),
                List.of(new Sample(HOUR, 2))));
    assertThat(read(LabelMatcher.Type.EQ, "U______name____", "other")).hasSize(1);
    assertThat(read(LabelMatcher.Type.EQ, "__name__", "other")).isEmpty();
  }

  /** Which Java needs exponential time for, but Prometheus does not. */
  @Test
  void anyRegexTakesLittleTime() {
    put("m 1500001200 1 host=" + "a".repeat(200));

    assertThat(read(LabelMatcher.Type.RE, "host", "(a|aa)+b")).isEmpty();
    assertThat(read(LabelMatcher.Type.RE, "host", "(.*.*.*.*.*.*.*.*)+b|(a*)*")).hasSize(1);
  }

  /** As those of dashboards that list all that was chosen. */
  @Test
  void aRegexMayHaveManyAlternatives() {
    put("m 1500001200 1 host=h7");
    String hosts = IntStream.range(0, 10_000).mapToObj(i -> "h" + i).collect(joining("|"));
    for (String regex : List.of(hosts, hosts.replace("7|", "7.*|"), hosts.replace("h", "(?:h)"))) {
      assertThat(read(LabelMatcher.Type.RE, "host", regex)).hasSize(1);
      assertThat(read(LabelMatcher.Type.NRE, "host", regex)).isEmpty();
    }
  }

  @Test
  void anyRangeCanBeRead() {
    put("m 1500001200 1 host=a");
    long[] times = {
      Long.MIN_VALUE, -9223309901257974L, -1, 0, HOUR, 9223309901257974L, Long.MAX_VALUE
    };
    for (long start : times) {
      for (long end : times) {
        byte[] request =
            RemoteMessages.read(query(start, end, matcher(LabelMatcher.Type.EQ, "host", "a")));
        assertThat(read("/api/v1/read", request).get(0))
            .as("%d to %d", start, end)
            .hasSize(start <= HOUR && end >= HOUR ? 1 : 0);
      }
    }
  }

  @Test
  void integersAndDecimalsAreReadTogether() {
    put("m 1500001200 42 host=a");
    put("m 1500001201500 0.1 host=a");
    put("m 1500004800 9007199254740993 host=a");

    assertThat(read(LabelMatcher.Type.EQ, "host", "a").values())
        .containsExactly(
            List.of(
                new Sample(HOUR, 42),
                new Sample(HOUR + 1500, 0.1),
                new Sample(HOUR + 3_600_000, 9007199254740992.0)));
  }

  @Test
  void manySamplesAreCompressedInPieces() {
    Fields series = series("__name__", "m");
    List<Sample> samples =
        IntStream.range(0, 20_000).mapToObj(i -> new Sample(HOUR + i * 1000L, i / 3.0)).toList();
    samples.forEach(each -> series.message(2, sample(each.value(), each.millis())));
    assertWritten(RemoteMessages.write(series));

    assertThat(read(LabelMatcher.Type.EQ, "__name__", "m").values()).containsExactly(samples);
  }

  /** All labels that are written come back, and matchers select as Prometheus says. */
  @Test
  void matchersSelectAsPrometheusSays() {
    Random random = new Random(3);
    Map<SortedMap<String, String>, List<Sample>> written = new HashMap<>();
    for (int i = 0; i < 150; i++) {
      SortedMap<String, String> labels = new TreeMap<>();
      labels.put("__name__", any(NAMES, random));
      for (int k = random.nextInt(4); k > 0; k--) {
        labels.put(any(LABELS, random), any(VALUES, random));
      }
      Fields series = new Fields();
      labels.forEach((name, value) -> series.message(1, RemoteMessages.label(name, value)));
      assertWritten(RemoteMessages.write(series.message(2, sample(1, HOUR))));
      labels.values().removeIf(String::isEmpty);
      written.put(labels, List.of(new Sample(HOUR, 1)));
    }
    assertThat(all("/api/v1/read?escaping=allow-utf-8")).isEqualTo(written);
    for (int i = 0; i < 1500; i++) {
      List<LabelMatcher> matchers = new ArrayList<>();
      Fields[] fields = new Fields[1 + random.nextInt(3)];
      for (int k = 0; k < fields.length; k++) {
        LabelMatcher.Type type = Objects.requireNonNull(LabelMatcher.Type.of(random.nextInt(4)));
        boolean ofMetric = random.nextInt(3) == 0;
        String name = ofMetric ? "__name__" : random.nextInt(9) == 0 ? "no" : any(LABELS, random);
        String value =
            type.isRegex() ? any(REGEXES, random) : any(ofMetric ? NAMES : VALUES, random);
        matchers.add(new LabelMatcher(type, name, value));
        fields[k] = matcher(type, name, value);
      }
      Map<SortedMap<String, String>, List<Sample>> expected = new HashMap<>(written);
      expected
          .keySet()
          .removeIf(
              labels ->
                  !matchers.stream()
                      .allMatch(each -> each.passes(labels.getOrDefault(each.name(), ""))));

      assertThat(
              read(
                      "/api/v1/read?escaping=allow-utf-8",
                      RemoteMessages.read(query(HOUR, HOUR + 1, fields)))
                  .get(0))
          .as(matchers.toString())
          .isEqualTo(expected);
    }
  }

  private static String any(String[] texts, Random random) {
    return texts[random.nextInt(texts.length)];
  }

  /** The examples of Prometheus' documentation. */
  @ParameterizedTest
  @CsvSource({
    "EQ,  a,   a,   true",
    "EQ,  '',  '',  true",
    "NEQ, a,   '',  true",
    "RE,  a,   ba,  false",
    "RE,  b|a, a,   true",
    "RE,  .*,  '',  true",
    "RE,  .+,  '',  false",
    "NRE, a.*, ab,  false",
    "NRE, .+,  '',  true",
  })
  void aMatcherIsAnchored(LabelMatcher.Type type, String value, String label, boolean passes) {
    assertThat(new LabelMatcher(type, "l", value).passes(label)).isEqualTo(passes);
  }

  @ParameterizedTest
  @CsvSource({"100, 200", "1000, 200", "1001, 400", "100_000, 400"})
  void aRegexMayBeNestedAsDeeplyAsInPrometheus(String depth, int status) {
    put("m 1500001200 1 host=a");
    int times = Integer.parseInt(depth.replace("_", ""));
    for (String close : List.of(")", ")*", "|b)", "\\()")) {
      String regex = "(".repeat(times) + "a" + close.repeat(times);
      byte[] request =
          RemoteMessages.read(query(0, HOUR, matcher(LabelMatcher.Type.RE, "host", regex)));
      try (ApiResponse response = post("/api/v1/read", "", request)) {
        assertThat(response.status()).as("%s", response).isEqualTo(status);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'(', not a regular expression",
    "'a)|(b', not a regular expression",
    "'(?i)\u1c80', U+1C80 to U+1C88",
    "'((x{1000}){1000}y){5}', too large",
    "'(([a-f]{4}-){90}){40}{30}', too large",
    "'a{1000}(?i){1000}(?i){1000}', too large",
    "'(?:a{1000})?(?i){1000}{1000}', too large",
    "'a{1000}\\Q\\E{1000}\\Q\\E{1000}', too large",
    "'(((a{1000}[[:alpha:](]){1000}[[:alpha:](]){1000}[[:alpha:](]){1000}', too large",
    "'\\Q[\\E(((a{1000}){1000}){1000})]', too large",
    "'([\\pL]{1000}){3}', too large",
  })
  void aRegexThatCannotBeUsedIsRefused(String regex, String why) {
    byte[] request = RemoteMessages.read(query(0, 1, matcher(LabelMatcher.Type.RE, "a", regex)));

    assertThat(post("/api/v1/read", "", request).toString()).startsWith("400 ").contains(why);
  }

  /** The product of these is beyond 2^63. */
  @Test
  void aRegexOfAnySizeIsCounted() {
    String repeated = "[{100000}][{100000}]" + "a".repeat(10_000_000);
    byte[] request =
        RemoteMessages.read(
            query(
                0,
                1,
                matcher(LabelMatcher.Type.RE, "a", repeated),
                matcher(LabelMatcher.Type.RE, "a", "a{1000}")));

    assertThat(post("/api/v1/read", "", request).toString())
        .startsWith("400 ")
        .contains("too large");
  }

  /** They are compiled one after the other, not one in the other. */
  @Test
  void aRegexMayHaveManyRepeats() {
    put("m 1500001200 1 host=10.0.0.1");
    String address = "\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}";
    String uuid = "[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}";
    String regex = String.join("|", address, address + "/\\d{2}", uuid, uuid + "-" + uuid);

    assertThat(read(LabelMatcher.Type.RE, "host", regex)).hasSize(1);
  }

  @Test
  void parenthesesInClassesAreNotNested() {
    put("m 1500001200 1 host=a");
    String regex = "[(]?[](]?[^](]?[\\](]?".repeat(300) + "a";

    assertThat(read(LabelMatcher.Type.RE, "host", regex)).hasSize(1);
  }

  @Test
  void aRequestMustAcceptSamples() {
    byte[] both = new Fields().content(2, new byte[] {1, 0}).bytes();
    byte[] chunks = new Fields().number(2, 1).bytes();

    assertThat(read("/api/v1/read", both)).isEmpty();
    assertThat(post("/api/v1/read", "", chunks).toString()).startsWith("400 ").contains("SAMPLES");
    assertThat(post("/api/v1/read?escaping=dots", "", both).toString())
        .startsWith("400 ")
        .contains("allow-utf-8");
    assertThat(post("/api/v1/read?escaping=values&escaping=allow-utf-8", "", both).toString())
        .startsWith("400 ")
        .contains("escaping: is given 2 times");
  }

  /** Otherwise it would read all that it may before it is refused. */
  @Test
  void aRequestWithTooManyQueriesReadsNothing() {
    close();
    AtomicInteger scans = new AtomicInteger();
    KeyValueStore counting =
        new ForwardingStore(new ModelStore(clock)) {
          @Override
          public RowCursor scan(Family family, Scan scan) {
            scans.addAndGet(family.equals(TsdbOptions.defaults().tables().points()) ? 1 : 0);
            return super.scan(family, scan);
          }
        };
    open(counting, options().with(QuerySettings.QUERY_MAX_QUERIES, "2"));
    put("m 1500001200 1 host=a");
    Fields one = query(0, HOUR * 2, matcher(LabelMatcher.Type.EQ, "__name__", "m"));
    assertThat(read("/api/v1/read", RemoteMessages.read(one, one))).hasSize(2);
    int before = scans.get();

    assertThat(post("/api/v1/read", "", RemoteMessages.read(one, one, one)).toString())
        .startsWith("413 ")
        .contains("more than 2 queries (hourstone.query.limits.queries)");
    assertThat(scans).hasValue(before);
  }

  @Test
  void theLimitsOfQueriesApply() {
    close();
    open(new ModelStore(clock), options().with(QuerySettings.QUERY_MAX_POINTS, "10"));
    Fields series = series("__name__", "m");
    for (int i = 0; i < 20; i++) {
      series.message(2, sample(i, HOUR + i));
    }
    assertWritten(RemoteMessages.write(series));
    byte[] request =
        RemoteMessages.read(query(0, HOUR * 2, matcher(LabelMatcher.Type.EQ, "__name__", "m")));

    assertThat(post("/api/v1/read", "", request).toString())
        .startsWith("413 ")
        .contains("tsd.query.limits.data_points.default");
    assertThat(db.runningQueries().list()).isEmpty();
  }
}
