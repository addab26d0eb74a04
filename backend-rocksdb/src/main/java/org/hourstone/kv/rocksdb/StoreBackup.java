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
import java.util.regex.Pattern;
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

  /** RocksDB appends {@code .tmp} until a checkpoint is complete. */
  private static final Pattern LEFTOVER =
      Pattern.compile(PREFIX + "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}(\\.tmp)?");

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
  public synchronized Backup create(Path target, int keep, long reserve, Watch watch) {
    if (keep < 0 || reserve < 0) {
      throw new IllegalArgumentException("generations to keep: " + keep + ", reserve: " + reserve);
    }
    Path absolute = target.toAbsolutePath().normalize();
    if (absolute.startsWith(directory.toAbsolutePath().normalize())) {
      throw new StoreException(
          Outcome.REJECTED, "backups can't be in the store's own directory: " + target);
    }
    Source source = checkpoint.apply(PREFIX + UUID.randomUUID());
    try {
      return new BackupWriter(absolute, reserve)
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
      return BackupContents.of(target).readable().values().stream()
          .map(BackupContents.Origin::time)
          .max(Instant::compareTo);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Deletes what processes that died have left in a store's directory. */
  static void removeLeftovers(Path store) throws IOException {
    for (String name : BackupFiles.names(store)) {
      if (LEFTOVER.matcher(name).matches() || name.equals(BackupRestoration.COPIED)) {
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
