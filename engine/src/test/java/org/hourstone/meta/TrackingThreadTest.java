package org.hourstone.meta;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.hourstone.internal.Deadline;
import org.hourstone.kv.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TrackingThreadTest {
  private static Map<Bytes, Long> series(int number) {
    return Map.of(new Bytes(new byte[] {(byte) number}), 1L);
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
            death -> {});
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
}
