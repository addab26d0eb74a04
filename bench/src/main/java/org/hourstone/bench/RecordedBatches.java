package org.hourstone.bench;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;

/** Notes the batches one family gets, in the order they were applied, and hands them on. */
final class RecordedBatches extends ForwardingStore {
  private final Family recorded;
  private final List<List<RowMutation>> batches = new ArrayList<>();

  RecordedBatches(KeyValueStore store, Family recorded) {
    super(store);
    this.recorded = recorded;
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    if (!family.equals(recorded)) {
      super.mutate(family, batch);
      return;
    }
    synchronized (batches) {
      batches.add(List.copyOf(batch));
      super.mutate(family, batch);
    }
  }

  List<List<RowMutation>> batches() {
    synchronized (batches) {
      return List.copyOf(batches);
    }
  }
}
