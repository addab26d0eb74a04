package org.hourstone.api;

import java.util.concurrent.CompletableFuture;
import org.hourstone.write.Receipt;
import org.jspecify.annotations.Nullable;

/** Completes when its one point is stored, or exceptionally when it is not. */
final class StoredPoint extends CompletableFuture<@Nullable Void> implements Receipt {
  @Override
  public void stored(long token) {
    complete(null);
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    completeExceptionally(reason);
  }
}
