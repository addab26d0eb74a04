package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An opening for reading while another process deletes the files that it is about to read. */
class WhileChangingTest {
  private final StoreException missing =
      new StoreException(Outcome.REJECTED, "Corruption: Missing WAL of log number 40");

  @TempDir Path directory;

  @Test
  void anAttemptDuringWhichFilesAreDeletedIsRepeated() throws IOException {
    Deque<Path> logs = new ArrayDeque<>();
    for (String name : List.of("000004.log", "000005.log", "000006.log")) {
      logs.add(Files.createFile(directory.resolve(name)));
    }
    String read =
        WhileChanging.repeat(
            directory,
            () -> {
              if (logs.isEmpty()) {
                return "read";
              }
              delete(logs.remove());
              throw missing;
            });
    assertThat(read).isEqualTo("read");
  }

  @Test
  void anAttemptThatFailsWhileNothingChangesIsNotRepeated() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                WhileChanging.repeat(
                    directory,
                    () -> {
                      attempts.incrementAndGet();
                      throw missing;
                    }))
        .isSameAs(missing);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void attemptsEndThoughFilesChangeAllTheTime() {
    AtomicInteger attempts = new AtomicInteger();
    assertThatThrownBy(
            () ->
                WhileChanging.repeat(
                    directory,
                    () -> {
                      create(directory.resolve(attempts.incrementAndGet() + ".log"));
                      throw missing;
                    }))
        .isSameAs(missing);
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void create(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
