package org.hourstone.testing.index;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.annotation.Annotation;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.index.SeriesLimitException;
import org.hourstone.kv.StoreException;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.uid.UidKind;
import org.hourstone.write.ImportListener;
import org.hourstone.write.Importer;
import org.junit.jupiter.api.Test;

/**
 * Limits of the number of series: what is new beyond them is refused, leaves no entry in the index,
 * and uses up no UIDs; what exists goes on.
 */
public abstract class SeriesLimitContract extends IndexCase {
  private static ImportListener rejecting(List<String> rejected) {
    return new ImportListener() {
      @Override
      public void rejected(String place, String reason) {
        rejected.add(reason);
      }

      @Override
      public void read(long lines) {}

      @Override
      public void stored(String file, long lineNumber) {}
    };
  }

  private TsdbOptions limited(String total, String perMetric) {
    return options()
        .with(Settings.MAX_SERIES, total)
        .with(Settings.MAX_SERIES_PER_METRIC, perMetric);
  }

  private static CompletableFuture<?> write(Tsdb to, String metric, Tags tags) {
    return to.put(metric, START, 1, tags);
  }

  private static void assertRefused(Tsdb by, String metric, Tags tags, String reason) {
    assertThatThrownBy(
            () -> {
              CompletableFuture<?> written = write(by, metric, tags);
              by.flush();
              written.join();
            })
        .satisfiesAnyOf(
            e -> assertThat(e).isInstanceOf(SeriesLimitException.class),
            e -> assertThat(e).hasCauseInstanceOf(SeriesLimitException.class))
        .hasMessageContaining("metric " + metric)
        .hasMessageContaining(reason);
  }

  private static long names(Tsdb of, UidKind kind) {
    return of.uids().suggest(kind, "", 1000).size();
  }

  @Test
  final void aNewSeriesBeyondTheLimitIsRefusedAndOthersGoOn() {
    useInstead(limited("3", ""));
    IntStream.range(0, 3).forEach(i -> put(db, "m", host(i)));
    assertRefused(db, "m", host(3), "there are 3 series or more (hourstone.index.max_series)");
    assertRefused(db, "other", host(1), "hourstone.index.max_series)");
    assertThat(indexed(db, "m").orElseThrow()).hasSize(3);
    checkEqual(db, "m");
    assertThat(db.uids().suggest(UidKind.METRIC, "", 10)).containsExactly("m");
    assertThat(db.uids().suggest(UidKind.TAGV, "", 10)).containsExactly("h0", "h1", "h2");
    write(db, "m", host(1)).join();
    // All names have UIDs, and yet the series is new.
    assertRefused(db, "m", Tags.of("host", "h1", "h1", "h2"), "max_series)");
    useInstead(limited("3", ""));
    write(db, "m", host(2)).join();
    assertRefused(db, "m", host(4), "max_series)");
    useInstead(limited("4", ""));
    put(db, "m", host(4));
    assertRefused(db, "m", host(5), "max_series)");
    checkEqual(db, "m");
  }

  @Test
  final void eachMetricHasTheLimitOfTheFirstRuleThatMatches() {
    useInstead(limited("0", "debug.* 1; free* 1000; 2"));
    for (String metric : List.of("debug.a", "debug.b", "free", "m")) {
      put(db, metric, host(0));
    }
    put(db, "m", host(1));
    put(db, "free", host(1));
    put(db, "free", host(2));
    String reason = "the metric has 1 series or more (hourstone.index.max_series_per_metric)";
    assertRefused(db, "debug.a", host(1), reason);
    assertRefused(db, "debug.b", host(2), reason);
    assertRefused(db, "m", host(2), "the metric has 2 series or more");
    for (String metric : List.of("debug.a", "debug.b", "free", "m")) {
      checkEqual(db, metric);
    }
  }

  @Test
  final void everyKindOfValueIsRefused() {
    useInstead(limited("1", ""));
    put(db, "m", host(0));
    db.uids().assign(UidKind.TAGV, "h1");
    assertRefused(db, "m", host(1), "max_series)");
    assertThatThrownBy(
            () ->
                db.put("m", START, SimpleHistogram.of(Map.of(new Bucket(0, 1), 5L)), host(1))
                    .join())
        .isInstanceOf(SeriesLimitException.class);
    byte[] annotated = db.engine().seriesNames().tsuid("m", host(1).asMap());
    assertThatThrownBy(
            () ->
                db.annotations()
                    .save(
                        new Annotation(
                            HexFormat.of().withUpperCase().formatHex(annotated),
                            START.getEpochSecond(),
                            0,
                            "why",
                            "",
                            null),
                        true))
        .isInstanceOf(SeriesLimitException.class);
    assertThat(db.index().contains(annotated)).contains(false);
  }

