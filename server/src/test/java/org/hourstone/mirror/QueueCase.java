package org.hourstone.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.codec.Value;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A queue in a temporary directory. */
abstract class QueueCase {
  static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_500_000_000));
  static final long LARGE = 1L << 30;

  @TempDir Path temporary;

  Path directory;

  @BeforeEach
  final void name() {
    directory = temporary.resolve("queue");
  }

  static MirrorQueue open(Path directory, long mostBytes) throws IOException {
    return MirrorQueue.open(new MirrorQueue.Options(directory, "a", mostBytes, false), CLOCK);
  }

  /** As a process finds the files that was killed: this one goes on and has them locked. */
  final Path copy(String name) throws IOException {
    Path copy = Files.createDirectory(temporary.resolve("queue" + name));
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  static List<Path> segments(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.filter(file -> file.toString().endsWith(".points")).sorted().toList();
    }
  }

  static byte[] tsuid(int series) {
    byte[] tsuid = new byte[9];
    tsuid[2] = (byte) series;
    return tsuid;
  }

  /** A record with points whose values are consecutive numbers. */
  static void append(QueueSink sink, int from, int to, int series) {
    for (int i = from; i < to; i++) {
      sink.add(tsuid(series + i % 2), 1_500_000_000 + i, Value.flagsOf(i), i);
    }
    sink.commit();
  }

  static List<Long> values(QueueReader reader) {
    List<Long> values = new ArrayList<>();
    for (QueuedPoint point = reader.next(); point != null; point = reader.next()) {
      assertThat(point.timestamp()).isEqualTo(1_500_000_000 + point.raw());
      values.add(point.raw());
    }
    return values;
  }

  static List<Long> numbers(int from, int to) {
    List<Long> numbers = new ArrayList<>();
    for (long i = from; i < to; i++) {
      numbers.add(i);
    }
    return numbers;
  }

  static long statistic(MirrorQueue queue, String metric, String type) {
    return queue.counts().statistics().stream()
        .filter(each -> each.metric().equals(metric))
        .filter(each -> each.tags().getOrDefault("type", "").equals(type))
        .mapToLong(Statistic::value)
        .sum();
  }
}
