package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ThreadStackTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);

  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();
  private ThreadStack stack = stack(2, 2, LONG);

  private ThreadStack stack(int mostThreads, int mostWaiting, long idleNanos) {
    return new ThreadStack(
        mostThreads,
        mostWaiting,
        idleNanos,
        task -> {
          Thread thread = new Thread(task);
          thread.setUncaughtExceptionHandler((in, failure) -> uncaught.add(failure));
          threads.add(thread);
          return thread;
        });
  }

  @AfterEach
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void stop() throws InterruptedException {
    stack.stop();
    assertThat(stack.awaitEnd(LONG)).isTrue();
  }

  /** Begins a task that runs until this is counted down. */
  private CountDownLatch begin() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    stack.execute(
        () -> {
          begun.countDown();
          try {
            end.await();
          } catch (InterruptedException e) {
            seen.add("interrupted");
          }
        });
    begun.await();
    return end;
  }

  private void awaitIdle(int thread) {
    while (threads.get(thread).getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  private Object threadOfNext() throws InterruptedException {
    stack.execute(() -> seen.add(Thread.currentThread()));
    return seen.take();
  }

  @Test
  void othersTakeThePlaceOfATaskThatRests() throws InterruptedException {
    List<CountDownLatch> tasks = List.of(begin(), begin());
    stack.execute(() -> seen.add("in place of the first"));
    assertThat(seen).isEmpty();

    stack.rest();
    assertThat(seen.take()).isEqualTo("in place of the first");
    assertThat(threads).hasSize(3);
    stack.rest();
    CountDownLatch third = begin();
    CountDownLatch fourth = begin();
    assertThat(threads).hasSize(4);

    stack.resume();
    stack.resume();
    stack.execute(() -> seen.add("later"));
    third.countDown();
    fourth.countDown();
    threads.get(2).join(); // there are enough without it
    threads.get(3).join();
    assertThat(seen).isEmpty();

    tasks.get(0).countDown();
    assertThat(seen.take()).isEqualTo("later");
    tasks.get(1).countDown();
  }

  @Test
  void noMoreThanSomeTasksMayRestForEachThread() throws InterruptedException {
    stack = stack(1, 10, LONG);
    List<CountDownLatch> tasks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tasks.add(begin());
      stack.rest();
    }
    stack.execute(() -> seen.add("after one of them"));
    assertThat(threads).hasSize(4);
    assertThat(seen).isEmpty();

    tasks.get(0).countDown();
    assertThat(seen.take()).isEqualTo("after one of them");
    for (CountDownLatch task : tasks) {
      task.countDown();
      stack.resume();
    }
  }

  @Test
  void aTaskGetsTheThreadThatBecameIdleLast() throws InterruptedException {
    List<CountDownLatch> tasks = List.of(begin(), begin());
    for (int last : List.of(0, 1)) {
      tasks.get(1 - last).countDown();
      awaitIdle(1 - last);
      tasks.get(last).countDown();
      awaitIdle(last);

      assertThat(threadOfNext()).isSameAs(threads.get(last));

      awaitIdle(last);
      CountDownLatch ofLast = begin();
      CountDownLatch ofOther = begin();
      tasks = last == 0 ? List.of(ofLast, ofOther) : List.of(ofOther, ofLast);
    }
    assertThat(threads).hasSize(2);
    tasks.forEach(CountDownLatch::countDown);
  }

  @Test
  void tasksWaitInTheirOrderAndNoMoreThanTheyMay() throws InterruptedException {
    List<CountDownLatch> tasks = List.of(begin(), begin());
    stack.execute(() -> seen.add("first"));
    stack.execute(() -> seen.add("second"));

    assertThat(stack.waiting()).isEqualTo(2);
    assertThatThrownBy(() -> stack.execute(() -> seen.add("one too many")))
        .isInstanceOf(RejectedExecutionException.class);

    tasks.get(0).countDown();
    assertThat(List.of(seen.take(), seen.take())).containsExactly("first", "second");
    assertThat(stack.waiting()).isZero();
    tasks.get(1).countDown();
  }

  @Test
  void aThreadOutlivesTheFailureOfATask() throws InterruptedException {
    IllegalStateException failure = new IllegalStateException("of the task");
    stack.execute(
        () -> {
          throw failure;
        });
    awaitIdle(0);

    assertThat(uncaught).containsExactly(failure);
    assertThat(threadOfNext()).isSameAs(threads.get(0));
  }

  /** As of a store in a language without checked exceptions. */
  @Test
  void aThreadOutlivesACheckedExceptionThatIsNotDeclared() throws InterruptedException {
    stack = stack(1, 1, LONG);
    IOException failure = new IOException("of the task");
    stack.execute(() -> ThreadStackTest.<RuntimeException>throwAny(failure));

    assertThat(threadOfNext()).isSameAs(threads.get(0));
    assertThat(uncaught).containsExactly(failure);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void throwAny(Throwable failure) throws E {
    throw (E) failure;
  }

  @Test
  void aThreadOutlivesTheFailureOfItsHandler() throws InterruptedException {
    stack = stack(1, 1, LONG);
    stack.execute(
        () -> {
          Thread.currentThread()
              .setUncaughtExceptionHandler(
                  (in, failure) -> {
                    throw new IllegalStateException("of the handler", failure);
                  });
          throw new IllegalStateException("of the task");
        });

    assertThat(threadOfNext()).isSameAs(threads.get(0));
  }

  @Test
  void anInterruptOfOneTaskIsNotThatOfTheNext() throws InterruptedException {
    stack.execute(() -> Thread.currentThread().interrupt());
    awaitIdle(0);
    stack.execute(() -> seen.add(Thread.currentThread().isInterrupted()));

    assertThat(seen.take()).isEqualTo(false);
  }

  @Test
  void stoppingInterruptsTasksAndDropsThoseThatWait() throws InterruptedException {
    CountDownLatch idle = begin();
    List<CountDownLatch> running = List.of(begin());
    idle.countDown();
    awaitIdle(0);
    begin();
    stack.execute(() -> seen.add("dropped"));

    stack.stop();

    assertThat(stack.awaitEnd(LONG)).isTrue();
    assertThat(seen).containsExactly("interrupted", "interrupted");
    assertThat(running.get(0).getCount()).isOne();
    assertThatThrownBy(() -> stack.execute(() -> seen.add("late")))
        .isInstanceOf(RejectedExecutionException.class);
  }

  /** With threads that end at once if no task waits. */
  @Test
  void eachTaskRunsOnceThoughIdleThreadsEnd() throws InterruptedException {
    int producers = 3;
    int tasks = 3_000;
    stack = stack(3, producers * tasks, 0);
    AtomicIntegerArray runs = new AtomicIntegerArray(producers * tasks);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < producers; i++) {
      int first = i * tasks;
      Thread producer =
          new Thread(
              () -> {
                for (int task = first; task < first + tasks; task++) {
                  int place = task;
                  stack.execute(() -> runs.incrementAndGet(place));
                }
              });
      producer.start();
      all.add(producer);
    }
    for (Thread producer : all) {
      producer.join();
    }

    assertThat(stack.awaitEnd(LONG)).as("idle threads end").isTrue();
    for (int i = 0; i < runs.length(); i++) {
      assertThat(runs.get(i)).as("task %d", i).isOne();
    }
  }

  @Test
  void theRestOfATaskIsNeverRefusedNorRefusesOthers() throws InterruptedException {
    List<CountDownLatch> tasks = List.of(begin(), begin());
    for (int i = 0; i < 5; i++) {
      stack.executeLater(() -> seen.add("rest"));
    }
    stack.execute(() -> seen.add("new"));
    stack.execute(() -> seen.add("new"));
    assertThatThrownBy(() -> stack.execute(() -> seen.add("too many")))
        .isInstanceOf(RejectedExecutionException.class);
    tasks.get(0).countDown();

    assertThat(seen.take()).isEqualTo("new");
    assertThat(seen.take()).isEqualTo("new");
    for (int i = 0; i < 5; i++) {
      assertThat(seen.take()).isEqualTo("rest");
    }
    tasks.get(1).countDown();
  }
}
