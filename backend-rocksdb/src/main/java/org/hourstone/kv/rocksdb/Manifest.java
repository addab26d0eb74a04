package org.hourstone.kv.rocksdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The list of table files that is current. RocksDB takes zeros in it for space that was reserved,
 * and goes on without the changes that were there.
 *
 * @param number of its name; 0 if it is not known
 * @param bytes the size of what can be read
 * @param endless why RocksDB would never end to read it; null if it would
 */
record Manifest(long number, long bytes, @Nullable String endless) {
  private static final Pattern NAME = Pattern.compile("MANIFEST-(\\d+)");
  private static final Manifest UNKNOWN = new Manifest(0, 0, null);

  String name() {
    return String.format(Locale.ROOT, "MANIFEST-%06d", number);
  }

  static Manifest current(Path directory) {
    try {
      String name = Files.readString(directory.resolve(StoreFiles.CURRENT), ISO_8859_1).strip();
      Matcher matcher = NAME.matcher(name);
      if (!matcher.matches()) {
        return UNKNOWN;
      }
      try (FileChannel channel = FileChannel.open(directory.resolve(name))) {
        Reader reader = new Reader(channel);
        reader.readAll();
        return new Manifest(
            Long.parseLong(matcher.group(1)),
            reader.end(),
            reader.endless() ? reader.flaw() : null);
      }
    } catch (IOException | NumberFormatException e) {
      return UNKNOWN;
    }
  }

  /** Only looks for the end. */
  private static final class Reader extends LogReader {
    Reader(FileChannel channel) {
      super(channel, false);
    }

    @Override
    void begin() {}

    @Override
    void part(int type, int at, int length) {}

    @Override
    void recordEnds(long position) {}

    @Override
    void other(int type, int at, int length) {}
  }
}
