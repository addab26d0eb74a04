package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.hourstone.ConfigKey;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.query.Aggregator;
import org.hourstone.query.Query;
import org.hourstone.query.QueryLimitException;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidKind;
import org.hourstone.write.ImportException;
import org.hourstone.write.ImportListener;
import org.hourstone.write.ImportReport;
import org.hourstone.write.Importer;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The public API over a store. If a store passes its own contract and this, everything above it
 * works on it; where that turns out to be wrong, this contract is what gets mended.
 */
public abstract class TsdbContract {
  /** 2017-07-14T03:00:00Z, the start of an hour. */
  private static final long HOUR = 1_500_001_200;

  private static final Instant START = Instant.ofEpochSecond(HOUR);
  private static final Tags WEB01 = Tags.of("host", "web01");
  private static final Tags WEB02 = Tags.of("host", "web02");

  @TempDir private Path directory;
  private KeyValueStore store;
  private Tsdb db;

  /** Opens the store under test, empty. */
  protected abstract KeyValueStore open(StoreFixture fixture);

  @BeforeEach
  final void openDatabase() {
    store = open(StoreFixture.in(directory, 1));
    db = Tsdb.over(store, TsdbOptions.defaults().with(ConfigKey.CREATE_TABLES, "true"));
  }

  @AfterEach
  final void closeDatabase() {
    db.close();
    store.close();
  }

  private Tsdb with(ConfigKey key, String value) {
    db.close();
    db = Tsdb.over(store, db.options().with(key, value));
    return db;
  }

  private static Query query(String expression) {
    return Query.parse(expression)
        .between(START.minus(Duration.ofHours(1)), START.plus(Duration.ofDays(1)));
  }

  /**
   * The answer as {@code metric{tags}aggregateTags: seconds-from-start=value …}, one per series.
   */
  private List<String> ask(Query query) {
    List<String> answer = new ArrayList<>();
    try (SeriesCursor cursor = db.query(query)) {
      cursor.forEach(series -> answer.add(text(series)));
    }
    return answer;
  }

  private static String text(ResultSeries series) {
    StringBuilder text = new StringBuilder(series.metric());
    text.append(series.tags()).append(series.aggregateTags()).append(':');
    for (int i = 0; i < series.size(); i++) {
      long millis = series.millis(i) - HOUR * 1000;
      text.append(' ').append(millis % 1000 == 0 ? millis / 1000 + "" : millis / 1000.0 + "");
      text.append('=').append(series.text(i));
    }
    return text.toString();
  }

  @Test
  final void pointsComeBackAsTheyWereWritten() {
    db.put("m", START, 1, WEB01);
    db.put("m", START.plusSeconds(1), -129, WEB01);
    db.put("m", START.plusSeconds(2), Long.MIN_VALUE, WEB01);
    db.put("m", START.plusSeconds(3), 0.1, WEB01);
    db.put("m", START.plusSeconds(4), 0.5f, WEB01);
    db.put("m", START.plusMillis(4001), Double.MIN_VALUE, WEB01);
    db.put("m", START.plusSeconds(3599), 7, WEB01);
    db.put("m", START.plusSeconds(3600), 8, WEB01);
    db.flush();
    assertThat(ask(query("none:m")))
        .containsExactly(
            "m{host=web01}[]: 0=1 1=-129 2=-9223372036854775808 3=0.1 4=0.5 4.001=4.9E-324 3599=7"
                + " 3600=8");
  }

