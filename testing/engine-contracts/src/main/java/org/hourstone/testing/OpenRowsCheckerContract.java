package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.hourstone.Tags;
import org.hourstone.Tsdb;
import org.hourstone.query.Query;
import org.hourstone.query.SeriesCursor;
import org.hourstone.rewrite.CompactionListener;
import org.hourstone.rewrite.CompactionScope;
import org.hourstone.testkit.ConcurrentRunner;
import org.hourstone.write.FutureReceipt;
import org.hourstone.write.Receipt;
import org.hourstone.write.SeriesPoints;
import org.hourstone.write.SeriesWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Points that are written by telnet lines, by gathered handles and one by one, and read at random
 * while their rows are sealed, compacted and deleted: each that was acknowledged is read exactly
 * once until it is deleted, and each that was taken once the writer has it.
 *
 * <p>{@code -Dhourstone.checker.seconds=60} plays for longer; {@code -Dhourstone.checker.seed=…}
 * makes the same choices again.
 */
public abstract class OpenRowsCheckerContract extends OpenRowsCase {
  private static final int WRITERS = 3;
  private static final int LEAST_BATCHES = 60;

  /** Seconds between two points, so that few hours are written and rows are met again. */
  private static final int STEP = 7;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger checks = new AtomicInteger();

  /** The points of one writer, which has a series of its own. */
  private final class Writer {
    final Map<String, String> tags;
    final Random random;
    final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
    final Set<Long> deleted = ConcurrentHashMap.newKeySet();
    final SeriesWriter series;
    int batches;
    volatile long next;

    Writer(int number, long seed) {
      this.tags = Map.of("host", "h" + number);
      this.random = new Random(seed + number);
      this.series = db.writer().series("m", tags);
    }

    /** Writes some points, and has them acknowledged. */
    void write() {
      int count = 1 + random.nextInt(20);
      long first = next;
      next = first + count;
      List<CompletableFuture<?>> all = new ArrayList<>();
      switch (random.nextInt(3)) {
        case 0 -> {
          for (long i = first; i < first + count; i++) {
            FutureReceipt stored = new FutureReceipt(db.writer());
            String line = "put m " + second(i) + " " + i + " host=" + tags.get("host");
            db.writer().putTelnetLine(line, stored, 0);
            all.add(stored);
          }
        }
        case 1 -> all.add(gathered(first, count));
        default -> {
          for (long i = first; i < first + count; i++) {
            all.add(db.put("m", Instant.ofEpochSecond(second(i)), i, Tags.of(tags)));
          }
        }
      }
      CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).join();
      LongStream.range(first, first + count).forEach(acknowledged::add);
      batches++;
    }

    private CompletableFuture<?> gathered(long first, int count) {
      CompletableFuture<Boolean> done = new CompletableFuture<>();
      AtomicInteger left = new AtomicInteger(count);
      SeriesPoints points =
          db.writer()
              .seriesPoints(
                  new Receipt() {
                    @Override
                    public void stored(long token) {
                      if (left.decrementAndGet() == 0) {
                        done.complete(true);
                      }
                    }

                    @Override
                    public void failed(long token, RuntimeException reason) {
                      done.completeExceptionally(reason);
                    }

                    @Override
                    public boolean isAwaited() {
                      return true;
                    }
                  });
      for (long i = first; i < first + count; i++) {
        points.add(series, second(i), i, i);
      }
      points.send();
      return done;
    }

    /** Deletes one of its points, which is not written again. */
    void delete() {
      if (next > 0) {
        long point = (long) (random.nextDouble() * next);
        deleted.add(point); // from now on it may be read or not
        long millis = second(point) * 1000;
        var unused = db.delete(query().betweenMillis(millis, millis + 1));
        assertThat(read()).doesNotContainKey(point);
      }
    }

    private long second(long point) {
      return HOUR + point * STEP;
    }

    private Query query() {
      return Query.metric("m").groupBy("host", String.valueOf(tags.get("host")));
    }

    /** How often each point is read. */
    Map<Long, Integer> read() {
      Map<Long, Integer> times = new HashMap<>();
      try (SeriesCursor all =
          db.query(query().betweenMillis(HOUR * 1000, (HOUR + 8_640_000) * 1000))) {
        all.forEach(
            points -> {
              for (int i = 0; i < points.size(); i++) {
                long point = points.longValue(i);
                assertThat(points.millis(i)).isEqualTo(second(point) * 1000);
                times.merge(point, 1, Integer::sum);
              }
            });
      }
      return times;
    }

    void check() {
      List<Long> before = List.copyOf(acknowledged);
      Map<Long, Integer> read = read();
      assertThat(read.values()).allMatch(times -> times == 1);
      for (long point : before) {
        assertThat(read.containsKey(point) || deleted.contains(point)).as("%d", point).isTrue();
      }
      assertThat(read.keySet()).allMatch(point -> point < next);
      checks.incrementAndGet();
    }
  }

  @ParameterizedTest
  @EnumSource
  final void everyAcknowledgedPointIsReadExactlyOnce(Policy policy) throws Exception {
    open(policy);
    long seed = Long.getLong("hourstone.checker.seed", 1);
    long until = System.nanoTime() + 1_000_000_000L * Long.getLong("hourstone.checker.seconds", 0);
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new Writer(i, seed));
    }
    AtomicInteger writing = new AtomicInteger(WRITERS);
    List<Callable<Boolean>> tasks = new ArrayList<>();
    for (Writer writer : writers) {
      tasks.add(() -> write(writer, until, writing));
    }
    tasks.add(() -> whileOthersWrite(new Random(seed), this::seal));
    tasks.add(
        () ->
            whileOthersWrite(
                new Random(seed + 7), random -> writers.get(random.nextInt(WRITERS)).check()));

    ConcurrentRunner.run(tasks);

    assertThat(checks.get()).isPositive();
    for (Writer writer : writers) {
      Set<Long> read = writer.read().keySet();
      writer.check();
      assertThat(read).doesNotContainAnyElementsOf(writer.deleted);
    }
    db.close();
    db = Tsdb.over(store, options(policy));
    writers.forEach(Writer::check);
  }

  private boolean write(Writer writer, long until, AtomicInteger writing) {
    try {
      while (!over.get() && (writer.batches < LEAST_BATCHES || System.nanoTime() - until < 0)) {
        writer.write();
        if (writer.random.nextInt(5) == 0) {
          writer.delete();
        }
      }
      return true;
    } finally {
      if (writing.decrementAndGet() == 0) {
        over.set(true);
      }
    }
  }

  private interface Step {
    void take(Random random);
  }

  private boolean whileOthersWrite(Random random, Step step) {
    try {
      do {
        step.take(random);
      } while (!over.get());
      return true;
    } finally {
      over.set(true); // after a failure
    }
  }

  private void seal(Random random) {
    switch (random.nextInt(3)) {
      case 0 -> db.flush();
      case 1 -> clock.advance(Duration.ofSeconds(random.nextInt(100)));
      default -> {
        var unused = db.compactor().run(CompactionScope.everything(), CompactionListener.NONE);
      }
    }
  }
}
