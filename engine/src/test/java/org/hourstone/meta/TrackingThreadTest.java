package org.hourstone.meta;

import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.hourstone.internal.Deadline;
import org.hourstone.kv.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TrackingThreadTest {
  private static Map<Bytes, Long> series(int... numbers) {
    return Arrays.stream(numbers)
        .boxed()
        .collect(Collectors.toMap(number -> new Bytes(new byte[] {number.byteValue()}), n -> 1L));
  }

  /** Otherwise a writer that is being closed would wait for as long as the store does. */
  @Test
  void aWriterThatWaitsForRoomIsInterruptedAndClosingEndsAtItsDeadline() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    TrackingThread tracking =
        new TrackingThread(
            some -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            1,
            (cause, lost) -> {});
    assertThat(tracking.add(series(0))).isTrue();
    begun.await();
    assertThat(tracking.add(series(1))).isTrue();
    CompletableFuture<Boolean> added = new CompletableFuture<>();
    Thread writer =
        new Thread(
            () -> {
              boolean taken = tracking.add(series(2));
              added.complete(taken || !Thread.currentThread().isInterrupted());
            });
    writer.start();
    writer.interrupt();
    assertThat(added.join()).isFalse();
    tracking.close(Deadline.in(0, InstantSource.system()), InstantSource.system());
    assertThat(tracking.add(series(3))).isFalse();
  }

  /** It dies in its first round, while series wait, a writer waits for room, and a caller waits. */
  @Test
  void aThreadThatDiesEndsAllWaitingAndReportsTheSeriesItHad() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch die = new CountDownLatch(1);
    Queue<String> deaths = new ConcurrentLinkedQueue<>();
    TrackingThread tracking =
        new TrackingThread(
            some -> {
              begun.countDown();
              awaitUninterruptibly(die);
              throw new StackOverflowError("as if");
            },
            2,
            (cause, lost) -> deaths.add(cause.getMessage() + ", " + lost + " series"));
    assertThat(tracking.add(series(0, 1, 2))).isTrue();
    begun.await();
    assertThat(tracking.add(series(3, 4))).isTrue();
    assertThat(tracking.isOpen()).isTrue();
    CompletableFuture<Boolean> added = new CompletableFuture<>();
    Thread writer = started(() -> added.complete(tracking.add(series(5))));
    CompletableFuture<Integer> awaited = new CompletableFuture<>();
    Thread caller =
        started(
            () -> {
              tracking.await();
              awaited.complete(deaths.size());
            });
    awaitWaiting(writer);
    awaitWaiting(caller);

    die.countDown();

    assertThat(added.join()).as("whether a writer's series are noted that waited").isFalse();
    assertThat(awaited.join()).as("deaths reported when waiting ended").isEqualTo(1);
    assertThat(deaths).containsExactly("as if, 5 series");
    assertThat(tracking.isOpen()).isFalse();
    assertThat(tracking.add(series(6))).isFalse();
    tracking.await();
    tracking.close(Deadline.in(0, InstantSource.system()), InstantSource.system());
  }

  /** As after an OutOfMemoryError, for which there is no memory to report it. */
  @Test
  void aDeathThatCannotBeReportedEndsAllWaitingToo() {
    TrackingThread tracking =
        new TrackingThread(
            some -> {
              throw new OutOfMemoryError("as if");
            },
            1,
            (cause, lost) -> {
              throw new OutOfMemoryError("as if, again");
            });
    assertThat(tracking.add(series(0))).isTrue();
    tracking.await();
    assertThat(tracking.isOpen()).isFalse();
    assertThat(tracking.add(series(1))).isFalse();
  }

  private static Thread started(Runnable task) {
    Thread thread = new Thread(task);
    thread.start();
    return thread;
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }
}
