package org.hourstone.query.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.hourstone.query.QueryThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SliceReadersTest {
  private final CountDownLatch began = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  @AfterEach
  void end() {
    ended.countDown();
  }

  private FutureTask<Integer> waiting() {
    return new FutureTask<>(
        () -> {
          began.countDown();
          ended.await();
          return 1;
        });
  }

  private static FutureTask<Thread> whoReads() {
    return new FutureTask<>(Thread::currentThread);
  }

  @Test
  void whoNeedsASliceThatAnotherThreadReadsReadsALaterOne() throws Exception {
    try (QueryThreads threads = new QueryThreads(2, 0);
        SliceReaders readers = new SliceReaders(threads)) {
      FutureTask<Integer> first = waiting();
      readers.offer(first);
      began.await();
      FutureTask<Integer> second =
          new FutureTask<>(
              () -> {
                ended.countDown(); // the first one ends no sooner
                return 2;
              });
      readers.offer(second);
      assertThat(readers.join(first)).isEqualTo(1);
      assertThat(readers.join(second)).isEqualTo(2);
    }
  }

  @Test
  void helpersReadOneSliceAfterTheOther() throws Exception {
    try (QueryThreads threads = new QueryThreads(2, 0);
        SliceReaders readers = new SliceReaders(threads)) {
      List<FutureTask<Thread>> slices = List.of(whoReads(), whoReads(), whoReads());
      slices.forEach(readers::offer);
      for (FutureTask<Thread> slice : slices) {
        assertThat(slice.get()).isNotSameAs(Thread.currentThread());
      }
    }
  }

  @Test
  void withOneThreadWhoNeedsTheSlicesReadsThem() {
    try (QueryThreads threads = new QueryThreads(1, 0);
        SliceReaders readers = new SliceReaders(threads)) {
      FutureTask<Thread> slice = whoReads();
      readers.offer(slice);
      assertThat(threads.waiting()).isZero();
      assertThat(readers.join(slice)).isSameAs(Thread.currentThread());
    }
  }

  @Test
  void onASharedStoreAllThreadsHelp() throws Exception {
    try (QueryThreads threads = new QueryThreads(1, 1);
        SliceReaders readers = new SliceReaders(threads)) {
      FutureTask<Thread> slice = whoReads();
      readers.offer(slice);
      assertThat(slice.get()).isNotSameAs(Thread.currentThread());
    }
  }

  @Test
  void nothingIsHeldAfterClosingThoughAllThreadsAreBusy() throws Exception {
    try (QueryThreads threads = new QueryThreads(1, 1)) {
      threads.execute(waiting());
      began.await();
      FutureTask<Thread> slice = whoReads();
      try (SliceReaders readers = new SliceReaders(threads)) {
        readers.offer(slice);
        assertThat(threads.waiting()).isEqualTo(1);
      }
      assertThat(threads.waiting()).isZero();
      assertThat(slice.isDone()).isFalse();
    }
  }
}
