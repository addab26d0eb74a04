package org.hourstone.tsd;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The files that others create in a directory, and in the directories that they create there. */
final class CreatedFiles implements AutoCloseable {
  private final WatchService watch;
  private final Set<Path> created = new HashSet<>();

  CreatedFiles(Path directory) throws IOException {
    watch = FileSystems.getDefault().newWatchService();
    directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
  }

  /** Waits until that number has been created, or something has ended. */
  void await(int count, BooleanSupplier hasEnded) throws IOException, InterruptedException {
    while (created.size() < count && !hasEnded.getAsBoolean()) {
      WatchKey key = watch.poll(1, TimeUnit.SECONDS); // or it has ended
      if (key != null) {
        for (WatchEvent<?> event : key.pollEvents()) {
          if (event.context() instanceof Path name) {
            add(((Path) key.watchable()).resolve(name));
          }
        }
        key.reset();
      }
    }
  }

  private void add(Path file) throws IOException {
    created.add(file);
    if (!Files.isDirectory(file)) {
      return;
    }
    try {
      file.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      try (Stream<Path> files = Files.list(file)) {
        files.forEach(created::add);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      // It has been renamed since.
    }
  }

  @Override
  public void close() throws IOException {
    watch.close();
  }
}
