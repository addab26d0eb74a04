package org.hourstone.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.Reclamation;

/**
 * The place of a database on RocksDB, which may be opened repeatedly. Its files are deleted when it
 * is closed.
 *
 * @param uriParameters such as {@code ?coded=false}; may be empty
 */
record RocksDbPlace(WorkDirectory directory, String uriParameters) implements AutoCloseable {
  static final Family POINTS = TsdbOptions.defaults().tables().points();

  String uri() {
    return "rocksdb:" + directory.path().resolve("data") + uriParameters;
  }

  Tsdb open(TsdbOptions options) {
    return Tsdb.open(uri(), options);
  }

  /** Merges the files of points, as they become in the long run. The database is closed. */
  void settle() {
    try (KeyValueStore store = KeyValueStores.open(uri())) {
      settle(store, POINTS);
    }
  }

  /** Merges the files of a family. */
  static void settle(KeyValueStore store, Family family) {
    store.extension(Reclamation.class).orElseThrow().reclaim(family, new byte[0], null);
  }

  /** The bytes of its table files, those of names included. */
  long tableBytes() {
    return tableBytes(directory.path());
  }

  /** The bytes of the table files below a directory. */
  static long tableBytes(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".sst"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    directory.close();
  }
}
