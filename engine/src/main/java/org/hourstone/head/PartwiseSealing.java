package org.hourstone.head;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Seals all rows of a journal in parts of as much memory as open rows may take, for each of which
 * the journal is read again. May be repeated: the same cells are written.
 */
final class PartwiseSealing {
  private PartwiseSealing() {}

  /**
   * @param heads makes an empty head for each part, over records to which nothing is added; none
   *     that appends to rows
   * @param written is notified of rows that have several cells then
   * @param counts receives those of each part, sealed or not
   * @return how many rows were sealed
   * @throws org.hourstone.kv.StoreException if rows can't be sealed
   */
  static long seal(Supplier<Head> heads, WrittenRows written, Consumer<HeadStats> counts) {
    long rows = 0;
    for (long from = 0; from < Long.MAX_VALUE; ) {
      Head head = heads.get();
      head.begin();
      from = head.replayPart(from);
      rows += sealPart(head, written, counts);
    }
    return rows;
  }

  private static long sealPart(Head head, WrittenRows written, Consumer<HeadStats> counts) {
    long rows = head.stats().rows();
    if (rows > 0) {
      head.announceReplayed();
      try {
        head.shards(Acknowledgement.JOURNAL, 1, false, written).get(0).sealAll();
      } finally {
        counts.accept(head.stats());
      }
    }
    return rows;
  }
}
