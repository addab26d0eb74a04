package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hourstone.MemorySettings;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.StoreException;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.testkit.LoggedBy;
import org.hourstone.testkit.store.MortalStore;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code cells} on a store whose journal has points of open hours. */
class OpenCellsTest {
  private static final Instant HOUR = Instant.parse("2013-01-01T00:00:00Z");

  private static final TsdbOptions OPTIONS =
      TsdbOptions.defaults()
          .withClock(InstantSource.fixed(CommandRun.NOW))
          .with(Settings.HEAD, "true")
          .with(MemorySettings.WRITE_ATTEMPTS, "1")
          .with(Settings.COMPACTION_BACKGROUND, "false");

  private final String store = CommandRun.newStore();

  private CommandRun cells(String... words) {
    return cellsOf(store, words);
  }

  private static CommandRun cellsOf(String store, String... words) {
    return runOn(store, Stream.concat(Stream.of("cells"), Stream.of(words)).toArray(String[]::new));
  }

  private static CommandRun runOn(String store, String... words) {
    List<String> args = new ArrayList<>(List.of("--store", store));
    args.addAll(List.of(words));
    return CommandRun.of(args.toArray(String[]::new));
  }

  private static void put(Tsdb db, int second, long value) {
    db.put("m", HOUR.plusSeconds(second), value, Tags.of("host", "a")).join();
  }

  /** Two points are stored; one of them is replaced, one more is put, and the process dies. */
  private void leaveAJournal() {
    try (KeyValueStore open = KeyValueStores.open(store)) {
      MortalStore mortal = new MortalStore(open);
      Tsdb db = Tsdb.over(mortal, OPTIONS);
      put(db, 10, 1);
      put(db, 20, 2);
      db.flush();
      put(db, 20, 3);
      put(db, 30, 4);
      put(db, 3610, 5);
      mortal.die();
      try {
        db.close();
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining(MortalStore.DEAD);
      }
    }
  }

  @Test
  void openPointsOfADeadProcessAreShownInTheirRowsAsSealingWritesThem() {
    leaveAJournal();
    String stored = cells("--stored").out();

    String shown = cells("data").out();

    assertThat(shown)
        .isEqualTo(
            """
            {"table":"tsdb","row":"00000150e22700000001000001","family":"t",\
            "qualifier":"00a00140","value":"010200"}
            {"table":"tsdb","row":"00000150e22700000001000001","family":"t",\
            "qualifier":"014001e0","value":"030400"}
            {"table":"tsdb","row":"00000150e23510000001000001","family":"t",\
            "qualifier":"00a0","value":"05"}
            """);
    assertThat(cells("--stored").out()).as("cells changes nothing").isEqualTo(stored);
    Tsdb.open(store, OPTIONS.with(Settings.HEAD, "false")).close();
    assertThat(cells("--stored", "data").out()).isEqualTo(shown);
  }

  @Test
  void withoutThemTheyAreInTheJournalOnly() {
    leaveAJournal();

    assertThat(cells().out()).contains(cells("data").out()).doesNotContain("tsdb-journal");
    assertThat(cells("--stored", "data").outLines()).hasSize(1);
    String journal = cells("journal").out();
    assertThat(journal).contains("{\"table\":\"tsdb-journal\",\"row\":\"0000000000000004\"");
    assertThat(cells("--stored").out()).contains(journal);
  }

