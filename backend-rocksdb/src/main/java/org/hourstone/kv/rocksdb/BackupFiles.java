package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntConsumer;

/** Reads and copies files with their checksums. What it has copied is on the disk. */
final class BackupFiles {
  private static final int PIECE = 1 << 18;

  private BackupFiles() {}

  /** What is known of a file's content. */
  record Content(long size, String sha256) {}

  /** The names in a directory, sorted; none if it does not exist. */
  static List<String> names(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      files.forEach(file -> names.add(file.getFileName().toString()));
    } catch (NoSuchFileException e) {
      return names;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(null);
    return names;
  }

  /** Creates a directory unless there is one, or a link to one. */
  static void create(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
    }
  }

  static Content read(Path file) throws IOException {
    return read(file, bytes -> {});
  }

  /**
   * As {@link #read(Path)}.
   *
   * @param watch gets the number of bytes of each piece that was read
   */
  static Content read(Path file, IntConsumer watch) throws IOException {
    return readInto(file, piece -> watch.accept(piece.remaining()));
  }

  /** Copies a file; fails if there is one already. */
  static Content copy(Path from, Path to) throws IOException {
    return copy(from, to, bytes -> {});
  }

  /**
   * As {@link #copy(Path, Path)}.
   *
   * @param watch gets the number of bytes of each piece that was read
   */
  static Content copy(Path from, Path to, IntConsumer watch) throws IOException {
    try (FileChannel out =
        FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      Content content =
          readInto(
              from,
              piece -> {
                watch.accept(piece.remaining());
                writeAll(out, piece);
              });
      out.force(true);
      return content;
    }
  }

  /** Writes a new file; fails if there is one already. */
  static void write(Path file, byte[] content) throws IOException {
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      writeAll(out, ByteBuffer.wrap(content));
      out.force(true);
    }
  }

  /** Makes sure that the names in a directory are on the disk, where the system allows it. */
  static void force(Path directory) throws IOException {
    if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /** Deletes a directory of files, or what is left of one. */
  static void delete(Path directory) throws IOException {
    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      for (String name : names(directory)) {
        delete(directory.resolve(name));
      }
    }
    Files.deleteIfExists(directory);
  }

  static String sha256(byte[] content) {
    return HexFormat.of().formatHex(digest().digest(content));
  }

  private interface Sink {
    void take(ByteBuffer piece) throws IOException;
  }

  private static Content readInto(Path file, Sink sink) throws IOException {
    MessageDigest digest = digest();
    byte[] piece = new byte[PIECE];
    long size = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int length = in.read(piece); length >= 0; length = in.read(piece)) {
        digest.update(piece, 0, length);
        sink.take(ByteBuffer.wrap(piece, 0, length));
        size += length;
      }
    }
    return new Content(size, HexFormat.of().formatHex(digest.digest()));
  }

  private static void writeAll(FileChannel out, ByteBuffer piece) throws IOException {
    while (piece.hasRemaining()) {
      out.write(piece);
    }
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
