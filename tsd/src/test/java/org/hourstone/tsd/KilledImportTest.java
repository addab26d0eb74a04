package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} of an import: what was said to be stored is there when the store is reopened. */
class KilledImportTest {
  private static final int KILLS = 20;
  private static final int FILES = 40;
  private static final int LINES = 2_500;
  private static final long START = 1_700_000_000L;

  /** What the values of one import are apart from those of the one before. */
  private static final long GENERATION = 1_000_000;

  private static final Pattern STORED = Pattern.compile(".*/f(\\d+): stored up to line (\\d+)");

  @TempDir Path directory;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  @Timeout(300)
  void everyAcknowledgedLineIsThereAfterEachOfTwentyKills() throws Exception {
    String store = "rocksdb:" + directory.resolve("data");
    Map<Integer, Integer> acknowledged = new TreeMap<>();
    int cutShort = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      int now = kill;
      Set<Integer> said =
          importUntilKilled(store, writeFiles(kill), kill, random.nextInt(FILES * 3 / 4));
      cutShort += said.size() < FILES ? 1 : 0;
      said.forEach(file -> acknowledged.put(file, now));
      String when = "seed " + seed + ", kill " + kill;
      try (Tsdb db = Tsdb.open(store)) {
        acknowledged.forEach((file, since) -> checkStored(db, file, since, when));
      }
    }
    assertThat(cutShort).as("imports that had not ended, seed %d", seed).isPositive();
    assertThat(acknowledged).as("files, seed %d", seed).isNotEmpty();
  }

  /**
   * SIGTERM, as Ctrl-C, in the middle of a file: it says how much is stored, and the next import
   * continues.
   */
  @Test
  @Timeout(300)
  void anInterruptedImportSaysHowToContinue() throws Exception {
    String store = "rocksdb:" + directory.resolve("interrupted");
    List<String> lines = new ArrayList<>();
    for (int line = 0; line < 1_000_000; line++) {
      lines.add("m " + (START + line) + " " + line + " t=a");
    }
    String file = Files.write(directory.resolve("f0"), lines).toString();
    Path state = directory.resolve("state");
    List<String> command = command(store);
    command.addAll(List.of("--resume", state.toString(), file));
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    List<String> said = new ArrayList<>();
    try (BufferedReader err =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8))) {
      for (String line = err.readLine(); line != null; line = err.readLine()) {
        if (said.isEmpty()) {
          new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor();
        }
        said.add(line);
      }
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
    assertThat(process.exitValue()).as("%s", said).isEqualTo(143);
    assertThat(said).last().asString().endsWith("; to continue: repeat the command");
    Matcher stored = STORED.matcher(said.get(said.size() - 1));
    assertThat(stored.lookingAt()).isTrue();
    long upTo = Long.parseLong(stored.group(2));
    assertThat(Files.readAllLines(state)).last().isEqualTo(upTo + " " + file);
    assertThat(count(store)).isEqualTo(upTo);
    CommandRun rest = CommandRun.of("--store", store, "import", "--resume", state.toString(), file);
    assertThat(rest.out()).startsWith(String.format(Locale.ROOT, "%,d points", 1_000_000 - upTo));
    assertThat(count(store)).isEqualTo(1_000_000);
  }

  /**
   * The lines that were read are stored though the next ones are still to come: all that do not fit
   * into the pipe and the buffers of the import.
   */
  @Test
  @Timeout(300)
  void anInterruptedImportThatWaitsForLinesStoresWhatItHasRead() throws Exception {
    String store = "rocksdb:" + directory.resolve("waiting");
    List<String> command = command(store);
    command.add("-");
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    int lines = 20_000;
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < lines; line++) {
      text.append("m ").append(START + line).append(" 1 t=a\n");
    }
    process.getOutputStream().write(text.toString().getBytes(UTF_8));
    process.getOutputStream().flush();
    new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor();
    List<String> said;
    try (BufferedReader err =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8))) {
      said = err.lines().toList();
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
    Matcher stored =
        Pattern.compile("-: stored up to line (\\d+);.*").matcher(said.get(said.size() - 1));
    assertThat(stored.matches()).as("%s", said).isTrue();
    long upTo = Long.parseLong(stored.group(1));
    assertThat(upTo).isGreaterThan(lines - 3 * (64 << 10) / 19);
    assertThat(count(store)).isEqualTo(upTo);
  }

  /** While another process writes, the store is read as it was when the command began. */
  @Test
  @Timeout(300)
  void aStoreThatAnotherProcessWritesCanBeRead() throws Exception {
    String store = "rocksdb:" + directory.resolve("used");
    CommandRun.withInput("m 1700000000 7 t=a\n", "--store", store, "import", "-");
    List<String> command = command(store);
    command.set(command.size() - 1, "put");
    command.add("-");
    Process writer =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(writer.getErrorStream(), UTF_8))) {
      writer.outputWriter(UTF_8).append("get\n").flush();
      assertThat(said.readLine()).isEqualTo("-:1: unknown command: get"); // it is open
      for (List<String> words :
          List.of(
              List.of("query", "2023/11/14", "2023/11/15", "none:m"),
              List.of("last", "m"),
              List.of("scan", "2023/11/14", "2023/11/15", "none:m"),
              List.of("cells", "data"))) {
        List<String> all = new ArrayList<>(List.of("--store", store));
        all.addAll(words);
        CommandRun run = CommandRun.of(all.toArray(String[]::new));
        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.out()).contains("7");
        assertThat(run.err()).contains("is in use by another process", ": it is read as it is now");
      }
      writer.getOutputStream().close();
      assertThat(writer.waitFor()).isEqualTo(ExitCode.FAILED);
    } finally {
      writer.destroyForcibly();
    }
  }

  private static long count(String store) {
    try (Tsdb db = Tsdb.open(store);
        SeriesCursor answer = db.query(Query.parse("sum:0all-count:m"))) {
      long[] count = new long[1];
      answer.forEach(series -> count[0] += (long) series.doubleValue(0));
      return count[0];
    }
  }

  /**
   * Each file has a metric of its own, three series, a point a second, and new values each time.
   */
  private List<String> writeFiles(int kill) throws IOException {
    List<String> files = new ArrayList<>();
    for (int file = 0; file < FILES; file++) {
      List<String> lines = new ArrayList<>();
      for (int line = 0; line < LINES; line++) {
        long value = kill * GENERATION + line;
        lines.add(metric(file) + " " + (START + line) + " " + value + " t=s" + line % 3);
      }
      files.add(Files.write(directory.resolve("f" + file), lines).toString());
    }
    return files;
  }

  private static String metric(int file) {
    return "killed.f" + file;
  }

  /**
   * Imports the files, beginning with another one each time, and kills the process after it has
   * reported N times that it has stored something.
   *
   * @return the files that were said to be stored to their last line
   */
  private static Set<Integer> importUntilKilled(
      String store, List<String> files, int first, int patience) throws Exception {
    List<String> command = command(store);
    for (int i = 0; i < files.size(); i++) {
      command.add(files.get((first + i) % files.size()));
    }
    Process process =
        new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    Set<Integer> said = new HashSet<>();
    try (BufferedReader err =
        new BufferedReader(new InputStreamReader(process.getErrorStream(), UTF_8))) {
      for (String line = err.readLine(); line != null; line = err.readLine()) {
        Matcher stored = STORED.matcher(line);
        assertThat(stored.matches()).as(line).isTrue();
        assertThat(stored.group(2)).as(line).isEqualTo(Integer.toString(LINES));
        said.add(Integer.valueOf(stored.group(1)));
        if (said.size() > patience) {
          process.toHandle().destroyForcibly(); // unlike Process's, leaves what it said to be read
        }
      }
    } finally {
      process.destroyForcibly();
      process.waitFor();
    }
    return said;
  }

  private static List<String> command(String store) {
    return new ArrayList<>(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "--store",
            store,
            "import"));
  }

  /**
   * Later imports that were not acknowledged may have gone over what was stored, but as a whole.
   */
  private static void checkStored(Tsdb db, int file, int kill, String when) {
    Map<Long, Long> found = new HashMap<>();
    try (SeriesCursor answer = db.query(Query.parse("none:" + metric(file)))) {
      answer.forEach(
          series -> {
            for (int i = 0; i < series.size(); i++) {
              found.put(series.millis(i), series.longValue(i));
            }
          });
    }
    for (int line = 0; line < LINES; line++) {
      long value = found.getOrDefault((START + line) * 1000, -1L);
      assertThat(value % GENERATION)
          .as("%s: file %d line %d", when, file, line + 1)
          .isEqualTo(line);
      assertThat(value / GENERATION)
          .as("%s: file %d line %d", when, file, line + 1)
          .isGreaterThanOrEqualTo(kill);
    }
  }
}
