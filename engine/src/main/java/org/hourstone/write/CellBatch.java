package org.hourstone.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;
import org.jspecify.annotations.Nullable;

/** Ready-made cells that are written to one row together. Not thread-safe. */
final class CellBatch extends RowWrite {
  private final List<RowMutation> mutations = new ArrayList<>(1);
  private int points;
  private Change.@Nullable Append appended;

  CellBatch(RowId id) {
    super(id);
  }

  /**
   * Adds cells, unless they must be a mutation of their own: points are ordered by the write times
   * of their cells.
   *
   * @return whether they were added
   */
  boolean add(Work.Cells cells) {
    if (!mutations.isEmpty() && (points > 0 || cells.points() > 0)) {
      return false;
    }
    receipts.makeRoom();
    mutations.add(cells.mutation());
    appended = cells.appended();
    points += cells.points();
    receipts.add(cells.receipt(), cells.token());
    return true;
  }

  @Override
  boolean isDivisible(WriteOptions options) {
    return false;
  }

  @Override
  int size() {
    return Math.max(points, mutations.size());
  }

  @Override
  int points() {
    return points;
  }

  @Override
  RowMutation mutation(WriteOptions options, boolean appends, RowPoints scratch) {
    if (appends && appended != null) {
      return new RowMutation(id().key(), appended);
    }
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
