package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The directory of an open store. RocksDB opens, creates and deletes files by {@link #path}, which
 * stays with the directory if that is moved, so that nothing is written to, or deleted from,
 * another one that takes its place. In a process a directory is opened for writing once, whatever
 * its names: RocksDB's own lock compares paths only.
 */
final class StorePlace implements AutoCloseable {
  /** The file keys of the directories open for writing. */
  private static final Set<Object> WRITTEN = ConcurrentHashMap.newKeySet();

  /** RocksDB deletes files with such names when it opens a database. */
  private static final String PROBE = "000000.dbtmp";

  private static final int PROBE_BYTES = 4 << 20;
  private static final int PROBE_DESCRIPTORS = 8;
  private static final int PIECE = 1 << 16;

  private final Path directory;
  private final @Nullable DirectoryDescriptor descriptor;
  private final Path path;
  private final @Nullable Object key;
  private final boolean writes;

  private StorePlace(
      Path directory,
      @Nullable DirectoryDescriptor descriptor,
      Path path,
      @Nullable Object key,
      boolean writes) {
    this.directory = directory;
    this.descriptor = descriptor;
    this.path = path;
    this.key = key;
    this.writes = writes;
  }

  /** Opens an existing directory. */
  static StorePlace open(Path directory, boolean writes, RocksDbErrors errors) {
    Path absolute = directory.toAbsolutePath();
    DirectoryDescriptor descriptor = null;
    try {
      Path real = directory.toRealPath();
      descriptor = DirectoryDescriptor.open(real);
      Path path = descriptor == null ? real : descriptor.path();
      Object key = key(path);
      if (writes && key != null && !WRITTEN.add(key)) {
        throw errors.alreadyOpen(null);
      }
      StorePlace place = new StorePlace(absolute, descriptor, path, key, writes);
      descriptor = null;
      return place;
    } catch (IOException e) {
      throw errors.directory(e);
    } finally {
      if (descriptor != null) {
        descriptor.close();
      }
    }
  }

  /** The path by which its files are opened. */
  Path path() {
    return path;
  }

  /** Whether {@link #path} stays with the directory if that is moved. */
  boolean isFollowed() {
    return descriptor != null;
  }

  /**
   * Whether no other process has the store open, as far as is known. Must not be called while this
   * process has it open for writing: its lock belongs to the process, and RocksDB would lose it.
   */
  boolean isFree() {
    try (FileChannel lock = FileChannel.open(path.resolve("LOCK"), StandardOpenOption.WRITE)) {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    } catch (IOException e) {
      return true; // opening it will show
    }
  }

  /** What happened if the store's path no longer leads to the directory; null if it does. */
  @Nullable String moved() {
    try {
      return Objects.equals(key(directory), key)
          ? null
          : "its directory was replaced: another one is at " + directory;
    } catch (NoSuchFileException e) {
      return missing();
    } catch (FileSystemException e) {
      return "Not a directory".equals(e.getReason()) ? missing() : null;
    } catch (IOException e) {
      return null; // not known
    }
  }

  private String missing() {
    return "its directory was moved or removed: there is none at " + directory;
  }

  /**
   * Checks that some megabytes can be written, and some more files opened.
   *
   * @throws IOException why not
   */
  void probe() throws IOException {
    Path file = path.resolve(PROBE);
    FileChannel[] more = new FileChannel[PROBE_DESCRIPTORS];
    try (FileChannel out =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer piece = ByteBuffer.allocate(PIECE);
      for (int written = 0; written < PROBE_BYTES; written += PIECE) {
        piece.clear();
        while (piece.hasRemaining()) {
          out.write(piece);
        }
      }
      out.force(true);
      for (int i = 0; i < more.length; i++) {
        more[i] = FileChannel.open(file, StandardOpenOption.READ);
      }
    } finally {
      for (FileChannel channel : more) {
        if (channel != null) {
          channel.close();
        }
      }
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void close() {
    if (writes && key != null) {
      WRITTEN.remove(key);
    }
    if (descriptor != null) {
      descriptor.close();
    }
  }

  private static @Nullable Object key(Path directory) throws IOException {
    return Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
  }
}
