package org.hourstone.kv;

import java.util.List;

/**
 * Changes to one row of one family, applied atomically.
 *
 * @param row the row's key, not empty
 * @param changes at least one, and at most one per qualifier: a delete and a put of one cell in one
 *     mutation would share a write time, and on some stores the delete would win
 */
public record RowMutation(byte[] row, List<Change> changes) {
  public RowMutation {
    if (row.length == 0) {
      throw new IllegalArgumentException("empty row key");
    }
    if (changes.isEmpty()) {
      throw new IllegalArgumentException("a row mutation without changes");
    }
  }

  public RowMutation(byte[] row, Change change) {
    this(row, List.of(change));
  }
}
