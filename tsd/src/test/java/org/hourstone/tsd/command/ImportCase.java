package org.hourstone.tsd.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.hourstone.tsd.CommandRun;
import org.junit.jupiter.api.io.TempDir;

/** Imports of files into a store of their own. */
public abstract class ImportCase {
  public static final String GOOD = "m 1700000000 1 a=b\n";

  @TempDir Path directory;

  public final String store = CommandRun.newStore();

  CommandRun load(String... words) {
    List<String> args = new ArrayList<>(List.of("--store", store, "import"));
    args.addAll(List.of(words));
    return CommandRun.of(args.toArray(String[]::new));
  }

  static Path real(String file) throws IOException {
    return Path.of(file).toRealPath();
  }

  static List<String> complaints(CommandRun run) {
    return run.errLines().stream().filter(line -> line.startsWith("hourstone: ")).toList();
  }

  String stored() {
    return CommandRun.of("--store", store, "query", "2023/11/01", "none:m", "--json").out();
  }

  long storedPoints() {
    return CommandRun.of("--store", store, "query", "2023/11/01", "none:m").out().lines().count()
        - 2;
  }

  String file(String name, String text) {
    return file(name, text.getBytes(UTF_8));
  }

  String file(String name, byte[] bytes) {
    try {
      return Files.write(directory.resolve(name), bytes).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }
}
