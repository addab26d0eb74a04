package org.hourstone.kv;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Extension: {@link KeyValueStore#mutate} without waiting. */
public interface AsyncWrites {
  /**
   * As {@link KeyValueStore#mutate}; the arrays belong to the store until the stage completes.
   *
   * @return completes when the batch is applied, or exceptionally with a {@link StoreException}
   */
  CompletionStage<@Nullable Void> mutate(Family family, List<RowMutation> batch);
}
