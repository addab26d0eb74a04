package org.hourstone.testkit.store;

import java.util.List;
import org.hourstone.kv.Cell;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.Row;
import org.hourstone.kv.RowCursor;
import org.hourstone.kv.RowMutation;
import org.hourstone.kv.Scan;
import org.jspecify.annotations.Nullable;

/** A store whose calls do something first, such as to wait or to fail; for tests of one fault. */
public abstract class ActingStore extends ForwardingStore {
  protected ActingStore(KeyValueStore delegate) {
    super(delegate);
  }

  /** Is called before rows are read or changed, unless the other two are overridden. */
  protected void before() {}

  /** Is called before rows are read. */
  protected void beforeRead(Family family) {
    before();
  }

  /** Is called before rows are changed. */
  protected void beforeChange(Family family) {
    before();
  }

  @Override
  public Row get(Family family, byte[] row, Columns columns) {
    beforeRead(family);
    return super.get(family, row, columns);
  }

  @Override
  public List<Row> get(Family family, List<byte[]> rows, Columns columns) {
    beforeRead(family);
    return super.get(family, rows, columns);
  }

  @Override
  public RowCursor scan(Family family, Scan scan) {
    beforeRead(family);
    return super.scan(family, scan);
  }

  @Override
  public void mutate(Family family, List<RowMutation> batch) {
    beforeChange(family);
    super.mutate(family, batch);
  }

  @Override
  public long increment(Family family, byte[] row, byte[] qualifier, long delta) {
    beforeChange(family);
    return super.increment(family, row, qualifier, delta);
  }

  @Override
  public boolean compareAndSet(
      Family family,
      byte[] row,
      byte[] qualifier,
      byte @Nullable [] expected,
      byte @Nullable [] update) {
    beforeChange(family);
    return super.compareAndSet(family, row, qualifier, expected, update);
  }

  @Override
  public boolean replaceCells(Family family, Row observed, List<Cell> replacement) {
    beforeChange(family);
    return super.replaceCells(family, observed, replacement);
  }
}
