package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.hourstone.Tags;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueReader;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.Scan;
import org.hourstone.query.LastPoint;
import org.hourstone.testkit.ConcurrentRunner;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A point is seen once it is acknowledged, by every reader and whatever is written and sealed
 * beside it.
 */
public abstract class HeadVisibilityContract extends HeadCase {
  private static final int WRITERS = 4;
  private static final int READERS = 4;
  private static final int SERIES = 3;
  private static final int BATCHES = 300;

  /** After how many batches rows are sealed: until then points are in the head only. */
  private static final int BATCHES_PER_FLUSH = 50;

  /** Each batch replaces the point of this time, in a row that its series has left. */
  private static final Instant REPLACED = HOUR.minusSeconds(1);

  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);
  private final AtomicInteger writing = new AtomicInteger(WRITERS);
  private final Semaphore batches = new Semaphore(0);
  private final Semaphore checks = new Semaphore(0);

  @Test
  final void readersFindWhatIsAcknowledgedWhileOthersWriteAndSeal() throws Exception {
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      acknowledged.set(writer, -1);
      tasks.add(() -> write(writer));
    }
    for (int i = 0; i < READERS; i++) {
      int reader = i;
      tasks.add(() -> read(reader));
    }
    tasks.add(this::seal);

    List<Integer> done = ConcurrentRunner.run(tasks);

    assertThat(done).allSatisfy(times -> assertThat(times).isPositive());
    for (int writer = 0; writer < WRITERS; writer++) {
      assertThat(acknowledged.get(writer)).isEqualTo(BATCHES - 1);
      for (int series = 0; series < SERIES; series++) {
        check(writer, series);
      }
    }
  }

  private static Tags tags(int writer, int series) {
    return Tags.of("host", "writer" + writer + "series" + series);
  }

  private static Instant time(int batch) {
    return HOUR.plusMillis(batch);
  }

  private int write(int writer) throws InterruptedException {
    try {
      for (int batch = 0; batch < BATCHES; batch++) {
        checks.acquire(); // so that there are as many checks, whatever the scheduler does
        List<CompletableFuture<?>> puts = new ArrayList<>();
        for (int series = 0; series < SERIES; series++) {
          puts.add(db.put("m", REPLACED, batch, tags(writer, series)));
          puts.add(db.put("m", time(batch), batch, tags(writer, series)));
        }
        CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
        acknowledged.set(writer, batch);
        batches.release();
      }
      return BATCHES;
    } finally {
      writing.decrementAndGet();
      batches.release(BATCHES_PER_FLUSH); // so that the sealing thread sees it
    }
  }

  private int seal() throws InterruptedException {
    int times = 0;
    while (writing.get() > 0) {
      batches.acquire(BATCHES_PER_FLUSH);
      db.flush();
      times++;
    }
    return times;
  }

  private int read(int reader) {
    int times = 0;
    try {
      while (writing.get() > 0) {
        check((reader + times) % WRITERS, times % SERIES);
        checks.release();
        times++;
      }
      return times;
    } finally {
      checks.release(WRITERS * BATCHES); // for writers that are left alone after a failure
    }
  }

  /** A query and the last point have what was acknowledged before. */
  private void check(int writer, int series) {
    Tags tags = tags(writer, series);
    int batch = acknowledged.get(writer);
    if (batch < 0) {
      return; // the metric may have no name yet
    }
    Map<Instant, Double> points = points("m", tags);
    assertThat(points).containsEntry(time(batch), (double) batch).hasSizeGreaterThan(batch + 1);
    assertThat(points.get(REPLACED)).isGreaterThanOrEqualTo(batch);
    batch = acknowledged.get(writer);
    LastPoint last = db.last().find("m", tags.asMap(), 1).orElseThrow();
    assertThat(last.millis()).isGreaterThanOrEqualTo(time(batch).toEpochMilli());
    assertThat(time((int) last.doubleValue()).toEpochMilli()).isEqualTo(last.millis());
  }

  /** How a row of points is read. */
  enum Reading {
    GET,
    GET_SEVERAL,
    SCAN;

    Row read(KeyValueReader reader, Family points, byte[] key) {
      return switch (this) {
        case GET -> reader.get(points, key, Columns.all());
        case GET_SEVERAL -> reader.get(points, List.of(key), Columns.all()).get(0);
        case SCAN -> rows(reader, points, Scan.all()).get(0);
      };
    }
  }

  /** The cells that were read of the store lack its points by then. */
  @ParameterizedTest
  @EnumSource
  final void aRowThatIsSealedWhileItIsReadIsReadAgain(Reading reading) {
    db.put("m", HOUR, 1, WEB01).join();
    db.flush();
    SealingStore sealing = new SealingStore(mortal);
    reopen(sealing, options());
    byte[] key = dataRows().get(0).key();
    db.put("m", HOUR.plusSeconds(1), 2, WEB01).join();

    sealing.afterNextRead = () -> db.flush();
    Row read = reading.read(db.engine().reader(), db.engine().tables().points(), key);

    assertThat(stats().rows()).as("open rows").isZero();
    assertThat(read.size()).isEqualTo(2);
    assertThat(texts(List.of(read))).isEqualTo(texts(dataRows()));
  }

  /** Does something right after rows of points have been read. */
  private static final class SealingStore extends ForwardingStore {
    private volatile @Nullable Runnable afterNextRead;

    SealingStore(KeyValueStore delegate) {
      super(delegate);
    }

    private void afterRead(Family family) {
      Runnable action = afterNextRead;
      if (isOfPoints(family) && action != null) {
        afterNextRead = null;
        action.run();
      }
    }

    @Override
    public Row get(Family family, byte[] row, Columns columns) {
      Row read = super.get(family, row, columns);
      afterRead(family);
      return read;
    }

    @Override
    public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
      List<Row> read = super.get(family, rows, columns);
      afterRead(family);
      return read;
    }

    @Override
    public RowCursor scan(Family family, Scan scan) {
      RowCursor rows = super.scan(family, scan);
      return new RowCursor() {
        @Override
        public @Nullable Row next() {
          Row row = rows.next();
          afterRead(family);
          return row;
        }

        @Override
        public void close() {
          rows.close();
        }
      };
    }
  }
}
