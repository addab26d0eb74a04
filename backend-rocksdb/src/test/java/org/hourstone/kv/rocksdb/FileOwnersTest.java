package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/** A store whose files are another user's, as after {@code sudo}. */
class FileOwnersTest {
  private static final int OTHER = 65534;

  @TempDir Path directory;

  @BeforeEach
  void onlyRootGivesFilesAway() throws IOException {
    assumeThat(Files.getAttribute(directory, "unix:uid")).isEqualTo(0);
    KeyValueStores.open("rocksdb:" + directory).close();
  }

  private String give(Path file) throws IOException {
    Files.setAttribute(file, "unix:uid", OTHER);
    return Files.getOwner(file).getName();
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  @Test
  void rootWritesNothingToTheStoreOfAnotherUser() throws IOException {
    String owner = "";
    for (Path file : files()) {
      owner = give(file);
    }
    List<Path> before = files();

    assertThatThrownBy(() -> KeyValueStores.open("rocksdb:" + directory))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("belongs to the user " + owner + ", who can't open the files")
        .hasMessageContaining(
            "'runuser -u "
                + owner
                + " -- …', or make all of it root's by 'chown -R root'; ?readonly=true reads")
        .extracting(e -> ((StoreException) e).outcome())
        .isEqualTo(Outcome.NOT_APPLIED);
    assertThat(files()).isEqualTo(before);
    try (KeyValueStore read = KeyValueStores.open("rocksdb:" + directory + "?readonly=true")) {
      assertThat(read.families()).isEmpty();
    }
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void itsOwnStoreInADirectoryOfAnotherUserIsOpened() throws IOException {
    give(directory);
    try (KeyValueStore store = KeyValueStores.open("rocksdb:" + directory)) {
      assertThat(store.families()).isEmpty();
    }
  }

  @Test
  void rightsThatDoNotSufficeAreExplainedByTheOwners() throws IOException {
    RocksDbErrors errors = new RocksDbErrors(directory);
    String own = "permission denied";
    assertThat(errors.directory(new AccessDeniedException("x"))).message().contains(own + "; ?r");
    String owner = give(directory.resolve("CURRENT"));
    String why = "; it has files of " + owner + ", and this process runs as root";

    assertThat(errors.directory(new AccessDeniedException("x"))).message().contains(own + why);
    RocksDBException denied =
        new RocksDBException(
            "While open a file: Permission denied",
            new Status(Status.Code.IOError, Status.SubCode.None, "x"));
    assertThat(errors.open(denied, false)).message().contains(why + "; ?readonly=");
    assertThat(errors.open(denied, true)).message().endsWith(why);
    assertThat(errors.read("cannot read", denied)).message().endsWith(why);
  }
}
