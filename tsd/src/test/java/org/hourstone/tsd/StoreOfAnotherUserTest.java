package org.hourstone.tsd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hourstone.tsd.session.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that root runs on the store of a daemon, which is another user's. */
class StoreOfAnotherUserTest {
  private static final int DAEMON = 65534;

  @TempDir Path directory;

  private Path home;
  private Path data;
  private String store;
  private String user;

  @BeforeEach
  void makeHome() throws IOException {
    assumeThat(Files.getAttribute(directory, "unix:uid")).isEqualTo(0);
    home = Files.createDirectory(directory.resolve("home of daemon"));
    data = home.resolve("data");
    store = "rocksdb:" + data;
    give(home);
    user = Files.getOwner(home).getName();
  }

  private static void give(Path file) throws IOException {
    Files.setAttribute(file, "unix:uid", DAEMON);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(data)) {
      return all.sorted().toList();
    }
  }

  @Test
  void aStoreThatRootMakesThereIsToBeGivenToTheUser() throws IOException {
    String advice =
        ("hourstone: %s is the directory of the user %s, who can't open the store that root has"
                + " made: chown -R --reference='%s' '%s'\n")
            .formatted(home, user, home, data);
    assertThat(CommandRun.of("--store", store, "mkmetric", "m").err()).isEqualTo(advice);
    assertThat(CommandRun.of("--store", store, "mkmetric", "n").err())
        .as("not said again")
        .isEmpty();

    String backups = directory.resolve("backups").toString();
    assertThat(CommandRun.of("--store", store, "backup", backups).exitCode()).isZero();
    CommandRun restored = CommandRun.of("restore", backups, "--to", "rocksdb:" + home + "/again");
    assertThat(restored.exitCode()).as(restored.err()).isZero();
    assertThat(restored.err()).isEqualTo(advice.replace("/data'", "/again'"));
    CommandRun own = CommandRun.of("restore", backups, "--to", "rocksdb:" + directory + "/own");
    assertThat(own.exitCode()).isZero();
    assertThat(own.err()).isEmpty();
  }

  @Test
  void rootReadsTheStoreAndWritesNothing() throws IOException {
    CommandRun.of("--store", store, "mkmetric", "m");
    for (Path file : files()) {
      give(file);
    }
    List<Path> before = files();

    CommandRun reading = CommandRun.of("--store", store, "fsck", "--full-scan");
    assertThat(reading.exitCode()).as(reading.err()).isZero();
    assertThat(reading.err())
        .contains(
            "belongs to the user " + user,
            "'runuser -u " + user + " -- …'",
            "root's by 'chown -R root': it is read as");
    CommandRun writing = CommandRun.of("--store", store, "fsck", "--full-scan", "--fix");
    assertThat(writing.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(writing.err())
        .contains("run this as " + user + ", such as by 'runuser -u " + user + " -- …'");
    assertThat(files()).isEqualTo(before);
  }
}
