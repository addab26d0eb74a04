package org.hourstone.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Points whose size is measured.
 *
 * @param lines a file of import lines
 */
record SizeData(String title, long points, Path lines) {
  /**
   * The workload W1 as whole numbers ({@code int}) or with two decimals ({@code dec}), or NAB's
   * real data ({@code nab}).
   */
  static SizeData write(String name, Arguments arguments, Path lines) throws IOException {
    if (name.equals("nab")) {
      try (InputStream in =
          new GZIPInputStream(Files.newInputStream(Path.of(arguments.text("nab"))))) {
        Files.write(lines, in.readAllBytes());
      }
      return new SizeData("NAB's data", distinct(lines), lines);
    }
    String title =
        switch (name) {
          case "int" -> "W1, whole numbers";
          case "dec" -> "W1, two decimals";
          default -> throw new UsageException("data '" + name + "': must be int, dec or nab");
        };
    DevopsWorkload workload =
        new DevopsWorkload(
            arguments.number("hosts"),
            (int) (arguments.decimal("hours") * 3600),
            name.equals("dec"));
    workload.writeTo(lines);
    return new SizeData(title, workload.points(), lines);
  }

  /** How many points are left of lines of which the last of a series and time counts. */
  private static long distinct(Path lines) throws IOException {
    try (Stream<String> all = Files.lines(lines)) {
      return all.map(SizeData::withoutValue).distinct().count();
    }
  }

  private static String withoutValue(String line) {
    String[] words = line.split(" ", 4);
    return words[1] + ' ' + words[0] + ' ' + words[3];
  }
}
