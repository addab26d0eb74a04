package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads RocksDB's native library, once per JVM, from the directory of the store that is opened
 * first. It is not loaded from {@code /tmp}, which may be mounted without execute permission and is
 * cleaned by system jobs, unless the store's directory does not have it and can't be written to, or
 * the store is only read.
 *
 * <p>The library is unpacked to {@code native/} there if it is missing, or if its checksum differs
 * from that of the library on the class path, as after an upgrade or when it is corrupt. It gets
 * its name only when it is complete.
 */
final class NativeLibrary {
  /** The subdirectory of a store to which it is unpacked. */
  static final String DIRECTORY = "native";

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
    String name;
    String soughtName;
    try {
      name = Environment.getJniLibraryFileName("rocksdb");
      // The name that RocksDB.loadLibrary(List) searches for, which differs from the one above.
      soughtName = Environment.getJniLibraryFileName("rocksdbjni");
    } catch (UnsupportedOperationException e) {
      throw errors.rejected("RocksDB has no native library for " + platform(), e);
    }
    URL resource = RocksDB.class.getResource("/" + name);
    if (resource == null) {
      throw errors.rejected("RocksDB has no native library for " + platform() + ", " + name);
    }
    Path directory = store.resolve(DIRECTORY).toAbsolutePath();
    try {
      if (write || isPresent(resource, directory.resolve(soughtName))) {
        Files.createDirectories(directory);
        unpack(resource, directory.resolve(soughtName));
        load(directory, errors);
        return;
      }
    } catch (IOException e) {
      loadFromElsewhere(resource, soughtName, e, errors);
      return;
    }
    loadFromElsewhere(resource, soughtName, null, errors);
  }

  private static void load(Path directory, RocksDbErrors errors) {
    try {
      RocksDB.loadLibrary(List.of(directory.toString()));
    } catch (UnsatisfiedLinkError e) {
      throw errors.rejected(
          "cannot load RocksDB's native library: "
              + RocksDbErrors.oneLine(String.valueOf(e.getMessage()))
              + "; the file system of "
              + directory
              + " must not be mounted noexec",
          e);
    }
    loaded = true;
  }

  /**
   * Loads the library from a new directory in {@code java.io.tmpdir}, which is deleted at once: a
   * loaded library does not need its file, except on Windows.
   *
   * @param reason why the store's directory can't be used; null if it must not be written to
   */
  private static void loadFromElsewhere(
      URL resource, String name, @Nullable IOException reason, RocksDbErrors errors) {
    try {
      Path directory = Files.createTempDirectory("hourstone-");
      Path library = directory.resolve(name);
      try {
        unpack(resource, library);
        load(directory, errors);
      } finally {
        Files.deleteIfExists(library);
        Files.deleteIfExists(directory);
      }
    } catch (IOException e) {
      if (!loaded) {
        throw errors.noLibrary(reason, e);
      }
    }
  }

  /** Unpacks the library unless it is present. */
  static void unpack(URL resource, Path library) throws IOException {
    if (isPresent(resource, library)) {
      return;
    }
    // One name per process: files left by a killed process are eventually overwritten.
    Path unfinished =
        library.resolveSibling(library.getFileName() + "." + ProcessHandle.current().pid());
    try {
      try (InputStream in = resource.openStream();
          OutputStream out = Files.newOutputStream(unfinished)) {
        in.transferTo(out);
      }
      Files.move(unfinished, library, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static boolean isPresent(URL resource, Path library) throws IOException {
    return Files.isRegularFile(library) && checksum(library) == checksum(resource);
  }

  private static long checksum(URL resource) throws IOException {
    URLConnection connection = resource.openConnection();
    connection.setUseCaches(false);
    // A jar knows the checksums of its entries; no need to inflate 17 MB at every start.
    if (connection instanceof JarURLConnection jar) {
      try (var file = jar.getJarFile()) {
        return file.getJarEntry(jar.getEntryName()).getCrc();
      }
    }
    try (InputStream in = connection.getInputStream()) {
      return checksum(in);
    }
  }

  private static long checksum(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return checksum(in);
    }
  }

  private static long checksum(InputStream in) throws IOException {
    CheckedInputStream checked = new CheckedInputStream(in, new CRC32());
    checked.transferTo(OutputStream.nullOutputStream());
    return checked.getChecksum().getValue();
  }

  private static String platform() {
    return System.getProperty("os.name") + " on " + System.getProperty("os.arch");
  }
}
