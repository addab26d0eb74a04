package org.hourstone.write;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A future that is told when somebody begins to wait for it, or for a stage that was derived from
 * it by a method of it.
 */
class WaitableFuture<T extends @Nullable Object> extends CompletableFuture<T> {
  private final @Nullable WaitableFuture<?> source;

  WaitableFuture(@Nullable WaitableFuture<?> source) {
    this.source = source;
  }

  /** Somebody waits, and it is not done yet. */
  void hurry() {
    if (source != null) {
      source.hurry();
    }
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new WaitableFuture<>(this);
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
