package org.hourstone;

import java.util.concurrent.CompletableFuture;
import org.hourstone.write.Receipt;
import org.jspecify.annotations.Nullable;

/** Completes when its one point is stored, or exceptionally when it is not. */
final class StoredFuture extends CompletableFuture<@Nullable Void> implements Receipt {
  private final FailedPoints failed;

  StoredFuture(FailedPoints failed) {
    this.failed = failed;
  }

  @Override
  public void stored(long token) {
    complete(null);
  }

  @Override
  public void failed(long token, RuntimeException reason) {
    failed.add(reason);
    completeExceptionally(reason);
  }
}
