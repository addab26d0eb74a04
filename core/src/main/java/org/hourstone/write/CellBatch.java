package org.hourstone.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.RowMutation;

/**
 * The cells of one batch that go into one row as they are; a later one takes the place of an
 * earlier with its qualifier. Not thread-safe.
 */
final class CellBatch extends RowWrite {
  private final Map<Bytes, PendingCell> cells = new LinkedHashMap<>();
  private final List<PendingCell> superseded = new ArrayList<>(0);

  CellBatch(byte[] key) {
    super(key);
  }

  void add(PendingCell cell) {
    PendingCell earlier = cells.put(new Bytes(cell.qualifier()), cell);
    if (earlier != null) {
      superseded.add(earlier);
    }
  }

  @Override
  int size() {
    return cells.size() + superseded.size();
  }

  @Override
  RowMutation mutation(WriteOptions options) {
    List<Change> changes = new ArrayList<>(cells.size());
    cells.values().forEach(cell -> changes.add(new Change.Put(cell.qualifier(), cell.value())));
    return new RowMutation(key(), changes);
  }

  @Override
  void forEach(Consumer<Work.Pending> action) {
    superseded.forEach(action);
    cells.values().forEach(action);
  }
}
