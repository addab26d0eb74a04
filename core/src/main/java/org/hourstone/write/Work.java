package org.hourstone.write;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What waits in a flusher's queue. */
sealed interface Work permits PendingPoint, Work.Barrier {
  /** Is completed when everything queued before it has been written or has failed. */
  record Barrier(CompletableFuture<@Nullable Void> reached) implements Work {}
}
