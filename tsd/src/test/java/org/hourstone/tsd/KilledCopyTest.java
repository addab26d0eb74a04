package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.hourstone.Settings;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of a copy: it goes on where it was, and ends with the same cells. */
class KilledCopyTest {
  private static final int KILLS = 6;
  private static final int METRICS = 30;
  private static final int HOSTS = 20;
  private static final int POINTS = 200;

  @TempDir Path directory;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  @Timeout(300)
  void aCopyThatIsKilledAgainAndAgainEndsWithTheSameCells() throws Exception {
    String from = "rocksdb:" + directory.resolve("from");
    String to = "rocksdb:" + directory.resolve("to");
    Path state = Files.createDirectory(directory.resolve("state")).resolve("copy");
    fill(from);

    int interrupted = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      copyUntil(1 + random.nextInt(60), Process::destroyForcibly, from, to, state);
      interrupted += Files.exists(state) ? 1 : 0;
    }
    CommandRun last = CommandRun.of("copy", from, to, "--resume", state.toString());

    assertThat(interrupted).as("copies that had not ended, seed %d", seed).isPositive();
    assertThat(last.err()).as("seed %d", seed).isEmpty();
    assertThat(last.exitCode()).isZero();
    assertThat(last.out())
        .as("also what was copied before is counted")
        .contains("tsdb:t: " + METRICS * HOSTS + " rows");
    assertThat(state).doesNotExist();
    assertThat(cells(to)).isEqualTo(cells(from));
    assertThat(CommandRun.of("copy", from, to, "--verify-only").exitCode()).isZero();
  }

  /** SIGTERM, as Ctrl-C. */
  @Test
  @Timeout(300)
  void anInterruptedCopySaysHowToContinue() throws Exception {
    String from = "rocksdb:" + directory.resolve("from");
    String to = "rocksdb:" + directory.resolve("to");
    Path state = Files.createDirectory(directory.resolve("state")).resolve("copy");
    fill(from);

    List<String> err = copyUntil(3, Process::destroy, from, to, state);

    assertThat(err).containsExactly("hourstone: stopped; to continue: repeat the command");
    assertThat(state).exists();
  }

  private static void fill(String store) {
    TsdbOptions options = TsdbOptions.defaults().with(Settings.WRITE_PACKS, "false");
    try (Tsdb db = Tsdb.open(store, options)) {
      for (int metric = 0; metric < METRICS; metric++) {
        for (int host = 0; host < HOSTS; host++) {
          Tags tags = Tags.of("host", "web" + host);
          for (int point = 0; point < POINTS; point++) {
            db.put("m" + metric, Instant.ofEpochSecond(1_356_998_400 + point), point, tags);
          }
        }
      }
      db.flush();
    }
  }

  /**
   * Stops the process when it has saved its progress N times.
   *
   * @return the lines on its standard error
   */
  private List<String> copyUntil(
      int times, Consumer<Process> stop, String from, String to, Path state) throws Exception {
    Path err = directory.resolve("err");
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "copy",
                from,
                to,
                "--resume",
                state.toString()));
    try (WatchService watch = FileSystems.getDefault().newWatchService()) {
      state.resolveSibling("").register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(err.toFile())
              .start();
      try {
        for (int seen = 0; seen < times && process.isAlive(); ) {
          WatchKey key = watch.poll(1, TimeUnit.SECONDS); // or the process has ended
          if (key != null) {
            seen += key.pollEvents().stream().mapToInt(event -> event.count()).sum();
            key.reset();
          }
        }
        stop.accept(process);
      } finally {
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
          process.destroyForcibly().waitFor();
        }
      }
    }
    return Files.readAllLines(err);
  }

  private static List<String> cells(String store) {
    List<String> all = new ArrayList<>();
    for (String table : List.of("data", "meta", "tree")) {
      all.addAll(CommandRun.of("--store", store, "cells", table, "--write-time").outLines());
    }
    all.addAll(CommandRun.of("--store", store, "cells", "uid").outLines());
    return all;
  }
}
