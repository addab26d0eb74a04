package org.hourstone.write;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.varhandle.MpscBlockingConsumerVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The work of a {@link Flusher}, bounded by its points: a batch is one element and counts as all of
 * its points. A batch is accepted whenever there is no other, since it may be larger than the
 * bound. Any thread may add work; one at a time takes it.
 */
final class WorkQueue {
  private final int mostPoints;
  private final MpscBlockingConsumerVarHandleArrayQueue<Work> queue;

  /** How many points are in the queue in addition to its elements, which may be batches. */
  private final AtomicInteger batched = new AtomicInteger();

  WorkQueue(int mostPoints) {
    this.mostPoints = mostPoints;
    this.queue = new MpscBlockingConsumerVarHandleArrayQueue<>(mostPoints);
  }

  /** Queues work unless the queue is full; a batch larger than the queue waits for others only. */
  boolean offer(Work work) {
    int more = more(work);
    int others = more == 0 ? batched.get() : batched.getAndAdd(more);
    boolean fits = others == 0 || others + queue.size() + 1 + more <= mostPoints;
    if (fits && queue.offer(work)) {
      return true;
    }
    batched.addAndGet(-more);
    return false;
  }

  /** Queues work that has no points, unless the queue is full. Wakes the thread that takes. */
  boolean offerSignal(Work signal) {
    return queue.offer(signal);
  }

  private static int more(Work work) {
    return work instanceof Work.Points ? work.elements() - 1 : 0;
  }

  /** The next work that is in the queue, or null. */
  @Nullable Work poll() {
    return taken(queue.poll());
  }

  /** As {@link #poll}, but skips a slot that a writer has claimed and not filled yet. */
  @Nullable Work relaxedPoll() {
    return taken(queue.relaxedPoll());
  }

  /** The next work, for which it waits. */
  Work take() throws InterruptedException {
    Work work = queue.take();
    taken(work);
    return work;
  }

  /** The next work, which is waited for at most this long; null if there is none. */
  @Nullable Work poll(long millis) throws InterruptedException {
    return taken(queue.poll(millis, TimeUnit.MILLISECONDS));
  }

  private @Nullable Work taken(@Nullable Work work) {
    if (work != null && more(work) > 0) {
      batched.addAndGet(-more(work));
    }
    return work;
  }

  /** How many points are in it, and pieces of other work. */
  int size() {
    return queue.size() + batched.get();
  }
}
