package org.hourstone.tsd.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.hourstone.tsd.session.CommandException;
import org.jspecify.annotations.Nullable;

/**
 * The directory of the demo, which is empty at its start. A directory that is not empty is cleared
 * only if a file in it marks it as created by a demo, so that other data is never deleted.
 */
final class DemoDirectory {
  private static final String MARK = "MADE-BY-DEMO";

  private DemoDirectory() {}

  /**
   * Creates the directory, or clears it.
   *
   * @throws CommandException if it contains something else
   */
  static void prepare(Path directory) {
    try {
      if (isMarked(directory)) {
        delete(directory);
      } else if (Files.exists(directory) && !isEmpty(directory)) {
        throw new CommandException(
            directory + " is not empty and not from an earlier demo: name another with --store");
      }
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether a demo has created the directory. */
  static boolean isMarked(Path directory) {
    return Files.exists(directory.resolve(MARK));
  }

  /**
   * Marks the directory as created by a demo; called after its store was created, which requires an
   * empty directory.
   */
  static void mark(Path directory) {
    try {
      Files.createFile(directory.resolve(MARK));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  private static void delete(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
