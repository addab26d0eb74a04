package org.hourstone.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.hourstone.testkit.LoggedBy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PacedThreadTest {
  private static final PacedThread.Task TASK = new PacedThread.Task("test", "what is tested", 0, 1);

  private final LongAdder failures = new LongAdder();

  @Test
  void whatFailsIsRepeatedAndLoggedOnceWhenItBeginsAndWhenItEnds() throws InterruptedException {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch works = new CountDownLatch(1);
    try (LoggedBy log = LoggedBy.anyThread("org.hourstone");
        PacedThread thread =
            PacedThread.start(
                TASK,
                1,
                failures,
                self -> {
                  if (runs.incrementAndGet() <= 3) {
                    throw new IllegalStateException("full");
                  }
                  if (runs.get() == 6) {
                    works.countDown();
                  }
                })) {
      works.await();

      assertThat(thread.isClosed()).isFalse();
      assertThat(failures.sum()).isEqualTo(3);
      assertThat(log.messages().stream().filter(line -> line.startsWith("what is tested")))
          .containsExactly(
              "what is tested fails, and is tried again: full", "what is tested works again");
    }
  }

  @Test
  void aPauseEndsWhenItIsClosed() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger ended = new AtomicInteger();
    PacedThread thread =
        PacedThread.start(
            TASK,
            1,
            failures,
            self -> {
              begun.countDown();
              if (self.pause(1_000_000)) {
                ended.incrementAndGet();
              }
            });
    begun.await();
    thread.close();

    assertThat(ended).hasValue(1);
    assertThat(failures.sum()).isZero();
  }

  @Test
  void anInterruptEndsItAlsoInThePauseOfWork() {
    AtomicInteger runs = new AtomicInteger();
    try (PacedThread thread =
        PacedThread.start(
            TASK,
            1,
            failures,
            self -> {
              runs.incrementAndGet();
              Thread.currentThread().interrupt();
              assertThat(self.pause(1_000_000)).isTrue();
            })) {
      while (!thread.isClosed()) {
        Thread.onSpinWait();
      }
    }
    assertThat(runs).hasValue(1);
  }
}
