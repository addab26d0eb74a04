package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.kv.rocksdb.BackupFiles.Content;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;

/**
 * The files of a backup, in a text that {@code sha256sum -c} reads, too. Its last line is the
 * checksum of those before it.
 *
 * @param store what distinguishes the store from others
 * @param time of the backup
 * @param files by name
 */
record BackupManifest(String store, Instant time, Map<String, Content> files) {
  static final String FILE = "SHA256SUMS";

  private static final String FIRST = "# Hourstone backup 1";
  private static final Pattern SUM = Pattern.compile("([0-9a-f]{64})  (\\w[\\w.-]*)");
  private static final Pattern SIZE = Pattern.compile("# (\\d{1,18}) bytes");

  long bytes() {
    return files.values().stream().mapToLong(Content::size).sum();
  }

  void write(Path directory) throws IOException {
    StringBuilder text = new StringBuilder(FIRST).append('\n');
    text.append("# store ").append(store).append('\n');
    text.append("# time ").append(time).append('\n');
    text.append("# RocksDB ").append(RocksDB.rocksdbVersion()).append('\n');
    files.forEach(
        (name, content) -> {
          text.append("# ").append(content.size()).append(" bytes\n");
          text.append(content.sha256()).append("  ").append(name).append('\n');
        });
    text.append(end(text.toString())).append('\n');
    BackupFiles.write(directory.resolve(FILE), text.toString().getBytes(UTF_8));
  }

  /** The one of a backup; null if it is corrupt. */
  static @Nullable BackupManifest read(Path directory) throws IOException {
    String text = new String(Files.readAllBytes(directory.resolve(FILE)), UTF_8);
    int end = text.lastIndexOf("# end ");
    if (end < 0 || !text.substring(end).equals(end(text.substring(0, end)) + "\n")) {
      return null;
    }
    try {
      return parsed(text.substring(0, end).lines().toList());
    } catch (NoSuchElementException | DateTimeException e) {
      return null;
    }
  }

  /** Whether a directory has one, which may be corrupt. */
  static boolean isBegun(Path directory) throws IOException {
    byte[] first = FIRST.getBytes(UTF_8);
    try (InputStream in = Files.newInputStream(directory.resolve(FILE))) {
      return Arrays.equals(in.readNBytes(first.length), first);
    }
  }

  /**
   * Whether the files of a directory are those of a backup: a copy of one that was written to since
   * has another list of files.
   */
  static boolean isOf(Path directory) throws IOException {
    try {
      if (!isBegun(directory)) {
        return false;
      }
    } catch (NoSuchFileException e) {
      return false;
    }
    BackupManifest manifest = read(directory);
    Content current = manifest == null ? null : manifest.files().get(StoreFiles.CURRENT);
    Path file = directory.resolve(StoreFiles.CURRENT);
    return current == null
        || Files.notExists(file)
        || BackupFiles.sha256(Files.readAllBytes(file)).equals(current.sha256());
  }

  private static String end(String text) {
    return "# end " + BackupFiles.sha256(text.getBytes(UTF_8));
  }

  private static @Nullable BackupManifest parsed(List<String> text) {
    Iterator<String> lines = text.iterator();
    if (!lines.next().equals(FIRST)) {
      return null;
    }
    String store = lines.next().substring("# store ".length());
    Instant time = Instant.parse(lines.next().substring("# time ".length()));
    lines.next();
    Map<String, Content> files = new LinkedHashMap<>();
    while (lines.hasNext()) {
      Matcher size = SIZE.matcher(lines.next());
      Matcher sum = SUM.matcher(lines.next());
      if (!size.matches() || !sum.matches()) {
        return null;
      }
      files.put(sum.group(2), new Content(Long.parseLong(size.group(1)), sum.group(1)));
    }
    return new BackupManifest(store, time, files);
  }
}
