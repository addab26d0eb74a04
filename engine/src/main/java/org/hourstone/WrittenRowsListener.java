package org.hourstone;

import java.util.List;
import org.hourstone.head.WrittenRows;
import org.hourstone.meta.Metadata;
import org.hourstone.rewrite.CompactionQueue;
import org.jspecify.annotations.Nullable;

/** Has rows compacted, and their series and points counted, after they were written. */
final class WrittenRowsListener implements WrittenRows {
  private final @Nullable CompactionQueue compactions;
  private final Metadata metadata;
  private final boolean countsPoints;

  /**
   * @param compactions where rows wait to be compacted; null if they are not
   */
  WrittenRowsListener(
      @Nullable CompactionQueue compactions, Metadata metadata, boolean countsPoints) {
    this.compactions = compactions;
    this.metadata = metadata;
    this.countsPoints = countsPoints;
  }

  @Override
  public void written(List<byte[]> rows, List<Integer> points) {
    sealed(rows);
    metadata.written(rows, points);
  }

  @Override
  public void journaled(List<byte[]> rows, List<Integer> points) {
    metadata.written(rows, points);
  }

  @Override
  public boolean countsPoints() {
    return countsPoints;
  }

  @Override
  public void sealed(List<byte[]> rows) {
    if (compactions != null) {
      rows.forEach(compactions::add);
    }
  }

  @Override
  public void await() {
    metadata.await();
  }
}
