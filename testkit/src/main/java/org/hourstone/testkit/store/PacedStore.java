package org.hourstone.testkit.store;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowMutation;

/** A store with this machine's clock that never writes twice in one millisecond. */
public final class PacedStore extends ForwardingStore {
  public PacedStore(KeyValueStore store) {
    super(store);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    pass();
    super.mutate(family, batch);
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    pass();
    return super.replaceCells(family, observed, replacement);
  }

  /** Waits until this machine's clock has moved on. */
  public static void pass() {
    long before = System.currentTimeMillis();
    while (System.currentTimeMillis() <= before + 1) {
      LockSupport.parkUntil(before + 2); // others can use the processor
    }
  }
}
