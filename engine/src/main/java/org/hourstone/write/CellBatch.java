package org.hourstone.write;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.codec.RowPoints;
import org.hourstone.head.CellForm;
import org.hourstone.head.CellOptions;
import org.hourstone.head.Sealable;
import org.hourstone.head.Waiting;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;

/**
 * Ready-made cells that are written to one row together: of several with a qualifier the last one.
 * Not thread-safe.
 */
final class CellBatch implements Sealable {
  private final byte[] key;
  private final Map<Bytes, Change> changes = new LinkedHashMap<>();
  private final Receipts receipts = new Receipts();

  CellBatch(byte[] key) {
    this.key = key;
  }

  void add(Work.Cells cells) {
    receipts.makeRoom();
    cells.mutation().changes().forEach(c -> changes.put(new Bytes(c.qualifier()), c));
    receipts.add(cells.receipt(), cells.token());
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public Waiting waiting() {
    return receipts;
  }

  @Override
  public int size() {
    return receipts.size();
  }

  @Override
  public int points() {
    return 0;
  }

  @Override
  public List<Change> changes(CellOptions options, CellForm form, RowPoints scratch) {
    return List.copyOf(changes.values());
  }
}
