package org.hourstone.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.hourstone.codec.Value;
import org.hourstone.testkit.LoggedBy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MirrorQueueTest extends QueueCase {
  @Test
  void pointsAreReadAsTheyWereAppended() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE)) {
      QueueSink sink = queue.sink();
      sink.add(tsuid(1), 1_500_000_000_123L, Value.DOUBLE_FLAGS, Value.rawOf(1.5));
      sink.add(tsuid(1), 1_500_000_001, Value.FLOAT_FLAGS, Value.rawOf(2.5f));
      sink.add(tsuid(2), 1_500_000_002, Value.flagsOf(-3), -3);
      sink.commit();

      try (QueueReader reader = new QueueReader(queue)) {
        QueuedPoint first = Objects.requireNonNull(reader.next());
        assertThat(first.tsuid()).isEqualTo(tsuid(1));
        assertThat(first.timestamp()).isEqualTo(1_500_000_000_123L);
        assertThat(Value.toDouble(first.flags(), first.raw())).isEqualTo(1.5);
        QueuedPoint second = Objects.requireNonNull(reader.next());
        assertThat(second.tsuid()).isEqualTo(tsuid(1));
        assertThat(Value.toDouble(second.flags(), second.raw())).isEqualTo(2.5);
        QueuedPoint third = Objects.requireNonNull(reader.next());
        assertThat(third.tsuid()).isEqualTo(tsuid(2));
        assertThat(third.flags()).isEqualTo(Value.flagsOf(-3));
        assertThat(third.raw()).isEqualTo(-3);
        assertThat(reader.next()).isNull();
        assertThat(reader.millis()).isEqualTo(0);
      }
    }
  }

  @Test
  void aRecordHasNoMoreThanItsMaximum() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE)) {
      append(queue.sink(), 0, 20_000, 1);

      try (QueueReader reader = new QueueReader(queue)) {
        assertThat(values(reader)).isEqualTo(numbers(0, 20_000));
      }
      assertThat(statistic(queue, "mirror.points", "queued")).isEqualTo(20_000);
    }
  }

  @Test
  void aSeriesWithATooLongNameIsCounted() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE)) {
      QueueSink sink = queue.sink();
      sink.add(new byte[QueueRecord.MAX_TSUID + 1], 1, 0, 1);
      sink.commit();

      assertThat(statistic(queue, "mirror.skipped", "too_long")).isEqualTo(1);
      assertThat(segments(directory)).isEmpty();
    }
  }

  @Test
  void aSettledQueueMayBeOfAnotherStore() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE);
        QueueReader reader = new QueueReader(queue)) {
      append(queue.sink(), 0, 10, 1);
      assertThat(values(reader)).hasSize(10);
      queue.settle(reader.position());
    }
    MirrorQueue.open(new MirrorQueue.Options(directory, "b", LARGE, false), CLOCK).close();
  }

  @Test
  void aFullQueueCountsWhatHasNoPlaceAndSaysSoOnce() throws IOException {
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.mirror");
        MirrorQueue queue = open(directory, 1 << 20);
        QueueReader reader = new QueueReader(queue)) {
      QueueSink sink = queue.sink();
      int appended = 0;
      while (statistic(queue, "mirror.skipped", "queue_full") == 0) {
        append(sink, appended, appended + 1000, 1);
        appended += 1000;
      }
      int place = appended - 1000;
      append(sink, appended, appended + 1000, 1);

      long size = 0;
      for (Path segment : segments(directory)) {
        size += Files.size(segment);
      }
      assertThat(size).isLessThanOrEqualTo(1 << 20).isGreaterThan((1 << 20) - (1 << 16));
      assertThat(statistic(queue, "mirror.skipped", "queue_full")).isEqualTo(2000);
      assertThat(log.lines()).hasSize(1);
      assertThat(log.lines().get(0))
          .startsWith("WARNING mirror: points are stored, but not mirrored: the queue has ");

      assertThat(values(reader)).isEqualTo(numbers(0, place));
      queue.settle(reader.position());
      append(sink, 0, 10, 1);

      assertThat(values(reader)).isEqualTo(numbers(0, 10));
      assertThat(log.lines()).hasSize(2);
      assertThat(log.lines().get(1))
          .isEqualTo(
              "INFO mirror: points are mirrored again after 0 s; 2000 points were not mirrored");
    }
  }

  @Test
  void settledFilesAreDeleted() throws IOException {
    try (MirrorQueue queue = open(directory, 1 << 20);
        QueueReader reader = new QueueReader(queue)) {
      QueueSink sink = queue.sink();
      for (int i = 0; i < 20; i++) {
        append(sink, 0, 1000, 1);
        assertThat(values(reader)).hasSize(1000);
        queue.settle(reader.position());
        assertThat(reader.next()).isNull();
        queue.settle(reader.position());
        assertThat(segments(directory)).hasSizeLessThanOrEqualTo(1);
        assertThat(queue.unsettledBytes()).isEqualTo(0);
      }
    }
  }

  @Test
  void aDirectoryThatCanNotBeWrittenIsCountedAndSaidOnce() throws IOException {
    try (LoggedBy log = LoggedBy.thisThread("org.hourstone.mirror");
        MirrorQueue queue = open(directory, LARGE)) {
      Files.createDirectory(
          directory.resolve("000000000000000001.points")); // no file can be created
      append(queue.sink(), 0, 10, 1);
      append(queue.sink(), 10, 20, 1);

      assertThat(statistic(queue, "mirror.skipped", "queue_failed")).isEqualTo(20);
      assertThat(log.lines()).hasSize(1);

      Files.delete(directory.resolve("000000000000000001.points"));
      append(queue.sink(), 20, 30, 1);
      try (QueueReader reader = new QueueReader(queue)) {
        assertThat(values(reader)).isEqualTo(numbers(20, 30));
      }
      assertThat(log.lines()).hasSize(2);
    }
  }

  @Test
  void aQueueHasOneOwner() throws IOException {
    try (MirrorQueue queue = open(directory, LARGE)) {
      assertThat(queue.appends()).isEqualTo(0);
      assertThatThrownBy(() -> open(directory, LARGE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("uses it");
    }
    open(directory, LARGE).close();
  }

  @Test
  void pointsOfAnotherStoreAreRefused() throws IOException {
    MirrorQueue.Options other = new MirrorQueue.Options(directory, "b", LARGE, false);
    MirrorQueue.open(other, CLOCK).close(); // it has no points
    try (MirrorQueue queue = open(directory, LARGE)) {
      append(queue.sink(), 0, 10, 1);
    }

    assertThatThrownBy(() -> MirrorQueue.open(other, CLOCK))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("points of another store");

    try (MirrorQueue queue = open(directory, LARGE);
        QueueReader reader = new QueueReader(queue)) {
      assertThat(values(reader)).hasSize(10);
    }
  }

  @Test
  void whatIsAppendedAfterTheEndIsCounted() throws IOException {
    MirrorQueue queue = open(directory, LARGE);
    QueueSink sink = queue.sink();
    queue.close();

    append(sink, 0, 10, 1);

    assertThat(statistic(queue, "mirror.skipped", "queue_failed")).isEqualTo(10);
  }

  @Test
  void aReaderWaitsUntilSomethingIsAppended() throws Exception {
    try (MirrorQueue queue = open(directory, LARGE)) {
      long seen = queue.appends();
      @Nullable Throwable[] failure = {null};
      Thread waiting =
          new Thread(
              () -> {
                try {
                  queue.await(seen, 600_000);
                } catch (InterruptedException e) {
                  failure[0] = e;
                }
              });
      waiting.start();
      append(queue.sink(), 0, 1, 1);
      waiting.join(60_000);

      assertThat(waiting.isAlive()).isFalse();
      assertThat(failure[0]).isNull();
    }
  }
}
