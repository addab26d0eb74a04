package org.hourstone.mirror;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a store which one it is, on a thread of its own, since a store that can't say it may take a
 * minute to find that out. For one thread; any may close it.
 */
final class StoreQuestion implements AutoCloseable {
  private final Supplier<String> store;
  private final Runnable whenAnswered;
  private volatile @Nullable Thread thread;
  private @Nullable CompletableFuture<String> answer;

  /**
   * @param store its identity; it fails if the store can't say that now
   * @param whenAnswered is called by the other thread when {@link #answer} has one, or the failure
   */
  StoreQuestion(Supplier<String> store, Runnable whenAnswered) {
    this.store = store;
    this.whenAnswered = whenAnswered;
  }

  boolean isAsked() {
    return answer != null;
  }

  void ask() {
    CompletableFuture<String> asked = new CompletableFuture<>();
    Thread asking = new Thread(() -> ask(asked), "hourstone-mirror-store");
    asking.setDaemon(true);
    thread = asking;
    asking.start(); // it may fail, and then nothing is asked
    answer = asked;
  }

  private void ask(CompletableFuture<String> asked) {
    try {
      asked.complete(store.get());
    } catch (RuntimeException e) {
      asked.completeExceptionally(e);
    } catch (Error e) { // it may end the process
      asked.completeExceptionally(e);
      throw e;
    } finally {
      whenAnswered.run();
    }
  }

  /**
   * Takes the answer to what was asked; null before it has come.
   *
   * @throws java.util.concurrent.CompletionException if the store could not say it
   */
  @Nullable String answer() {
    CompletableFuture<String> asked = answer;
    if (asked == null || !asked.isDone()) {
      return null;
    }
    answer = null;
    return asked.join();
  }

  @Override
  public void close() {
    Thread asking = thread;
    if (asking != null) {
      asking.interrupt();
    }
  }
}
