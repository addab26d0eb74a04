package org.hourstone.tool;

import java.util.function.LongConsumer;

/** Counts rows as they are read, and reports the count periodically. */
final class ReadCount {
  private static final int STEP = 1000;

  private final LongConsumer listener;
  private long rows;

  ReadCount(LongConsumer listener) {
    this.listener = listener;
  }

  void row() {
    if (++rows % STEP == 0) {
      listener.accept(rows);
    }
  }
}
