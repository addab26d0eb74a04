package org.hourstone.tsd.session;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** A file of settings with the lines of its keys, which {@link Properties} does not keep. */
final class SettingsFile {
  /** The settings that OpenTSDB reads if none are named; the first that exists counts. */
  static final List<Path> PLACES =
      List.of(
          Path.of("opentsdb.conf"),
          Path.of("/etc/opentsdb.conf"),
          Path.of("/etc/opentsdb/opentsdb.conf"),
          Path.of("/opt/opentsdb/opentsdb.conf"));

  /**
   * A setting in a file.
   *
   * @param line the number of its first line, from 1
   */
  record Entry(int line, String key, String value) {}

  private SettingsFile() {}

  /**
   * All settings in their order, also those that are set again.
   *
   * @throws CommandException if the file can't be read, or a line has an invalid escape
   */
  static List<Entry> read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new CommandException(Problem.of("settings", file, e), e);
    }
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      int first = i;
      StringBuilder whole = new StringBuilder(lines.get(i));
      while (!isComment(lines.get(first)) && continues(whole) && i + 1 < lines.size()) {
        i++;
        whole.append('\n').append(lines.get(i));
      }
      Properties one = new Properties();
      try {
        one.load(new StringReader(whole.toString()));
      } catch (IOException | IllegalArgumentException e) {
        throw new CommandException(file + ":" + (first + 1) + ": " + e.getMessage(), e);
      }
      one.stringPropertyNames()
          .forEach(key -> entries.add(new Entry(first + 1, key, one.getProperty(key).strip())));
    }
    return entries;
  }

  private static boolean isComment(String line) {
    String text = line.stripLeading();
    return text.isEmpty() || text.startsWith("#") || text.startsWith("!");
  }

  /** Whether a line ends with a backslash that is not escaped. */
  private static boolean continues(CharSequence line) {
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }
}
