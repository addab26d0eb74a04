package org.hourstone.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;

/** Ready-made cells that are written to one row together. Not thread-safe. */
final class CellBatch extends RowWrite {
  private final List<RowMutation> mutations = new ArrayList<>(1);

  CellBatch(RowId id) {
    super(id);
  }

  void add(Work.Cells cells) {
    receipts.makeRoom();
    mutations.add(cells.mutation());
    receipts.add(cells.receipt(), cells.token());
  }

  @Override
  boolean isDivisible(WriteOptions options) {
    return false;
  }

  @Override
  int size() {
    return mutations.size();
  }

  @Override
  int points() {
    return 0;
  }

  @Override
  RowMutation mutation(WriteOptions options, boolean appends, RowPoints scratch) {
    if (mutations.size() == 1) {
      return mutations.get(0);
    }
    Map<Bytes, Change> last = new LinkedHashMap<>();
    for (RowMutation mutation : mutations) {
      mutation.changes().forEach(change -> last.put(new Bytes(change.qualifier()), change));
    }
    return new RowMutation(id().key(), List.copyOf(last.values()));
  }
}
