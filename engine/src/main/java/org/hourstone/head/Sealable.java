package org.hourstone.head;

import java.util.List;
import org.hourstone.codec.RowPoints;
import org.hourstone.kv.Change;
import org.jspecify.annotations.Nullable;

/** What is written to one row together. For one thread. */
public interface Sealable {
  /** The key of the row. */
  byte[] key();

  /** Those who wait until it is written; null if it has time, since the journal has it. */
  @Nullable Waiting waiting();

  /** How many elements it has, for the size of batches. */
  int size();

  /** How many points of the data table are written next for those who wait. */
  int points();

  /**
   * The changes that write it.
   *
   * @param form of its points
   * @param scratch working space, whose contents are overwritten
   */
  List<Change> changes(CellOptions options, CellForm form, RowPoints scratch);
}
