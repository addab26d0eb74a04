package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Limits;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.store.FaultPlan;
import org.hourstone.testkit.store.FaultPlan.Fault;
import org.hourstone.testkit.store.FaultPlan.Operation;
import org.hourstone.testkit.store.FaultyStore;
import org.hourstone.write.ImportException;
import org.hourstone.write.ImportListener;
import org.hourstone.write.ImportReport;
import org.hourstone.write.Importer;
import org.hourstone.write.LineSource;
import org.junit.jupiter.api.Test;

/** Files of points over a store: every line is stored or reported. */
public abstract class ImportContract extends TsdbCase {
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
    Importer importer = db.importer(db.engine().options().importOptions(true), listener);
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
        .anySatisfy(r -> assertThat(r).startsWith("f:9 timestamp 'abc': Invalid character 'a'"))
        .anySatisfy(r -> assertThat(r).startsWith("f:10 invalid tag: 01"));
    assertThat(listener.storedUpTo).isEqualTo(11);
    assertThat(ask(query("none:m")))
        .containsExactly("m{host=web01}[]: 0=2 10=1 20=4", "m{host=web02}[]: 20=6");
  }

  @Test
  final void aNameThatIsTooLongIsOneBadLineOfMany() {
    String tooLong = "m".repeat(Limits.ROW_KEY + 1);
    String longest = "m".repeat(Limits.ROW_KEY);
    Listener listener = new Listener();
    Importer importer = db.importer(db.engine().options().importOptions(true), listener);
    importer.run(
        "f",
        lines(
            "m 1500001200 1 host=web01",
            tooLong + " 1500001200 2 host=web01",
            "m 1500001200 3 host=" + tooLong,
            longest + " 1500001200 4 host=web01",
            "m 1500001201 5 host=web02"));
    assertThat(importer.report()).isEqualTo(new ImportReport(5, 3, 2, 0, 0));
    assertThat(listener.rejected)
        .hasSize(2)
        .anySatisfy(r -> assertThat(r).startsWith("f:2 Invalid metric name"))
        .anySatisfy(r -> assertThat(r).startsWith("f:3 Invalid tag value"));
    assertThat(ask(query("none:" + longest))).hasSize(1);
  }

  @Test
  final void anImportStopsAtTheFirstBadLineUnlessToldToGoOn() {
    Listener listener = new Listener();
    Importer importer = db.importer(db.engine().options().importOptions(false), listener);
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
  final void emptyLinesAndCommentsAreSkipped() {
    Listener listener = new Listener();
    Importer importer = db.importer(db.engine().options().importOptions(false), listener);
    importer.run("empty", lines(""));
    importer.run("f", lines("\ufeff# a comment", "", "  ", "m 1500001200 1 host=web01"));
    assertThat(importer.report()).isEqualTo(new ImportReport(1, 1, 0, 0, 0));
    assertThat(listener.storedUpTo).isEqualTo(4);
  }

  @Test
  final void anImportContinuesAfterLinesThatAreStored() {
    Listener listener = new Listener();
    Importer importer = db.importer(db.engine().options().importOptions(false), listener);
    String[] text = {"bad", "m 1500001200 1 host=web01", "bad"};
    assertThatThrownBy(() -> importer.run("f", new LineSource(lines(text)), 1))
        .hasMessageStartingWith("f:3: not enough words");
    assertThat(importer.report()).isEqualTo(new ImportReport(2, 1, 1, 0, 0));
    assertThat(listener.storedUpTo).isEqualTo(2);
    assertThatThrownBy(() -> importer.run("f", new LineSource(lines(text)), 4))
        .hasMessage("f: has 3 lines, fewer than the 4 that are stored");
  }

  @Test
  final void ofLinesInAnyMixtureTheLastWithATimestampIsRead() {
    Random random = new Random(4);
    Map<String, Map<Integer, Integer>> expected = new TreeMap<>();
    List<String> text = new ArrayList<>();
    int points = 0;
    int rejected = 0;
    int repeated = 0;
    for (int i = 0; i < 6000; i++) {
      int kind = random.nextInt(300);
      String host = "web" + random.nextInt(Math.min(5, 1 + i / 1000));
      // Mostly in order, so that long runs of lines of known series are taken together.
      int second = kind < 20 ? random.nextInt(3000) : i / 2;
      text.add("m " + (1500001200 + second) + " " + i + " host=" + host + (kind < 60 ? "\r" : ""));
      points++;
      Map<Integer, Integer> series = expected.computeIfAbsent(host, h -> new TreeMap<>());
      repeated += series.put(second, i) == null ? 0 : 1;
      if (kind == 100) {
        text.add("m " + (1500001200 + second) + " no number host=" + host);
        rejected++;
      } else if (kind == 101) {
        text.add("# m " + (1500001200 + second) + " -1 host=" + host);
      }
    }
    Importer importer = db.importer(db.engine().options().importOptions(true), new Listener());
    importer.run("f", lines(text.toArray(String[]::new)));
    assertThat(importer.report())
        .isEqualTo(new ImportReport(points + rejected, points, rejected, repeated, 0));
    List<String> stored = new ArrayList<>();
    expected.forEach(
        (host, series) -> {
          StringBuilder line = new StringBuilder("m{host=" + host + "}[]:");
          series.forEach((second, value) -> line.append(" " + second + "=" + value));
          stored.add(line.toString());
        });
    assertThat(ask(query("none:m"))).containsExactlyElementsOf(stored);
  }

  @Test
  final void linesOfTelnetAreTaken() {
    Importer importer = db.importer(db.engine().options().importOptions(false), new Listener());
    importer.run("f", lines("put m 1500001200 1 host=web01", "put 1500001200 2 host=web01"));
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=1");
    assertThat(ask(query("none:put"))).containsExactly("put{host=web01}[]: 0=2");
  }

  @Test
  final void inStrictModeAnImportMustComeInOrder() {
    with(Settings.OUT_OF_ORDER_IMPORT, "false");
    Listener listener = new Listener();
    Importer importer = db.importer(db.engine().options().importOptions(true), listener);
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
    Importer exact = db.importer(db.engine().options().importOptions(false), new Listener());
    exact.run("f", lines("m 1500001200 0.1 host=web01", "m 1500001201 0.5 host=web01"));
    assertThat(ask(query("none:m"))).containsExactly("m{host=web01}[]: 0=0.1 1=0.5");
    with(Settings.EXACT_IMPORT, "false");
    Importer strict = db.importer(db.engine().options().importOptions(false), new Listener());
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
    Importer importer = db.importer(db.engine().options().importOptions(false), new Listener());
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
  final void anImportThroughAFailingStoreAccountsForEveryLine() {
    for (long seed = 1; seed <= 4; seed++) {
      FaultPlan plan = new FaultPlan(seed);
      TsdbOptions options = db.engine().options().with(MemorySettings.WRITE_ATTEMPTS, "2");
      Tsdb faulty = Tsdb.over(new FaultyStore(store, plan), options);
      Listener listener = new Listener();
      Importer importer = faulty.importer(faulty.engine().options().importOptions(true), listener);
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
}
