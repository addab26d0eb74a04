package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.StoreException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads RocksDB's native library, once per JVM, from a new directory, which is deleted at once: a
 * loaded library does not need its file, except on Windows. So the file that the process executes
 * cannot be replaced or cut. The new directory is in {@code java.io.tmpdir}, or, if that is mounted
 * without execute permission or can't be written to, in that of the store.
 */
final class NativeLibrary {
  /** The subdirectory of a store in which earlier versions kept it. */
  static final String DIRECTORY = "native";

  private static final String PREFIX = "hourstone-";

  private static boolean loaded;

  private NativeLibrary() {}

  /**
   * Makes the classes of {@code org.rocksdb} usable.
   *
   * @param write whether the store's directory may be written to
   */
  static synchronized void load(Path store, boolean write, RocksDbErrors errors) {
    if (loaded) {
      return;
    }
    List<Path> parents = new ArrayList<>();
    parents.add(Path.of(System.getProperty("java.io.tmpdir")));
    if (write) {
      parents.add(store.toAbsolutePath());
    }
    load(parents, errors);
  }

  /** Tries one directory after the other. */
  static synchronized void load(List<Path> parents, RocksDbErrors errors) {
    String name;
    String soughtName;
    try {
      name = Environment.getJniLibraryFileName("rocksdb");
      // The name that RocksDB.loadLibrary(List) searches for, which differs from the one above.
      soughtName = Environment.getJniLibraryFileName("rocksdbjni");
    } catch (UnsupportedOperationException e) {
      throw errors.rejected("RocksDB has no native library for " + platform(), e);
    }
    if (RocksDB.class.getResource("/" + name) == null) {
      throw errors.rejected("RocksDB has no native library for " + platform() + ", " + name);
    }
    StoreException failure = null;
    for (Path parent : parents) {
      StoreException next = load(parent, name, soughtName, errors);
      if (next == null) {
        return;
      }
      if (failure == null) {
        failure = next;
      } else {
        failure.addSuppressed(next);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns why it could not be loaded; null if it was. */
  private static @Nullable StoreException load(
      Path parent, String name, String soughtName, RocksDbErrors errors) {
    boolean done = false;
    try {
      Path directory = Files.createTempDirectory(parent, PREFIX);
      Path library = directory.resolve(soughtName);
      try (InputStream in = RocksDB.class.getResourceAsStream("/" + name)) {
        if (in == null) {
          throw new IOException("there is no " + name);
        }
        Files.copy(in, library);
        RocksDB.loadLibrary(List.of(directory.toString()));
        loaded = true;
        done = true;
      } finally {
        Files.deleteIfExists(library);
        Files.deleteIfExists(directory);
      }
      return null;
    } catch (IOException e) {
      return done ? null : errors.noLibrary(e); // a loaded file can't be deleted on Windows
    } catch (UnsatisfiedLinkError e) {
      return errors.rejected(
          "cannot load RocksDB's native library: "
              + RocksDbErrors.oneLine(String.valueOf(e.getMessage()))
              + "; the file system of "
              + parent
              + " must not be mounted noexec; set java.io.tmpdir to another directory",
          e);
    }
  }

  private static String platform() {
    return System.getProperty("os.name") + " on " + System.getProperty("os.arch");
  }
}
