package org.hourstone.testing.golden;

import java.util.concurrent.CompletableFuture;
import org.hourstone.write.Receipt;
import org.jspecify.annotations.Nullable;

/** The receipt of one point, to wait for. */
final class SingleReceipt implements Receipt {
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();

  @Override
  public void stored(long token) {
    done.complete(null);
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    done.completeExceptionally(reason);
  }

  void await() {
    done.join();
  }
}
