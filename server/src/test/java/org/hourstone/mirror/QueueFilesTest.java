package org.hourstone.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that a kill, a crash or a person has left in any state. */
class QueueFilesTest extends QueueCase {
  /** A process that is killed leaves any part of what it appended last. */
  @Test
  void aTornEndIsCutAtAnyByte() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE)) {
      QueueSink sink = queue.sink();
      append(sink, 0, 10, 1);
      int whole = (int) Files.size(segments(directory).get(0));
      append(sink, 10, 13, 1);
      int all = (int) Files.size(segments(directory).get(0));
      for (int size = whole; size < all; size++) {
        Path copy = copy("-" + size);
        try (RandomAccessFile file = new RandomAccessFile(segments(copy).get(0).toFile(), "rw")) {
          file.setLength(size);
        }
        try (LoggedBy log = LoggedBy.thisThread("org.hourstone.mirror");
            MirrorQueue found = open(copy, LARGE);
            QueueReader reader = new QueueReader(found)) {
          append(found.sink(), 10, 15, 1);

          assertThat(values(reader)).as("%d bytes", size).isEqualTo(numbers(0, 15));
          assertThat(log.messages()).hasSize(size == whole ? 0 : 1);
          log.messages()
              .forEach(line -> assertThat(line).contains("000000000000000001.points ends within"));
        }
      }
    }
  }

  /** Of a corrupt segment all records are read but the corrupt one, or those after its length. */
  @Test
  void aCorruptRecordIsReportedAndTheRestGoesOn() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE)) {
      QueueSink sink = queue.sink();
      append(sink, 0, 10, 1);
      int begin = (int) Files.size(segments(directory).get(0));
      append(sink, 10, 20, 1);
      int end = (int) Files.size(segments(directory).get(0));
      append(sink, 20, 30, 1);
      for (int at = begin; at < end; at++) {
        Path copy = copy("-" + at);
        try (RandomAccessFile file = new RandomAccessFile(segments(copy).get(0).toFile(), "rw")) {
          file.seek(at);
          int before = file.read();
          file.seek(at);
          file.write(before ^ 0x40);
        }
        try (LoggedBy log = LoggedBy.thisThread("org.hourstone.mirror");
            MirrorQueue found = open(copy, LARGE);
            QueueReader reader = new QueueReader(found)) {
          append(found.sink(), 30, 40, 1);

          List<Long> values = values(reader);

          assertThat(values)
              .as("corrupt at %d", at)
              .startsWith(numbers(0, 10).toArray(Long[]::new));
          assertThat(values).endsWith(numbers(30, 40).toArray(Long[]::new));
          assertThat(values).doesNotContainAnyElementsOf(numbers(10, 20));
          if (at >= begin + Integer.BYTES) { // not in the length, so the next one is found
            assertThat(values).containsAll(numbers(20, 30));
            assertThat(statistic(found, "mirror.queue.corrupt", "")).isEqualTo(1);
          }
          assertThat(log.messages()).isNotEmpty();
          assertThat(log.messages().get(0)).contains("000000000000000001.points");
        }
      }
    }
  }

  @Test
  void aMissingSegmentIsReported() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE)) {
      append(queue.sink(), 0, 10, 1);
      Files.delete(segments(directory).get(0));

      try (LoggedBy log = LoggedBy.thisThread("org.hourstone.mirror");
          QueueReader reader = new QueueReader(queue)) {
        assertThat(reader.next()).isNull();
        assertThat(log.messages()).hasSize(1);
        assertThat(log.messages().get(0)).contains("000000000000000001.points is missing");
      }
    }
  }

  /** As when the files of a queue that is in use are deleted. */
  @Test
  void aSegmentThatIsMissingIsNotWrittenTo() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE);
        QueueReader reader = new QueueReader(queue)) {
      append(queue.sink(), 0, 10, 1);
      Files.delete(segments(directory).get(0));
      assertThat(reader.next()).isNull();
      append(queue.sink(), 10, 20, 1);
      queue.settle(reader.position());
      append(queue.sink(), 20, 30, 1);

      assertThat(values(reader)).isEqualTo(numbers(10, 30));
      assertThat(statistic(queue, "mirror.queue.corrupt", "")).isEqualTo(1);
    }
  }

  @Test
  void aSegmentThatCanNotBeOpenedNowIsReadLater() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE);
        QueueReader reader = new QueueReader(queue)) {
      append(queue.sink(), 0, 10, 1);
      Path segment = segments(directory).get(0);
      Path aside = Files.move(segment, directory.resolve("aside"));
      Files.createDirectory(segment); // what can't be opened as a file
      assertThatThrownBy(reader::next).isInstanceOf(UncheckedIOException.class);
      Files.delete(segment);
      Files.move(aside, segment);

      assertThat(values(reader)).isEqualTo(numbers(0, 10));
      assertThat(statistic(queue, "mirror.queue.corrupt", "")).isEqualTo(0);
    }
  }

  @Test
  void aFileInWhichSomethingWasSettledIsNotWrittenAgain() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE);
        QueueReader reader = new QueueReader(queue)) {
      append(queue.sink(), 0, 10, 1);
      append(queue.sink(), 10, 20, 1);
      for (int i = 0; i < 15; i++) {
        assertThat(reader.next()).isNotNull();
      }
      queue.settle(reader.position());
    }
    Files.delete(segments(directory).get(0));
    try (MirrorQueue queue = open(directory, LARGE);
        QueueReader reader = new QueueReader(queue)) {
      append(queue.sink(), 20, 40, 1);
      assertThat(values(reader)).isEqualTo(numbers(20, 40));
    }
  }

  @Test
  void withoutItsPositionEverythingIsReadAgain() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE);
        QueueReader reader = new QueueReader(queue)) {
      append(queue.sink(), 0, 10, 1);
      for (int i = 0; i < 5; i++) {
        assertThat(reader.next()).isNotNull();
      }
      queue.settle(reader.position());
    }
    try (MirrorQueue queue = open(directory, LARGE);
        QueueReader reader = new QueueReader(queue)) {
      assertThat(values(reader)).isEqualTo(numbers(5, 10));
    }
    Files.write(directory.resolve("position"), new byte[] {1, 2, 3});
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.mirror");
        MirrorQueue queue = open(directory, LARGE);
        QueueReader reader = new QueueReader(queue)) {
      assertThat(values(reader)).isEqualTo(numbers(0, 10));
      assertThat(log.messages()).hasSize(1);
      assertThat(log.messages().get(0)).contains("position in the queue can't be read");
    }
  }

  /** Appends, reads, settles, ends and kills at random. Each point is read, in order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void nothingIsLostByKills(long seed) throws IOException {
    Random random = new Random(seed);
    Path at = directory;
    int appended = 0;
    long settled = -1;
    for (int life = 0; life < 12; life++) {
      MirrorQueue queue = open(at, 8 << 20);
      try (QueueReader reader = new QueueReader(queue)) {
        QueueSink sink = queue.sink();
        long last = settled;
        for (int step = 0; step < 30; step++) {
          int points = random.nextInt(random.nextInt(10) == 0 ? 4000 : 20);
          append(sink, appended, appended + points, 1);
          appended += points;
          for (int i = random.nextInt(2 * points + 2); i > 0; i--) {
            QueuedPoint read = reader.next();
            if (read != null) {
              assertThat(read.raw()).as("the next of life %d", life).isEqualTo(last + 1);
              last = read.raw();
            }
          }
          if (random.nextBoolean()) {
            queue.settle(reader.position());
            settled = last;
          }
        }
      }
      if (random.nextBoolean()) {
        queue.close();
      } else {
        directory = at;
        at = copy("-" + life); // it was killed
        queue.close();
      }
    }
    try (MirrorQueue queue = open(at, 8 << 20);
        QueueReader reader = new QueueReader(queue)) {
      assertThat(values(reader)).isEqualTo(numbers((int) settled + 1, appended));
      queue.settle(reader.position());
      assertThat(reader.next()).isNull();
      assertThat(queue.unsettledBytes()).isEqualTo(0);
      assertThat(statistic(queue, "mirror.queue.corrupt", "")).isEqualTo(0);
    }
  }
}
