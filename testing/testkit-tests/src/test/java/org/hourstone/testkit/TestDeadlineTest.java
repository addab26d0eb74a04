package org.hourstone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestDeadlineTest {
  private static final Duration SHORT = Duration.ofMillis(100);

  private final CountDownLatch waiting = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);

  @Test
  void aHangFailsWithItsNameAndTheWholeStacksOfAllThreads() throws Exception {
    Thread other = new Thread(() -> callerOfTheStore(20), "another-thread");
    other.start();
    waiting.await();

    Throwable failure =
        catchThrowable(() -> TestDeadline.run(SHORT, "aTestThatHangs", over::await));

    over.countDown();
    other.join();
    assertThat(failure)
        .isInstanceOf(AssertionError.class)
        .hasMessageStartingWith("aTestThatHangs has not ended after 0.1 s:\n")
        .hasMessageContaining("\"" + Thread.currentThread().getName() + " aTestThatHangs\"")
        .hasMessageContaining("\"another-thread\" ")
        .hasMessageContaining("TestDeadlineTest.callerOfTheStore")
        .hasMessageContaining("TestDeadlineTest.insideTheStore");
  }

  private void callerOfTheStore(int frames) {
    insideTheStore(frames);
  }

  private void insideTheStore(int frames) {
    if (frames > 0) {
      insideTheStore(frames - 1);
      return;
    }
    waiting.countDown();
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aHangIsInterrupted() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);

    assertThatThrownBy(
            () ->
                TestDeadline.run(
                    SHORT,
                    "aTestThatHangs",
                    () -> {
                      try {
                        over.await();
                      } catch (InterruptedException e) {
                        interrupted.countDown();
                      }
                    }))
        .hasMessageContaining("aTestThatHangs");

    interrupted.await();
  }

  @Test
  void whatATaskThrowsIsThrown() {
    Error error = new StackOverflowError("as if");

    assertThatThrownBy(
            () ->
                TestDeadline.run(
                    Duration.ofMinutes(1),
                    "aTestThatFails",
                    () -> {
                      throw error;
                    }))
        .isSameAs(error);
  }

  @Test
  void aContractTestHasAMinute() {
    assertThat(new ModelStoreContractTest().timeLimit()).isEqualTo(Duration.ofSeconds(60));
  }
}
