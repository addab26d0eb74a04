package org.hourstone.tsd.regions;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.kv.StoreOptions;
import org.hourstone.kv.Trait;
import org.hourstone.testkit.ManualClock;
import org.hourstone.testkit.store.MortalStore;
import org.hourstone.tsd.CommandRun;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WritersCommandTest {
  private static final Family JOURNAL = new Family("tsdb-journal", "j");
  private static final Instant HOUR = Instant.parse("2024-01-01T00:00:00Z");

  private final String uri = "memory:" + UUID.randomUUID();
  private final ManualClock clock = new ManualClock(HOUR);
  private final KeyValueStore store = KeyValueStores.open(uri, new StoreOptions(clock));

  /** A writer of three points, one in each record, that has died. */
  @BeforeEach
  void die() {
    Set<Trait> traits = EnumSet.copyOf(store.traits());
    traits.add(Trait.SHARED);
    MortalStore mortal =
        new MortalStore(
            new ForwardingStore(store) {
              @Override
              public Set<Trait> traits() {
                return traits;
              }

              @Override
              public void close() {
                // It stays open for the commands.
              }
            });
    Tsdb writer =
        Tsdb.over(
            mortal,
            TsdbOptions.defaults()
                .withClock(clock)
                .with(Settings.CREATE_TABLES, "true")
                .with(Settings.HEAD_WRITER, "web1"));
    for (int second = 0; second < 3; second++) {
      writer.put("m", HOUR.plusSeconds(second), second, Tags.of("host", "a")).join();
    }
    mortal.die();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private CommandRun writers(String... more) {
    String[] words = new String[3 + more.length];
    words[0] = "--store";
    words[1] = uri;
    words[2] = "writers";
    System.arraycopy(more, 0, words, 3, more.length);
    return CommandRun.of(words);
  }

  private void corrupt(int kind, int last) {
    try (RowCursor rows = store.scan(JOURNAL, Scan.prefix(new byte[] {(byte) kind}))) {
      for (Row row = rows.next(); row != null; row = rows.next()) {
        if (row.key()[row.key().length - 1] == last) {
          store.put(JOURNAL, row.key(), row.qualifier(0), new byte[] {7});
        }
      }
    }
  }

  private String points() {
    return CommandRun.of("--store", uri, "query", "2024/01/01", "none:m", "--csv").out();
  }

  @Test
  void aDeadWriterIsShownAndTakenOver() {
    CommandRun shown = writers();
    assertThat(shown.exitCode()).isZero();
    assertThat(shown.outLines()).hasSize(2);
    assertThat(shown.outLines().get(1))
        .matches("web1 +open +1 +2024-01-01T00:01:00(\\.[0-9]+)?Z +3 +[0-9]+ +.+");

    CommandRun taken = writers("web1", "--take-over");
    assertThat(taken.exitCode()).as(taken.err()).isZero();
    assertThat(taken.out()).isEqualTo("written: 1 row\n");
    assertThat(points().lines().filter(line -> line.contains("2024"))).hasSize(3);
    assertThat(writers("web1").outLines().get(1)).matches("web1 +closed +1 +- +0 +0 +-");
    CommandRun again = writers("web1", "--take-over");
    assertThat(again.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(again.err()).contains("the writer web1: its journal is closed");
    CommandRun unknown = writers("web2");
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(unknown.out()).isEqualTo("no writer web2\n");
  }

  @Test
  void aJournalThatCannotBeReadIsDeletedOnlyIfThatIsConfirmed() {
    corrupt(2, 2);
    corrupt(1, '1'); // the state

    assertThat(writers().outLines().get(1)).matches("web1 +corrupt +- +.* +3 +[0-9]+ +all rows");
    CommandRun asked = writers("web1", "--delete");
    assertThat(asked.exitCode()).as(asked.err()).isZero();
    assertThat(asked.out())
        .matches("would be lost: 3 records of [0-9]+ bytes with 2 points, .*\\n");
    assertThat(asked.out())
        .endsWith("of 1 record of these that can't be read and of 0 that are missing\n");
    assertThat(writers().outLines().get(1)).contains(" corrupt ");

    assertThat(writers("web1", "--delete", "--yes").out())
        .isEqualTo(asked.out().replace("would be lost", "lost"));
    assertThat(writers().outLines().get(1)).matches("web1 +closed .* +0 +0 +-");
  }

  @Test
  void aWriterWhoseLeaseRunsIsRefused() {
    clock.advance(Duration.between(HOUR, CommandRun.NOW));
    Row state = state();
    store.put(JOURNAL, state.key(), state.qualifier(0), state.value(0)); // as a renewal

    CommandRun run = writers("web1", "--take-over");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err()).contains("the writer web1: its lease runs until 2024-01-02T00:01:00");
    assertThat(writers().outLines().get(1)).contains(" open ");
  }

  private Row state() {
    try (RowCursor rows = store.scan(JOURNAL, Scan.prefix(new byte[] {1}))) {
      Row first = Objects.requireNonNull(rows.next());
      return store.get(JOURNAL, first.key(), Columns.all());
    }
  }

  @Test
  void wrongOptionsAreErrorsOfUsage() {
    assertThat(writers("--take-over").err()).contains("the name of the writer is missing");
    assertThat(writers("a", "--yes").err()).contains("--yes is for --delete");
    assertThat(writers("a", "--delete", "--take-over").exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aStoreWithoutWritersIsNoError() {
    CommandRun run = CommandRun.of("--store", CommandRun.newStore(), "writers");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("no writers\n");
  }
}
