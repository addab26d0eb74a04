package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.hourstone.kv.Backups;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.StoreException.Outcome;

/**
 * Makes backups of a store from checkpoints in its own directory, which take no space, as their
 * table files are hard links. Only the checkpoint is made within a call of the store; copying it
 * delays nothing.
 */
final class StoreBackup implements Backups {
  private static final String PREFIX = "backup-";

  private final Path directory;
  private final InstantSource clock;
  private final Function<String, Source> checkpoint;

  /** A checkpoint, and what distinguishes the store from others. */
  record Source(Path checkpoint, String store) {}

  /**
   * @param directory of the store
   * @param checkpoint makes one, of the given name, in the store's directory
   */
  StoreBackup(Path directory, InstantSource clock, Function<String, Source> checkpoint) {
    this.directory = directory;
    this.clock = clock;
    this.checkpoint = checkpoint;
  }

  @Override
  public synchronized Backup create(Path target, int keep, Watch watch) {
    if (keep < 0) {
      throw new IllegalArgumentException("generations to keep: " + keep);
    }
    Path absolute = target.toAbsolutePath().normalize();
    if (absolute.startsWith(directory.toAbsolutePath().normalize())) {
      throw new StoreException(
          Outcome.REJECTED, "backups can't be in the store's own directory: " + target);
    }
    Source source = checkpoint.apply(PREFIX + UUID.randomUUID());
    try {
      return new BackupWriter(absolute)
          .add(source.checkpoint(), source.store(), clock.instant(), keep, watch);
    } catch (IOException e) {
      throw new StoreException(
          Outcome.NOT_APPLIED,
          "can't back up RocksDB store "
              + directory
              + " to "
              + target
              + ": "
              + RocksDbErrors.reason(e),
          e);
    } finally {
      removed(source.checkpoint());
    }
  }

  @Override
  public Optional<Instant> latest(Path target) {
    List<Path> places = new ArrayList<>(List.of(target));
    try (DirectoryStream<Path> below = Files.newDirectoryStream(target, Files::isDirectory)) {
      below.forEach(places::add);
    } catch (IOException | DirectoryIteratorException e) {
      return Optional.empty();
    }
    return places.stream().flatMap(place -> latestIn(place).stream()).max(Instant::compareTo);
  }

  private static Optional<Instant> latestIn(Path target) {
    try {
      BackupDirectory backups = BackupDirectory.at(target);
      List<Long> numbers = backups.numbers();
      return numbers.isEmpty()
          ? Optional.empty()
          : Optional.of(backups.generation(numbers.get(numbers.size() - 1)).time());
    } catch (StoreException e) {
      return Optional.empty();
    }
  }

  /** Deletes what processes that died have left in a store's directory. */
  static void removeLeftovers(Path store) throws IOException {
    for (String name : BackupFiles.names(store)) {
      if (name.startsWith(PREFIX)) {
        BackupFiles.delete(store.resolve(name));
      }
    }
  }

  private static void removed(Path checkpoint) {
    try {
      BackupFiles.delete(checkpoint);
    } catch (IOException e) {
      // The next backup deletes it.
    }
  }
}