  @Test
  final void putCompletesWhenThePointIsStored() {
    db.put("m", START, 1, WEB01).join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void linesOfTextAreStoredExactly() {
    db.putLine("put m 1500001200 1 host=web01").join();
    db.putLine("put m 1500001201.250 0.1 host=web01\r").join();
    db.putLine("put m 1500001202 1e3 host=web01").join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1 1.25=0.1 2=1000.0");
  }

  @Test
  final void seriesAreAggregatedAndGrouped() {
    db.put("m", START, 1, Tags.of("host", "web01", "dc", "lga"));
    db.put("m", START, 2, Tags.of("host", "web02", "dc", "lga"));
    db.put("m", START, 4, Tags.of("host", "web03", "dc", "sfo"));
    db.put("other", START, 100, WEB01);
    db.flush();
    assertThat(ask(query("sum:m"))).containsExactly("m{}[host, dc]: 0=7");
    assertThat(ask(query("sum:m{dc=*}")))
        .containsExactly("m{dc=lga}[host]: 0=3", "m{dc=sfo, host=web03}[]: 0=4");
    assertThat(ask(query("sum:m{host=web01|web03}")))
        .containsExactly("m{dc=lga, host=web01}[]: 0=1", "m{dc=sfo, host=web03}[]: 0=4");
    assertThat(ask(query("max:m{}{dc=lga}"))).containsExactly("m{dc=lga}[host]: 0=2");
    assertThat(ask(query("count:m{}{host=WEB*}"))).containsExactly("m{}[host, dc]: 0=3");
    assertThat(ask(query("none:m"))).hasSize(3);
  }

  @Test
  final void seriesWithMoreTagsThanNamedCanBeLeftOut() {
    db.put("m", START, 1, WEB01);
    db.put("m", START, 2, Tags.of("host", "web01", "cpu", "0"));
    db.flush();
    assertThat(ask(query("sum:m{host=web01}"))).containsExactly("m{cpu=0, host=web01}[]: 0=3");
    assertThat(ask(query("sum:explicit_tags:m{host=web01}")))
        .containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void seriesWithoutATheGroupingTagAreLeftOut() {
    db.put("m", START, 1, WEB01);
    db.put("m", START, 2, Tags.of("cpu", "0"));
    db.flush();
    assertThat(ask(query("sum:m{host=*}"))).containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void bucketsAreAveragedPerSeriesBeforeSeriesMeet() {
    for (int second = 0; second < 7200; second += 60) {
      db.put("m", START.plusSeconds(second), second / 60, WEB01);
      db.put("m", START.plusSeconds(second), 1000, WEB02);
    }
    db.flush();
    assertThat(ask(query("sum:1h-avg:m"))).containsExactly("m{}[host]: 0=1029.5 3600=1089.5");
    Query shorter =
        Query.metric("m")
            .between(START.plusSeconds(600), START.plusSeconds(1200))
            .downsample(Duration.ofMinutes(10), Aggregator.COUNT);
    assertThat(ask(shorter)).containsExactly("m{}[host]: 600=20.0 1200=20.0");
  }

  @Test
  final void onlyTheRangeIsAnsweredBothEndsIncluded() {
    for (int second = 0; second < 100; second++) {
      db.put("m", START.plusSeconds(second), second, WEB01);
    }
    db.flush();
    Query range = Query.metric("m").between(START.plusSeconds(10), START.plusSeconds(12));
    assertThat(ask(range)).containsExactly("m{host=web01}[]: 10=10 11=11 12=12");
    Query beside = Query.metric("m").between(START.plusSeconds(200), START.plusSeconds(300));
    assertThat(ask(beside)).containsExactly("m{host=web01}[]:");
    Query elsewhere = Query.metric("m").between(Instant.EPOCH, START.minusSeconds(7200));
    assertThat(ask(elsewhere)).isEmpty();
  }

  @Test
  final void theNewestOfOneInstantIsRead() {
    db.put("m", START, 0.25, WEB01).join();
    db.put("m", START, 7, WEB01).join();
    db.put("m", START.plusSeconds(1), 7, WEB01).join();
    db.put("m", START.plusSeconds(1), 0.25, WEB01).join();
    db.put("m", START.plusSeconds(2), 300, WEB01);
    db.put("m", START.plusSeconds(2), 3, WEB01);
    db.put("m", START.plusSeconds(2), 0.5f, WEB01);
    db.flush();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=7 1=0.25 2=0.5");
  }

  @Test
  final void inStrictModeTwoValuesOfOneInstantFailTheQuery() {
    with(ConfigKey.FIX_DUPLICATES, "false");
    db.put("m", START, 300, WEB01);
    db.put("m", START, 3, WEB01);
    db.put("m", START.plusSeconds(1), 3, WEB01);
    db.put("m", START.plusSeconds(1), 4, WEB01);
    db.flush();
    assertThatThrownBy(() -> ask(query("none:m")))
        .hasMessageContaining("Duplicate timestamp")
        .hasMessageContaining("row 000001");
    with(ConfigKey.FIX_DUPLICATES, "true");
    assertThat(ask(query("none:m"))).hasSize(1).first().asString().contains("1=4");
  }

  @Test
  final void whatIsWrongWithAPointIsSaidAtOnce() {
    assertThatThrownBy(() -> db.put("m m", START, 1, WEB01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("illegal character");
    assertThatThrownBy(() -> db.put("m", START, 1, Tags.of()))
        .hasMessageContaining("Need at least one tag");
    assertThatThrownBy(() -> db.put("m", START, Double.NaN, WEB01))
        .hasMessageContaining("value is NaN or Infinite");
    assertThatThrownBy(() -> db.put("m", Instant.ofEpochSecond(-1), 1, WEB01))
        .hasMessageContaining("negative");
    assertThatThrownBy(() -> db.put("m", Instant.parse("2107-01-01T00:00:00Z"), 1, WEB01))
        .hasMessageContaining("2106");
    assertThatThrownBy(() -> db.put("m", Instant.ofEpochMilli(1500), 1, WEB01))
        .hasMessageContaining("only whole seconds");
    assertThatThrownBy(() -> db.putLine("put m 1500001200 abc host=web01"))
        .isInstanceOf(NumberFormatException.class);
    assertThatThrownBy(() -> ask(query("none:m"))).isInstanceOf(NoSuchNameException.class);
  }

  @Test
  final void unknownNamesInAQueryAreNamed() {
    db.put("m", START, 1, WEB01).join();
    assertThatThrownBy(() -> ask(query("sum:nosuch")))
        .hasMessage("No such name for 'metrics': 'nosuch'");
    assertThatThrownBy(() -> ask(query("sum:m{nokey=*}")))
        .hasMessage("No such name for 'tagk': 'nokey'");
    assertThatThrownBy(() -> ask(query("sum:m{host=web09}")))
        .hasMessage("No such name for 'tagv': 'web09'");
    with(ConfigKey.SKIP_UNRESOLVED_TAGVS, "true");
    assertThat(ask(query("sum:m{host=web09|web01}"))).hasSize(1);
    assertThat(ask(query("sum:m{host=web09}"))).isEmpty();
  }

  @Test
  final void namesAreCreatedOnlyIfAllowed() {
    with(ConfigKey.AUTO_CREATE_METRICS, "false");
    assertThatThrownBy(() -> db.put("m", START, 1, WEB01)).isInstanceOf(NoSuchNameException.class);
    db.uids().assign(UidKind.METRIC, "m");
    db.put("m", START, 1, WEB01).join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void aQueryThatReadsTooMuchIsRefused() {
    for (int second = 0; second < 20; second++) {
      db.put("m", START.plusSeconds(second), second, WEB01);
    }
    with(ConfigKey.QUERY_MAX_POINTS, "10");
    assertThatThrownBy(() -> ask(query("none:m")))
        .isInstanceOf(QueryLimitException.class)
        .hasMessageContaining("10");
  }

  @Test
  final void otherWidthsAndSaltsWorkAlike() {
    with(ConfigKey.UID_WIDTH_METRIC, "1");
    with(ConfigKey.UID_WIDTH_TAGK, "2");
    with(ConfigKey.UID_WIDTH_TAGV, "8");
    with(ConfigKey.SALT_WIDTH, "1");
    with(ConfigKey.SALT_BUCKETS, "7");
    for (int host = 0; host < 50; host++) {
      db.put("m", START, host, Tags.of("host", "h" + host));
      db.put("m", START.plusSeconds(3600), host, Tags.of("host", "h" + host));
    }
    db.flush();
    assertThat(ask(query("sum:m"))).containsExactly("m{}[host]: 0=1225 3600=1225");
    assertThat(ask(query("sum:m{host=h3|h4}")))
        .containsExactly("m{host=h3}[]: 0=3 3600=3", "m{host=h4}[]: 0=4 3600=4");
  }

  @Test
  final void oneNameGetsOneUidWhateverTheRace() throws Exception {
    int threads = 8;
    int names = 60;
    List<Tsdb> databases = new ArrayList<>();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Map<String, String>>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        // Half of the threads have a database of their own, as other processes would.
        Tsdb mine = t % 2 == 0 ? db : Tsdb.over(store, db.options());
        databases.add(mine);
        tasks.add(
            () -> {
              Map<String, String> uids = new TreeMap<>();
              for (int i = 0; i < names; i++) {
                uids.put(
                    "n" + i,
                    HexFormat.of().formatHex(mine.uids().uidForWriting(UidKind.TAGV, "n" + i)));
              }
              return uids;
            });
      }
      Set<Map<String, String>> answers = new HashSet<>();
      for (Future<Map<String, String>> answer : executor.invokeAll(tasks)) {
        answers.add(answer.get());
      }
      assertThat(answers).hasSize(1);
      assertThat(new HashSet<>(answers.iterator().next().values())).hasSize(names);
      db.dropCaches();
      db.uids()
          .forEach(
              UidKind.TAGV,
              (name, uid) -> assertThat(db.uids().name(UidKind.TAGV, uid)).isEqualTo(name));
    } finally {
      executor.shutdownNow();
      databases.forEach(Tsdb::close);
    }
  }

  @Test
  final void noUidIsAssignedWhenNoneIsLeft() {
    with(ConfigKey.UID_WIDTH_TAGV, "1");
    for (int i = 0; i < 255; i++) {
      db.uids().assign(UidKind.TAGV, "v" + i);
    }
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> db.put("m", START, 1, Tags.of("host", "one-more")))
          .hasMessage("All Unique IDs for tagv on 1 bytes are already assigned!");
    }
    assertThat(db.uids().usage(UidKind.TAGV).assigned()).isEqualTo(255);
    db.put("m", START, 1, Tags.of("host", "v254")).join();
  }

  @Test
  final void namesAreSuggestedRenamedAndDeleted() {
    for (String name : List.of("sys.cpu", "sys.mem", "app", "éa")) {
      db.uids().assign(UidKind.METRIC, name);
    }
    assertThat(db.uids().suggest(UidKind.METRIC, "sys.", 10)).containsExactly("sys.cpu", "sys.mem");
    assertThat(db.uids().suggest(UidKind.METRIC, "", 10))
        .containsExactly("app", "sys.cpu", "sys.mem", "éa");
    assertThat(db.uids().suggest(UidKind.METRIC, "", 2)).containsExactly("app", "sys.cpu");
    assertThat(db.uids().suggest(UidKind.TAGK, "", 10)).isEmpty();
    byte[] uid = db.uids().uid(UidKind.METRIC, "app");
    db.uids().rename(UidKind.METRIC, "app", "application");
    assertThat(db.uids().uid(UidKind.METRIC, "application")).isEqualTo(uid);
    assertThat(db.uids().find(UidKind.METRIC, "app")).isNull();
    assertThat(db.uids().name(UidKind.METRIC, uid)).isEqualTo("application");
    assertThatThrownBy(() -> db.uids().rename(UidKind.METRIC, "application", "sys.cpu"))
        .isInstanceOf(IllegalArgumentException.class);
    db.uids().delete(UidKind.METRIC, "application");
    assertThat(db.uids().find(UidKind.METRIC, "application")).isNull();
    assertThatThrownBy(() -> db.uids().name(UidKind.METRIC, uid))
        .hasMessageContaining("No such unique ID for 'metrics'");
    assertThatThrownBy(() -> db.uids().assign(UidKind.METRIC, "sys.cpu"))
        .hasMessage("Name already exists with UID: 000001");
  }

  private static final class Listener implements ImportListener {
    final List<String> rejected = new ArrayList<>();
    long storedUpTo;

    @Override
    public void rejected(String place, String reason) {
      rejected.add(place + " " + reason);
    }

    @Override
    public void read(long lines) {}

    @Override
    public void stored(String file, long lineNumber) {
      storedUpTo = lineNumber;
    }
  }

  private static ByteArrayInputStream lines(String... lines) {
    return new ByteArrayInputStream(
        (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Test
  final void everyLineOfAnImportIsAccountedFor() {
    Listener listener = new Listener();
    Importer importer = db.importer(db.importOptions(true), listener);
    importer.run(
        "f",
        lines(
            "m 1500001210 1 host=web01",
            "m 1500001220 0.1 host=web01",
            "",
            "m 1500001200 2 host=web01",
            "m 1500001220 3 host=web01",
            "garbage",
            "m 1500001220 4 host=web01",
            "m 1500001200 2 host=web01",
            "m abc 4 host=web01",
            "m 1500001230 5 host=web 01",
            "m 1500001220 6 host=web02"));
    assertThat(importer.report()).isEqualTo(new ImportReport(10, 7, 3, 3, 0));
    assertThat(listener.rejected)
        .hasSize(3)
        .anySatisfy(r -> assertThat(r).startsWith("f:6 not enough words"))
        .anySatisfy(r -> assertThat(r).startsWith("f:9 Invalid character 'a'"))
        .anySatisfy(r -> assertThat(r).startsWith("f:10 invalid tag: 01"));
    assertThat(listener.storedUpTo).isEqualTo(11);
    assertThat(ask(query("none:m")))
        .containsExactly("m{host=web01}[]: 0=2 10=1 20=4", "m{host=web02}[]: 20=6");
  }

  @Test
  final void anImportStopsAtTheFirstBadLineUnlessToldToGoOn() {
    Listener listener = new Listener();
    Importer importer = db.importer(db.importOptions(false), listener);
    assertThatThrownBy(
            () ->
                importer.run(
                    "f", lines("m 1500001200 1 host=web01", "bad", "m 1500001201 2 host=web01")))
        .isInstanceOf(ImportException.class)
        .hasMessageStartingWith("f:2: not enough words");
    assertThat(importer.report()).isEqualTo(new ImportReport(2, 1, 1, 0, 0));
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void aFileWithoutPointsIsAnError() {
    Importer importer = db.importer(db.importOptions(true), new Listener());
    assertThatThrownBy(() -> importer.run("empty", lines("")))
        .isInstanceOf(ImportException.class)
        .hasMessage("empty: holds no points");
  }

  @Test
  final void inStrictModeAnImportMustComeInOrder() {
    with(ConfigKey.OUT_OF_ORDER_IMPORT, "false");
    Listener listener = new Listener();
    Importer importer = db.importer(db.importOptions(true), listener);
    importer.run(
        "f",
        lines(
            "m 1500001210 1 host=web01",
            "m 1500001210 1 host=web01",
            "m 1500001200 1 host=web02",
            "m 1500001209 1 host=web01"));
    assertThat(listener.rejected)
        .hasSize(2)
        .allSatisfy(r -> assertThat(r).contains("is less than or equal to previous="));
  }

  @Test
  final void importedDecimalsAreExactUnlessToldOtherwise() {
    Importer exact = db.importer(db.importOptions(false), new Listener());
    exact.run("f", lines("m 1500001200 0.1 host=web01", "m 1500001201 0.5 host=web01"));
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=0.1 1=0.5");
    with(ConfigKey.EXACT_IMPORT, "false");
    Importer strict = db.importer(db.importOptions(false), new Listener());
    strict.run("f", lines("m 1500001200 0.1 host=web01"));
    assertThat(ask(query("none:m")))
        .containsExactly("m{host=web01}[]: 0=0.10000000149011612 1=0.5");
  }

  @Test
  final void pointsInAnyOrderAreReadInOrder() {
    Random random = new Random(5);
    Map<Long, Long> expected = new TreeMap<>();
    List<String> lines = new ArrayList<>();
    int repeats = 0;
    for (int i = 0; i < 30_000; i++) {
      long second = HOUR + random.nextInt(40_000);
      repeats += expected.put(second, (long) i) == null ? 0 : 1;
      lines.add("m " + second + " " + i + " host=web01");
    }
    Importer importer = db.importer(db.importOptions(false), new Listener());
    importer.run("f", lines(lines.toArray(String[]::new)));
    assertThat(importer.report()).isEqualTo(new ImportReport(30_000, 30_000, 0, repeats, 0));
    Map<Long, Long> read = new TreeMap<>();
    try (SeriesCursor cursor = db.query(query("none:m"))) {
      cursor.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              read.put(series.millis(i) / 1000, series.longValue(i));
            }
          });
    }
    assertThat(read).isEqualTo(expected);
  }

  @Test
  final void manyThreadsWriteAtOnceAndNothingIsLost() throws Exception {
    int threads = 4;
    int points = 3000;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Tags tags = Tags.of("host", "h" + t);
        tasks.add(
            () -> {
              for (int i = 0; i < points; i++) {
                db.put("m", START.plusSeconds(i), 1, tags);
              }
              return null;
            });
      }
      for (Future<Void> task : executor.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      executor.shutdownNow();
    }
    db.flush();
    assertThat(ask(query("sum:1h-count:m"))).containsExactly("m{}[host]: 0=12000.0");
  }

  @Test
  final void whateverFailsNoAcknowledgedPointIsMissing() {
    for (long seed = 1; seed <= 6; seed++) {
      long run = seed;
      String metric = "faulty" + seed;
      FaultPlan plan = new FaultPlan(seed);
      Map<String, CompletableFuture<@Nullable Void>> sent = new TreeMap<>();
      // Two attempts, so that some points fail for good.
      TsdbOptions options = db.options().with(ConfigKey.WRITE_ATTEMPTS, "2");
      Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), options);
      plan.failAll(0.07);
      Random random = new Random(seed);
      for (int i = 0; i < 400; i++) {
        int host = random.nextInt(12);
        try {
          Instant time = START.plusSeconds(i * 20L);
          sent.put(
              "h" + host + " " + time.toEpochMilli() + " " + i,
              faulty.put(metric, time, i, Tags.of("host", "h" + host)));
        } catch (StoreException refused) {
          assertThat(refused.outcome()).isNotNull(); // told at once: nothing was taken
        }
      }
      plan.calm();
      closeIgnoringFailures(faulty);
      db.dropCaches();
      Set<String> stored = new HashSet<>(pointsOf(metric));
      assertThat(plan.injected()).describedAs("seed %d", seed).isPositive();
      sent.forEach(
          (point, future) -> {
            assertThat(future).isDone();
            if (!future.isCompletedExceptionally()) {
              assertThat(stored).describedAs("seed %d", run).contains(point);
            }
          });
      assertThat(sent.keySet()).describedAs("seed %d", seed).containsAll(stored);
    }
    checkNames();
  }