  @Test
  final void linesOfAnImportAreRefusedOneByOneAndUseNoUids() {
    useInstead(limited("5", ""));
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      lines.append("m ").append(START.getEpochSecond()).append(" 1 host=h").append(i).append('\n');
    }
    List<String> rejected = new ArrayList<>();
    Importer importer = db.importer(db.engine().options().importOptions(true), rejecting(rejected));
    importer.run("f", new ByteArrayInputStream(lines.toString().getBytes(UTF_8)));
    assertThat(rejected).hasSize(495).allMatch(each -> each.contains("max_series)"));
    db.flush();
    assertThat(indexed(db, "m").orElseThrow()).hasSize(5);
    checkEqual(db, "m");
    assertThat(names(db, UidKind.TAGV)).isEqualTo(5);
  }

  @Test
  final void threadsThatRaceDoNotExceedTheLimit() throws Exception {
    useInstead(limited("40", "m 15"));
    AtomicInteger stored = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    ConcurrentRunner.run(
        4,
        thread ->
            () -> {
              for (int i = 0; i < 60; i++) {
                String metric = i % 2 == 0 ? "m" : "n" + i % 5;
                try {
                  write(db, metric, host(i / 2 + (thread % 2) * 7)).join();
                  stored.incrementAndGet();
                } catch (CompletionException | SeriesLimitException e) {
                  assertThat(e instanceof SeriesLimitException ? e : e.getCause())
                      .isInstanceOf(SeriesLimitException.class);
                  refused.incrementAndGet();
                }
              }
              return thread;
            });
    assertThat(stored.get()).isPositive();
    assertThat(refused.get()).isPositive();
    assertThat(indexed(db, "m").orElseThrow()).hasSize(15);
    AtomicInteger all = new AtomicInteger();
    db.index().forEachMetric((metric, series) -> all.addAndGet((int) series));
    assertThat(all.get()).isEqualTo(40);
    try {
      db.flush(); // reports what was refused by the threads that write
    } catch (StoreException e) {
      assertThat(e).hasCauseInstanceOf(SeriesLimitException.class);
    }
  }

  @Test
  final void aSeriesThatGetsNoValueIsNotCountedForever() {
    useInstead(limited("2", ""));
    put(db, "m", host(0));
    var unused = db.writer().series("m", host(1).asMap());
    assertRefused(db, "m", host(2), "max_series)");
    fixture.clock().advance(Duration.ofMinutes(11));
    put(db, "m", host(2));
    assertRefused(db, "m", host(3), "max_series)");
    checkEqual(db, "m");
  }

  @Test
  final void whatOtherProcessesCreateIsCountedLater() {
    SharedStore shared = new SharedStore(store);
    useInstead(shared, limited("3", "9"));
    put(db, "m", host(0));
    Tsdb other = over(new SharedStore(store), options());
    put(other, "m", host(1));
    put(other, "m", host(2));
    fixture.clock().advance(Duration.ofMinutes(11));
    assertRefused(db, "m", host(3), "max_series)");
  }

  @Test
  final void anIndexThatLacksSeriesLimitsNone() {
    Tsdb without = withoutIndex();
    put(without, "m", host(0));
    put(without, "m", host(1));
    without.close();
    useInstead(limited("1", ""));
    put(db, "m", host(1));
    put(db, "m", host(2));
    rebuild(db);
    put(db, "m", host(0));
    assertRefused(db, "m", host(3), "max_series)");
    checkEqual(db, "m");
  }

  @Test
  final void limitsNeedTheIndex() {
    assertThatThrownBy(() -> tsdb(limited("1", "").with(Settings.INDEX_ENABLE, "false")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hourstone.index.max_series")
        .hasMessageContaining("hourstone.index.enable");
  }

  @Test
  final void newSeriesAreCountedByMetricForAnHour() {
    for (int i = 0; i < 12; i++) {
      for (int j = 0; j <= i; j++) {
        put(db, "m" + i, host(j));
      }
    }
    put(db, "m0", host(0));
    assertThat(db.index().growth(2))
        .extracting(each -> db.uids().name(UidKind.METRIC, each.metric()) + " " + each.series())
        .containsExactly("m11 12", "m10 11");
    fixture.clock().advance(Duration.ofMinutes(30));
    put(db, "m0", host(7));
    fixture.clock().advance(Duration.ofMinutes(40));
    assertThat(db.index().growth(9))
        .extracting(each -> db.uids().name(UidKind.METRIC, each.metric()) + " " + each.series())
        .containsExactly("m0 1");
  }
}
