package org.hourstone.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary directory, deleted with all that is in it when closed. */
record WorkDirectory(Path path) implements AutoCloseable {
  /** A new one in {@code parent}; the system's place for temporary files if that is empty. */
  static WorkDirectory create(String parent) throws IOException {
    String prefix = "hourstone-bench";
    return new WorkDirectory(
        parent.isEmpty()
            ? Files.createTempDirectory(prefix)
            : Files.createTempDirectory(Path.of(parent), prefix));
  }

  /** A new one inside of this. */
  WorkDirectory inner(String name) throws IOException {
    return new WorkDirectory(Files.createTempDirectory(path, name));
  }

  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(path)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path one : deepestFirst) {
        Files.delete(one);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