  /** As {@code cells --stored} shows them of a shared store. */
  @Test
  void journalsOfWritersThatWereLoadedAreLeftAlone() {
    leaveAJournal();
    Family journal = OPTIONS.journalFamily();
    byte[] state = new byte[33];
    state[0] = 1;
    try (KeyValueStore open = KeyValueStores.open(store)) {
      open.put(journal, "\1tsdb\0a".getBytes(US_ASCII), new byte[] {'w'}, state);
      open.put(journal, "\2\0\6tsdb\0a".getBytes(US_ASCII), new byte[] {'r'}, new byte[40]);
    }
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.head");
        Tsdb db = Tsdb.open(store, OPTIONS)) {
      List<Integer> sizes = new ArrayList<>();
      long from = HOUR.toEpochMilli();
      try (SeriesCursor all =
          db.query(Query.parse("none:m").betweenMillis(from, from + 7_200_000))) {
        all.forEach(series -> sizes.add(series.size()));
      }
      assertThat(sizes).containsExactly(4);
      assertThat(log.messages()).anyMatch(line -> line.contains("journals of these writers"));
    }
  }

  @Test
  void theyAreInTheJournalIfTheSettingsNameAnotherDataTable() {
    leaveAJournal();
    String journal = cells("journal").out();

    CommandRun run = runOn(store, "--set", "tsd.storage.hbase.data_table=other", "cells");

    assertThat(run.out()).contains(journal).contains(cells("--stored", "data").out());
  }

  @Test
  void cellsWithOpenPointsAreLoadedIntoAnotherStore() {
    leaveAJournal();
    String target = CommandRun.newStore();

    CommandRun load = CommandRun.withInput(cells().out(), "--store", target, "load-cells", "-");

    assertThat(load.exitCode()).describedAs(load.err()).isZero();
    assertThat(cellsOf(target).out()).isEqualTo(cells().out());
  }

  @Test
  void aJournalIsLoadedIntoAnEmptyStoreAndReplayed() {
    leaveAJournal();
    String target = CommandRun.newStore();

    CommandRun load = loadStored(target);

    assertThat(load.exitCode()).describedAs(load.err()).isZero();
    assertThat(cellsOf(target, "--stored").out()).isEqualTo(cells("--stored").out());
    assertThat(cellsOf(target).out()).isEqualTo(cells().out());
  }

  /** Else acknowledged points of the store would be lost. */
  @Test
  void aJournalIsNotLoadedOverRecordsOfAnother() {
    leaveAJournal();
    String before = cells("journal").out();

    CommandRun load = loadStored(store, "--into-nonempty", "--now", "--create-tables");

    assertThat(load.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(load.err())
        .contains(
            "hourstone: -:2: a record of another journal than the store's own, which has been used;"
                + " the output of cells without --stored has its points in their rows");
    assertThat(cells("journal").out()).isEqualTo(before);
    assertThat(
            CommandRun.withInput(
                    cells("data").out(), "--store", store, "load-cells", "--into-nonempty", "-")
                .exitCode())
        .isZero();
  }

  private CommandRun loadStored(String target, String... options) {
    List<String> args = new ArrayList<>(List.of("--store", target, "load-cells"));
    args.addAll(List.of(options));
    args.add("-");
    return CommandRun.withInput(cells("--stored").out(), args.toArray(String[]::new));
  }

  @Test
  void aJournalThatCannotBeReadHidesNothingThatIsStored() {
    leaveAJournal();
    Family journal = OPTIONS.journalFamily();
    try (KeyValueStore open = KeyValueStores.open(store)) {
      open.put(journal, new byte[] {0, 0, 0, 0, 0, 0, 0, 9}, new byte[] {'r'}, new byte[] {1});
    }

    assertThat(cells("data").exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(cells("data").err())
        .contains("journal record 0000000000000009", "can't be read", "--stored");
    assertThat(cells("--stored", "data").outLines()).hasSize(1);
    assertThat(cells("uid").exitCode()).isZero();
  }

  @Test
  void openPointsAreShownWhileAnotherHasTheStoreOpen(@TempDir Path directory) {
    String uri = "rocksdb:" + directory.resolve("data");
    try (Tsdb db = Tsdb.open(uri, OPTIONS)) {
      put(db, 10, 1);

      assertThat(cellsOf(uri + "?readonly=true", "data").out())
          .isEqualTo(
              """
              {"table":"tsdb","row":"00000150e22700000001000001","family":"t",\
              "qualifier":"00a0","value":"01"}
              """);
      assertThat(cellsOf(uri + "?readonly=true", "--stored", "data").out()).isEmpty();
      assertThat(requireNonNull(db.engine().headStats()).rows()).as("open rows").isEqualTo(1);
      String[] scan = {"scan", "--import", "2013/01/01", "2013/01/02", "sum:m"};
      assertThat(runOn(uri + "?readonly=true", scan).out()).isEqualTo("m 1356998410 1 host=a\n");
    }
  }
}
