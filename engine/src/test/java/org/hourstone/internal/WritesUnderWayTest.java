package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WritesUnderWayTest {
  private final WritesUnderWay writes = new WritesUnderWay();

  @Test
  void thoseThatBeganBeforeAreAwaitedAndLaterOnesAreNot() {
    int earlier = writes.begin();
    AtomicInteger later = new AtomicInteger(-1);

    boolean ended =
        writes.awaitEarlier(
            () -> {
              if (later.get() < 0) {
                later.set(writes.begin());
                writes.end(earlier);
              }
              return false;
            });

    assertThat(ended).isTrue();
    assertThat(writes.awaitEarlier(() -> true)).isFalse();
    writes.end(later.get());
    assertThat(writes.awaitEarlier(() -> true)).isTrue();
  }

  @Test
  void whatIsAbandonedIsAwaitedTheNextTime() {
    int first = writes.begin();
    assertThat(writes.awaitEarlier(() -> true)).isFalse();
    int second = writes.begin();
    assertThat(writes.awaitEarlier(() -> true)).isFalse();
    writes.end(first);
    assertThat(writes.awaitEarlier(() -> true)).isFalse();
    writes.end(second);
    assertThat(writes.awaitEarlier(() -> true)).isTrue();
  }

  /** A write either sees what was published before the wait, or is awaited. */
  @Test
  void noWriteIsMissed() throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger published = new AtomicInteger();
    AtomicInteger[] running = {new AtomicInteger(), new AtomicInteger()};
    int threads = 3;
    CountDownLatch started = new CountDownLatch(threads);
    CompletableFuture<?>[] writers = new CompletableFuture<?>[threads];
    for (int i = 0; i < threads; i++) {
      writers[i] =
          CompletableFuture.runAsync(
              () -> {
                started.countDown();
                while (!stop.get()) {
                  int begun = writes.begin();
                  int seen = published.get() & 1;
                  running[seen].incrementAndGet();
                  running[seen].decrementAndGet();
                  writes.end(begun);
                }
              },
              task -> new Thread(task).start());
    }
    started.await();
    for (int round = 1; round <= 2000; round++) {
      published.set(round);
      assertThat(writes.awaitEarlier(() -> false)).isTrue();
      assertThat(running[(round - 1) & 1]).hasValue(0);
    }
    stop.set(true);
    CompletableFuture.allOf(writers).join();
  }
}
