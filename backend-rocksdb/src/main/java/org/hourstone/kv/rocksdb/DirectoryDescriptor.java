package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A path to a directory that leads to the same directory even if that is moved or its path is taken
 * by another one: it names an open file descriptor, as Linux allows. There is no such path on other
 * systems, or if {@code /proc} is not mounted.
 */
final class DirectoryDescriptor implements AutoCloseable {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /** Of the flags in {@code fdinfo}, as octal digits, the one with which only this class opens. */
  private static final long SYNC = 04000000;

  /**
   * The descriptors in use: one that is not closed stays open even if its store is forgotten, since
   * its number would soon be that of another file. Also excludes that two are searched for at a
   * time.
   */
  private static final Map<String, FileChannel> USED = new HashMap<>();

  private final String number;

  private DirectoryDescriptor(String number) {
    this.number = number;
  }

  /**
   * Opens one.
   *
   * @param directory its real path
   * @return null if the system does not support it
   */
  static @Nullable DirectoryDescriptor open(Path directory) throws IOException {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return null;
    }
    synchronized (USED) {
      FileChannel channel =
          FileChannel.open(directory, StandardOpenOption.READ, StandardOpenOption.SYNC);
      String number = find(directory);
      if (number == null) {
        channel.close();
        return null;
      }
      USED.put(number, channel);
      return new DirectoryDescriptor(number);
    }
  }

  Path path() {
    return DESCRIPTORS.resolve(number);
  }

  /** Replaces such paths in a text. */
  static String named(String text, Path directory) {
    return text.contains("/proc/self/fd/")
        ? text.replaceAll("/proc/self/fd/\\d+", Matcher.quoteReplacement(directory.toString()))
        : text;
  }

  @Override
  public void close() {
    synchronized (USED) {
      FileChannel channel = USED.remove(number);
      try {
        if (channel != null) {
          channel.close();
        }
      } catch (IOException e) {
        // Nothing was written by it.
      }
    }
  }

  /** The descriptor just opened, which Java does not reveal. */
  private static @Nullable String find(Path directory) throws IOException {
    try (DirectoryStream<Path> open = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : open) {
        String number = descriptor.getFileName().toString();
        if (!USED.containsKey(number) && isOwn(descriptor, number, directory)) {
          return number;
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return null;
  }

  private static boolean isOwn(Path descriptor, String number, Path directory) {
    try {
      return Files.readSymbolicLink(descriptor).equals(directory)
          && (flags(number) & SYNC) != 0
          && Files.isSameFile(descriptor, directory);
    } catch (IOException e) {
      return false; // it was closed in the meantime
    }
  }

  private static long flags(String number) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/fdinfo", number))) {
      if (line.startsWith("flags:")) {
        return Long.parseLong(line.substring("flags:".length()).strip(), 8);
      }
    }
    return 0;
  }
}