  private static void closeIgnoringFailures(Tsdb database) {
    try {
      database.close();
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("not stored"); // each is told by its future, too
    }
  }

  private List<String> pointsOf(String metric) {
    List<String> lines = new ArrayList<>();
    try (SeriesCursor cursor = db.query(query("none:" + metric))) {
      cursor.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              lines.add(
                  series.tags().get("host") + " " + series.millis(i) + " " + series.longValue(i));
            }
          });
    }
    return lines;
  }

  /** Names and UIDs are each other's inverse, whatever failed. */
  private void checkNames() {
    for (UidKind kind : UidKind.values()) {
      Set<String> uids = new HashSet<>();
      db.uids()
          .forEach(
              kind,
              (name, uid) -> {
                assertThat(uids.add(HexFormat.of().formatHex(uid))).describedAs(name).isTrue();
                assertThat(db.uids().name(kind, uid)).isEqualTo(name);
              });
      assertThat((long) uids.size()).isLessThanOrEqualTo(db.uids().usage(kind).assigned());
    }
  }

  @Test
  final void whicheverCallFailsANameGetsOneUid() {
    for (Fault fault : Fault.values()) {
      for (int call = 1; call <= 12; call++) {
        String name = "n." + fault + "." + call;
        FaultPlan plan = new FaultPlan(call).failCall(call, fault);
        try (Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), db.options())) {
          byte[] uid = faulty.uids().uidForWriting(UidKind.METRIC, name);
          db.dropCaches();
          assertThat(db.uids().uid(UidKind.METRIC, name)).isEqualTo(uid);
        } catch (StoreException refused) {
          db.dropCaches(); // a name that was not assigned can be assigned now
          assertThat(db.uids().uidForWriting(UidKind.METRIC, name)).hasSize(3);
        }
      }
    }
    checkNames();
  }

  @Test
  final void anImportThroughAFailingStoreAccountsForEveryLine() {
    for (long seed = 1; seed <= 4; seed++) {
      FaultPlan plan = new FaultPlan(seed);
      TsdbOptions options = db.options().with(ConfigKey.WRITE_ATTEMPTS, "2");
      Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), options);
      Listener listener = new Listener();
      Importer importer = faulty.importer(faulty.importOptions(true), listener);
      Random random = new Random(seed);
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        lines.add("imported" + seed + " " + (HOUR + random.nextInt(9000)) + " " + i + " host=a");
      }
      plan.fail(Operation.MUTATE, Fault.NOT_APPLIED, 0.2)
          .fail(Operation.GET, Fault.NOT_APPLIED, 0.1);
      try {
        importer.run("f", lines(lines.toArray(String[]::new)));
      } catch (ImportException e) {
        assertThat(plan.injected()).isPositive();
        long first = Long.parseLong(String.valueOf(e.getMessage()).split(":")[1]);
        assertThat(listener.storedUpTo).describedAs("%s", e).isLessThan(first);
        assertThat(listener.rejected).noneMatch(r -> lineOf(r) < first);
      }
      plan.calm();
      faulty.close();
      ImportReport report = importer.report();
      assertThat(report.stored() + report.rejected())
          .describedAs("seed %d", seed)
          .isEqualTo(report.lines());
      assertThat(listener.rejected).hasSize((int) report.rejected());
    }
  }

  private static long lineOf(String rejection) {
    return Long.parseLong(rejection.substring(2, rejection.indexOf(' ')));
  }

  @Test
  final void aReceiptThatThrowsKeepsNoOtherFromBeingTold() {
    List<Long> told = Collections.synchronizedList(new ArrayList<>());
    Receipt receipt =
        new Receipt() {
          @Override
          public void stored(long token) {
            told.add(token);
            throw new IllegalStateException("thrown by the test's receipt");
          }

          @Override
          public void failed(long token, RuntimeException reason) {
            told.add(-token);
          }
        };
    SeriesWriter series = db.writer().series("m", WEB01.asMap());
    for (int i = 1; i <= 10; i++) {
      series.put(HOUR + i, i, receipt, i);
    }
    db.flush();
    assertThat(told).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
  }

  @Test
  final void whatWouldWaitForItselfIsRefused() {
    CompletableFuture<Void> flushed = new CompletableFuture<>();
    SeriesWriter series = db.writer().series("m", WEB01.asMap());
    series.put(
        HOUR,
        1,
        new Receipt() {
          @Override
          public void stored(long token) {
            try {
              db.flush();
              flushed.complete(null);
            } catch (IllegalStateException e) {
              flushed.completeExceptionally(e);
            }
          }

          @Override
          public void failed(long token, RuntimeException reason) {
            flushed.completeExceptionally(reason);
          }

          @Override
          public boolean isAwaited() {
            return true;
          }
        },
        0);
    assertThatThrownBy(flushed::join).hasMessageContaining("use thenRunAsync");
  }

  @Test
  final void pointsGoWhereANameLeadsAfterItWasRenamedOrDeleted() {
    db.put("app", START, 1, WEB01).join();
    db.uids().rename(UidKind.METRIC, "app", "application");
    db.put("app", START, 2, WEB01).join();
    db.putLine("put app 1500001201 3 host=web01").join();
    assertThat(ask(query("none:application"))).containsExactly("application{host=web01}[]: 0=1");
    assertThat(ask(query("none:app"))).containsExactly("app{host=web01}[]: 0=2 1=3");
    db.uids().delete(UidKind.METRIC, "app");
    db.putLine("put app 1500001201 4 host=web01").join();
    assertThat(ask(query("none:app"))).containsExactly("app{host=web01}[]: 1=4");
  }

  @Test
  final void emptyNamesAreRefusedBeforeAnythingIsDone() {
    db.uids().assign(UidKind.METRIC, "m");
    assertThatThrownBy(() -> db.uids().assign(UidKind.METRIC, ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> db.uids().rename(UidKind.METRIC, "m", ""))
        .isInstanceOf(IllegalArgumentException.class);
    db.dropCaches();
    assertThat(db.uids().name(UidKind.METRIC, db.uids().uid(UidKind.METRIC, "m"))).isEqualTo("m");
    assertThat(db.uids().usage(UidKind.METRIC).assigned()).isEqualTo(1);
  }

  @Test
  final void aTruncatedSaltIsReadOnce() {
    with(ConfigKey.ALLOW_TRUNCATED_SALT, "true");
    with(ConfigKey.SALT_WIDTH, "1");
    with(ConfigKey.SALT_BUCKETS, "600");
    db.put("m", START, 1, WEB01).join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1");
  }

  @Test
  final void withThePointsOwnTimeAsWriteTimeTheLargestIsRead() {
    with(ConfigKey.USE_OTSDB_TIMESTAMP, "true");
    db.put("m", START, 300, WEB01).join();
    db.put("m", START, 7, WEB01).join();
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=300");
    with(ConfigKey.USE_MAX_VALUE, "false");
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=7");
  }
}
