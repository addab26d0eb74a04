package org.hourstone.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hourstone.kv.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkersTest {
  private final Queue<Integer> parts = new ConcurrentLinkedQueue<>();
  private final Queue<Integer> done = new ConcurrentLinkedQueue<>();
  private final Workers workers = new Workers(3);

  @Test
  void everyPartIsProcessedOnce() {
    List<Integer> all = IntStream.range(0, 1000).boxed().toList();
    parts.addAll(all);
    workers.run(parts::poll, done::add);
    assertThat(done).containsExactlyInAnyOrderElementsOf(all);
    parts.add(1000);
    workers.run(parts::poll, done::add);
    assertThat(done).hasSize(1001);
  }

  @Test
  void aFailureEndsTheOtherThreadsAndIsThrownAfterThem() {
    parts.addAll(IntStream.range(0, 1000).boxed().toList());
    CountDownLatch begun = new CountDownLatch(2);
    AtomicInteger ended = new AtomicInteger();
    assertThatThrownBy(
            () ->
                workers.run(
                    parts::poll,
                    part -> {
                      if (part == 0) {
                        await(begun);
                        throw new IllegalArgumentException("part 0");
                      }
                      begun.countDown();
                      awaitStop();
                      ended.incrementAndGet();
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("part 0");
    assertThat(ended).hasValue(2);
    assertThat(parts).hasSize(997);
  }

  @Test
  void anInterruptEndsTheThreads() {
    parts.addAll(List.of(1, 2, 3, 4));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> workers.run(parts::poll, part -> awaitStop()))
        .isInstanceOf(StoreException.class)
        .hasMessage("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitStop() {
    while (!workers.isStopped()) {
      Thread.onSpinWait();
    }
  }
}
