package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/**
 * Recognises whether the files of a store's directory were replaced within the directory, as by a
 * backup that is copied over them: {@code LOCK} is never replaced, {@code CURRENT} is not changed
 * but replaced by RocksDB, which is rare, and the manifest that it names only grows. For one thread
 * at a time, within a {@link Scope}.
 */
final class OwnFiles {
  static final String REPLACED = "the files in its directory were replaced: ";

  private static final int HEAD_BYTES = 256;

  /** RocksDB may replace {@code CURRENT} while it is compared. */
  private static final int ATTEMPTS = 3;

  private final Path directory;
  private final RocksDB db;
  private final Map<String, Object> lock;
  private Map<String, Object> current;
  private Manifest manifest;

  /** A manifest: its name, which file it is, its first bytes, and its size so far. */
  private record Manifest(String name, String file, byte[] head, long size) {
    private static Manifest read(Path directory, String name) throws IOException {
      Path path = directory.resolve(name);
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      try (InputStream in = Files.newInputStream(path)) {
        return new Manifest(
            name,
            String.valueOf(attributes.fileKey()),
            in.readNBytes(HEAD_BYTES),
            attributes.size());
      }
    }

    private boolean isContinuedBy(Manifest other) {
      return file.equals(other.file)
          && size <= other.size
          && head.length <= other.head.length
          && Arrays.equals(head, 0, head.length, other.head, 0, head.length);
    }
  }

  private OwnFiles(Path directory, RocksDB db) throws IOException {
    this.directory = directory;
    this.db = db;
    this.lock = attributes(directory.resolve("LOCK"), "fileKey");
    this.current = currentAttributes();
    this.manifest = Manifest.read(directory, manifestName());
  }

  /** The files of a database that has just been opened for writing. */
  static OwnFiles of(Path directory, RocksDB db, RocksDbErrors errors) {
    try {
      return new OwnFiles(directory, db);
    } catch (IOException e) {
      throw errors.directory(e);
    }
  }

  /** As {@link #replaced}, as far as it is known if the database is not open. */
  @Nullable String lockReplaced() {
    try {
      return attributes(directory.resolve("LOCK"), "fileKey").equals(lock)
          ? null
          : REPLACED + "LOCK is another file";
    } catch (NoSuchFileException e) {
      return removed(e);
    } catch (IOException e) {
      return null; // not known
    }
  }

  /** What happened if files are not those of the open database; null if they are. */
  @Nullable String replaced() {
    String what = lockReplaced();
    if (what != null) {
      return what;
    }
    try {
      for (int i = 0; i < ATTEMPTS; i++) {
        what = difference();
        if (what == null) {
          return null;
        }
      }
      return what;
    } catch (IOException | RocksDBException e) {
      return null; // not known, as without a free descriptor
    }
  }

  private @Nullable String difference() throws IOException, RocksDBException {
    try {
      String what = compareCurrent();
      return what == null ? null : REPLACED + what;
    } catch (NoSuchFileException e) {
      return removed(e);
    }
  }

  private static String removed(NoSuchFileException e) {
    return "the files in its directory were removed: there is no "
        + Path.of(String.valueOf(e.getFile())).getFileName();
  }

  private @Nullable String compareCurrent() throws IOException, RocksDBException {
    Map<String, Object> attributes = currentAttributes();
    if (attributes.equals(current)
        && Files.size(directory.resolve(manifest.name())) == manifest.size()) {
      return null;
    }
    String name = manifestName();
    RocksDB.LiveFiles live = db.getLiveFiles(false);
    Manifest now = Manifest.read(directory, name);
    if (!live.files.contains("/" + name)) {
      return "CURRENT names " + name;
    }
    if (live.manifestFileSize > now.size()
        || (name.equals(manifest.name()) && !manifest.isContinuedBy(now))) {
      return name + " is another file";
    }
    current = attributes;
    manifest = now;
    return null;
  }

  private String manifestName() throws IOException {
    return new String(Files.readAllBytes(directory.resolve("CURRENT")), UTF_8).strip();
  }

  private Map<String, Object> currentAttributes() throws IOException {
    Path file = directory.resolve("CURRENT");
    boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    return Files.readAttributes(
        file, (unix ? "unix:ctime," : "basic:") + "fileKey,size,lastModifiedTime");
  }

  private static Map<String, Object> attributes(Path file, String names) throws IOException {
    return Files.readAttributes(file, names);
  }
}
