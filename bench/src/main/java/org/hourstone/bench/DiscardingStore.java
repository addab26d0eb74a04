package org.hourstone.bench;

import java.util.List;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;

/**
 * A store that accepts the cells of one family and drops them, and keeps all others: the cost of
 * everything before the store.
 */
final class DiscardingStore extends ForwardingStore {
  private final Family discarded;

  /**
   * @param store keeps the other families: names must be found again
   */
  DiscardingStore(KeyValueStore store, Family discarded) {
    super(store);
    this.discarded = discarded;
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    if (!family.equals(discarded)) {
      super.mutate(family, batch);
    }
  }
}
