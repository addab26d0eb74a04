package org.hourstone.tsd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.tsd.session.ExitCode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that only read work in a directory that can't be written to, and say so. */
class ReadOnlyStoreTest {
  /** They end with 0 in a store that is sound. */
  private static final List<List<String>> READING =
      List.of(
          List.of("query", "2023/11/14", "2023/11/15", "none:m"),
          List.of("query", "--explain", "2023/11/14", "2023/11/15", "none:m"),
          List.of("last", "m"),
          List.of("search", "lookup", "m"),
          List.of("scan", "2023/11/14", "2023/11/15", "none:m"),
          List.of("cells"),
          List.of("fsck", "--full-scan"),
          List.of("fsck", "2023/11/14", "2023/11/15", "none:m"),
          List.of("uid", "m"),
          List.of("uid", "grep", "."),
          List.of("uid", "stats"),
          List.of("uid", "fsck"),
          List.of("index", "status"),
          List.of("index", "cardinality", "m"));

  private static final List<List<String>> WRITING =
      List.of(
          List.of("import", "-"),
          List.of("compact"),
          List.of("fsck", "--full-scan", "--fix"),
          List.of("mkmetric", "n"));

  @TempDir Path directory;

  private @Nullable Path mounted;

  @AfterEach
  void unmount() throws IOException, InterruptedException {
    if (mounted != null) {
      run("umount", "--lazy", mounted.toString());
    }
  }

  @Test
  void commandsReadAFileSystemThatIsMountedReadOnly() throws IOException, InterruptedException {
    Path disk = mount("size=64m");
    String store = stored(disk.resolve("store"));
    run("mount", "-o", "remount,ro", disk.toString());
    assertRead(store, "Read-only file system");
    assertNotWritten(store, "Read-only file system");
  }

  @Test
  void commandsReadAFileSystemThatIsFull() throws IOException, InterruptedException {
    Path disk = mount("size=64m");
    String store = stored(disk.resolve("store"));
    try (var fill = Files.newOutputStream(disk.resolve("fill"))) {
      byte[] block = new byte[4096];
      while (true) {
        fill.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space");
    }
    assertRead(store, "no space left on the device");
    assertNotWritten(store, "no space left on the device");
  }

  @Test
  void aCopyReadsAStoreThatCannotBeWrittenTo() throws IOException, InterruptedException {
    Path disk = mount("size=64m");
    String store = stored(disk.resolve("store"));
    run("mount", "-o", "remount,ro", disk.toString());
    String copy = "rocksdb:" + directory.resolve("copy");
    CommandRun copied = CommandRun.of("copy", store, copy);
    assertThat(copied.exitCode()).as("%s", copied).isZero();
    CommandRun compared = CommandRun.of("copy", "--verify-only", copy, store);
    assertThat(compared.exitCode()).as("%s", compared).isZero();
  }

  @Test
  void aStoreThatIsOpenOnlyForReadingIsNotChanged() {
    String store = stored(directory.resolve("store"));
    for (List<String> words :
        List.of(
            List.of("import", "--auto-metric", "-"),
            List.of("import", "-"),
            List.of("compact"),
            List.of("mkmetric", "n"),
            List.of("uid", "rename", "metrics", "m", "n"),
            List.of("scan", "--delete", "2023/11/14", "2023/11/15", "none:m"))) {
      CommandRun run = run(store + "?readonly=true", words);
      assertThat(run.exitCode()).as("%s", words).isIn(ExitCode.FAILED, ExitCode.STORE_FAILED);
      assertThat(run.err())
          .as("%s", words)
          .contains("/store: ", ": it is open only for reading (readonly)")
          .doesNotContain("NotSupported");
    }
    assertThat(run(store, List.of("uid", "grep", "metrics", ".")).out()).contains("m: 000001");
  }

  private static String stored(Path store) {
    KeyValueStores.open("rocksdb:" + store).close();
    String uri = "rocksdb:" + store;
    CommandRun imported =
        CommandRun.withInput("m 1700000000 7 h=a\n", "--store", uri, "import", "-");
    assertThat(imported.exitCode()).as("%s", imported).isZero();
    return uri;
  }

  private static void assertRead(String store, String reason) {
    for (List<String> words : READING) {
      CommandRun run = run(store, words);
      assertThat(run.exitCode()).as("%s: %s", words, run).isZero();
      assertThat(run.err()).as("%s", words).contains(reason, ": it is read as it is now");
      assertThat(run.errLines()).as("%s", words).hasSize(1);
    }
  }

  private static void assertNotWritten(String store, String reason) {
    for (List<String> words : WRITING) {
      CommandRun run = run(store, words);
      assertThat(run.exitCode())
          .as("%s: %s", words, run)
          .isIn(ExitCode.FAILED, ExitCode.STORE_FAILED);
      assertThat(run.err()).as("%s", words).contains(reason, "?readonly=true");
      assertThat(run.errLines()).as("%s", words).hasSize(1);
    }
  }

  private static CommandRun run(String store, List<String> words) {
    List<String> all = new ArrayList<>(List.of("--store", store));
    all.addAll(words);
    return CommandRun.withInput("n 1700000000 7 h=a\n", all.toArray(String[]::new));
  }

  private Path mount(String options) throws IOException, InterruptedException {
    Path disk = Files.createDirectories(directory.resolve("disk"));
    String failure = run("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk.toString());
    assumeTrue(failure.isEmpty(), () -> "SKIPPED, cannot mount a tmpfs here: " + failure);
    mounted = disk;
    return disk;
  }

  /** Empty if the command succeeded, else what it said. */
  private static String run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() == 0 ? "" : "failed: " + said.strip();
  }
}
