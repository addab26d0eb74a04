package org.hourstone.write;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A future that detects when a caller begins to wait for it, or for a stage derived from it by one
 * of its methods; and that can report whether anything else depends on either, such as {@code
 * allOf}.
 */
class WaitableFuture<T extends @Nullable Object> extends CompletableFuture<T> {
  private final @Nullable WaitableFuture<?> source;

  /** The stages derived from it, guarded by this; most futures have none. */
  private List<WaitableFuture<?>> stages = List.of();

  WaitableFuture(@Nullable WaitableFuture<?> source) {
    this.source = source;
  }

  /** A caller waits, and it is not done yet. */
  void hurry() {
    if (source != null) {
      source.hurry();
    }
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    WaitableFuture<U> stage = new WaitableFuture<>(this);
    synchronized (this) {
      if (stages.isEmpty()) {
        stages = new ArrayList<>(1);
      }
      stages.add(stage);
    }
    return stage;
  }

  /** Whether anything depends on it or a stage derived from it, but for such stages. */
  final synchronized boolean isWaitedFor() {
    return getNumberOfDependents() > stages.size()
        || stages.stream().anyMatch(WaitableFuture::isWaitedFor);
  }

  private void hurryUnlessDone() {
    if (!isDone()) {
      hurry();
    }
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    hurryUnlessDone();
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    hurryUnlessDone();
    return super.get(timeout, unit);
  }

  @Override
  public T join() {
    hurryUnlessDone();
    return super.join();
  }
}
