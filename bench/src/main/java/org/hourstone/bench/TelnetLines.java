package org.hourstone.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.write.PointWriter;
import org.hourstone.write.TextPoints;

/**
 * Points as lines of telnet, and a clock that shows the time of the current one, so that a flush
 * interval buffers as many points of a row as it would if they arrived in real time.
 *
 * @param lines with {@code put}, without their ends
 * @param millis the time of each
 */
record TelnetLines(List<byte[]> lines, long[] millis, AtomicLong now) {
  /** As many as the daemon hands over together. */
  private static final int MOST_TOGETHER = 4096;

  /**
   * Those of an import file with times in seconds.
   *
   * @param now is set to the time of the first
   */
  static TelnetLines read(Path file, AtomicLong now) throws IOException {
    List<String> all = Files.readAllLines(file);
    long[] millis =
        all.stream().mapToLong(line -> Long.parseLong(line.split(" ", 3)[1]) * 1000).toArray();
    List<byte[]> lines = all.stream().map(line -> ("put " + line).getBytes(US_ASCII)).toList();
    now.set(millis[0]);
    return new TelnetLines(lines, millis, now);
  }

  /** Options with the clock of the points. */
  TsdbOptions clocked(TsdbOptions options) {
    return options.withClock(() -> Instant.ofEpochMilli(now.get()));
  }

  /** Writes all from their bytes, as the daemon reads them; returns when they are stored. */
  void write(Tsdb db) {
    Stored stored = new Stored();
    PointWriter writer = db.writer();
    TextPoints known = writer.telnetPoints();
    for (int i = 0; i < millis.length; i++) {
      if (now.get() != millis[i]) {
        known.send(stored);
        now.set(millis[i]);
      }
      byte[] line = lines.get(i);
      if (!known.addTelnetLine(line, 0, line.length, i)) {
        known.send(stored);
        writer.putTelnetLine(new String(line, ISO_8859_1), stored, i);
      } else if (known.size() >= MOST_TOGETHER) {
        known.send(stored);
      }
    }
    known.send(stored);
    writer.flush();
    if (stored.points() != millis.length) {
      throw new IllegalStateException(stored.points() + " of " + millis.length + " points");
    }
  }
}
