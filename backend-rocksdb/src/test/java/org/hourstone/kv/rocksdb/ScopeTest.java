package org.hourstone.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScopeTest {
  private final Scope scope = new Scope("the store");
  private final AtomicInteger released = new AtomicInteger();

  @Test
  void callsAreRefusedAfterTheClose() {
    scope.close();
    assertThatThrownBy(scope::enter)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the store is closed");
    assertThat(scope.tryEnter()).isFalse();
  }

  @Test
  void theCloseWaitsForTheCallsThatRunBeforeItReleasesAnything() throws InterruptedException {
    scope.enter();
    scope.enter();
    scope.opened(released::incrementAndGet);
    Thread closer = new Thread(scope::close);
    closer.start();
    awaitClosing(scope);
    assertThat(released).hasValue(0);
    scope.leave();
    awaitBlocked(closer);
    assertThat(released).hasValue(0);
    scope.leave();
    closer.join();
    assertThat(released).hasValue(1);
  }

  @Test
  void whatItsUserReleasesIsNotReleasedByTheClose() {
    Scope.Resource resource = released::incrementAndGet;
    scope.enter();
    scope.opened(resource);
    scope.leave();
    scope.release(resource);
    scope.close();
    assertThat(released).hasValue(1);
  }

  @Test
  void aReleaseAfterTheCloseTouchesNothing() {
    Scope.Resource resource = released::incrementAndGet;
    scope.close();
    scope.release(resource);
    assertThat(released).hasValue(0);
  }

  @Test
  void anInterruptedCloseWaitsAllTheSameAndKeepsTheFlag() throws InterruptedException {
    scope.enter();
    AtomicInteger flag = new AtomicInteger(-1);
    Thread closer =
        new Thread(
            () -> {
              scope.close();
              flag.set(Thread.currentThread().isInterrupted() ? 1 : 0);
            });
    closer.start();
    awaitBlocked(closer);
    closer.interrupt();
    scope.leave();
    closer.join();
    assertThat(flag).hasValue(1);
  }

  private static void awaitClosing(Scope scope) {
    while (scope.tryEnter()) {
      scope.leave();
      Thread.onSpinWait();
    }
  }

  private static void awaitBlocked(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }
}
