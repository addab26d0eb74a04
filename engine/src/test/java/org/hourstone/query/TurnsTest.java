package org.hourstone.query;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TurnsTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean scarce = new AtomicBoolean();
  private final List<Boolean> waits = Collections.synchronizedList(new ArrayList<>());
  private final Turns turns = new Turns(1, nanos::get, scarce::get);
  private final Turns.Turn first = request();
  private final Turns.Turn second = request();

  /** One that goes on with a turn only. */
  private Turns.Turn request() {
    Turns.Turn request = turns.request(waits::add);
    for (long worked = Turns.GAP; worked < Turns.FREE; worked += Turns.GAP) {
      nanos.addAndGet(Turns.GAP);
      go(request);
    }
    nanos.addAndGet(Turns.GAP);
    return request;
  }

  private static void go(Turns.Turn turn) {
    turn.await(false, () -> {});
  }

  /** Waits for a turn in another thread, and returns when it is waiting. */
  private static CompletableFuture<Void> waiting(Turns.Turn turn) throws InterruptedException {
    CountDownLatch checked = new CountDownLatch(1);
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(
            () -> turn.await(false, checked::countDown), task -> new Thread(task).start());
    checked.await();
    return done;
  }

  @Test
  void aRequestThatHasWorkedLittleNeedsNoTurn() {
    go(first);
    Turns.Turn little = turns.request(waits::add);
    for (int i = 0; i < Turns.FREE / Turns.GAP - 1; i++) {
      nanos.addAndGet(i % 2 == 0 ? Turns.GAP : 100 * Turns.GAP); // waiting does not count
      go(little);
    }
  }

  @Test
  void aRequestThatIsAloneGoesOn() {
    for (int i = 0; i < 3; i++) {
      go(first);
      nanos.addAndGet(10 * Turns.LENGTH);
    }
  }

  @Test
  void aTurnIsPassedOnWhenItIsOverAndItsRequestChecks() throws Exception {
    go(first);
    CompletableFuture<Void> other = waiting(second);
    nanos.addAndGet(Turns.FIRST - 1);
    go(first);
    assertThat(other).isNotDone();

    nanos.addAndGet(1);
    other.get(60, SECONDS); // it looks by itself

    CompletableFuture<Void> again = waiting(first);
    nanos.addAndGet(Turns.LENGTH - 1); // no new one waits
    go(second);
    assertThat(again).isNotDone();

    nanos.addAndGet(1);
    other = waiting(second);

    again.get(60, SECONDS);
    first.end();
    other.get(60, SECONDS);
  }

  @Test
  void whoWaitsSaysSoOnceForAllItsThreads() throws Exception {
    go(first);
    assertThat(waits).isEmpty(); // it got its turn at once
    CompletableFuture<Void> other = waiting(second);
    CompletableFuture<Void> another = waiting(second);
    assertThat(waits).containsExactly(true);

    first.end();

    other.get(60, SECONDS);
    another.get(60, SECONDS);
    assertThat(waits).containsExactly(true, false);
  }

  @Test
  void aTurnIsPassedOnWhenItsRequestRestsWaitsForTheStoreOrEnds() throws Exception {
    go(first);
    CompletableFuture<Void> other = waiting(second);
    first.rest();
    nanos.addAndGet(Turns.REST);
    other.get(60, SECONDS);

    CompletableFuture<Void> again = waiting(first);
    nanos.addAndGet(Turns.LENGTH);
    again.get(60, SECONDS);

    other = waiting(second);
    first.end();
    other.get(60, SECONDS);
  }

  @Test
  void whoIsCancelledWaitsNoLonger() {
    go(first);
    assertThatThrownBy(
            () ->
                second.await(
                    false,
                    () -> {
                      throw new QueryCancelledException("by a test");
                    }))
        .hasMessageContaining("by a test");
    second.end();
    nanos.addAndGet(Turns.LENGTH);
    go(first);
  }

  @Test
  void aNewRequestIsNotBehindAllOthersAndNoneWaitsForever() throws Exception {
    List<Turns.Turn> old = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Turns.Turn one = request();
      go(one); // has worked for as long as a turn
      nanos.addAndGet(Turns.LENGTH);
      one.rest();
      old.add(one);
    }
    go(first);
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (Turns.Turn one : old) {
      waiting.add(waiting(one));
    }
    CompletableFuture<Void> young = waiting(second);

    // Each turn ends for whoever has it.
    for (int turn = 0; turn < 2; turn++) {
      nanos.addAndGet(Turns.LENGTH);
      CompletableFuture.anyOf(all(waiting, young)).get(60, SECONDS);
      if (young.isDone()) {
        break;
      }
      waiting.removeIf(CompletableFuture::isDone);
    }
    young.get(60, SECONDS);
    second.end();
    while (!waiting.isEmpty()) {
      nanos.addAndGet(Turns.LENGTH);
      CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new)).get(60, SECONDS);
      waiting.removeIf(CompletableFuture::isDone);
    }
  }

  @Test
  void whileMemoryIsScarceThoseGoOnThatHaveHadATurn() throws Exception {
    go(first);
    CompletableFuture<Void> other = waiting(second);
    nanos.addAndGet(Turns.LENGTH);
    other.get(60, SECONDS);
    scarce.set(true);
    CompletableFuture<Void> another = waiting(request());
    CompletableFuture<Void> old = waiting(first);
    nanos.addAndGet(Turns.FIRST);
    go(second);
    assertThat(old).isNotDone();
    nanos.addAndGet(Turns.LENGTH);
    old.get(60, SECONDS);
    assertThat(another).isNotDone();

    second.end();
    first.end();

    another.get(60, SECONDS); // else nothing would go on
  }

  @Test
  void aRequestThatHoldsMuchMemoryNeedsATurn() throws Exception {
    go(first);
    Turns.Turn large = turns.request(waits::add);
    CountDownLatch checked = new CountDownLatch(1);
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(
            () -> large.await(true, checked::countDown), task -> new Thread(task).start());
    checked.await();
    first.end();
    done.get(60, SECONDS);
  }

  private static CompletableFuture<?>[] all(
      List<CompletableFuture<Void>> waiting, CompletableFuture<Void> more) {
    List<CompletableFuture<Void>> all = new ArrayList<>(waiting);
    all.add(more);
    return all.toArray(CompletableFuture[]::new);
  }
}
