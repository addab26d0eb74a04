package org.hourstone.head;

import org.jspecify.annotations.Nullable;

/** The records of a process's own journal while all of its rows are sealed. */
record ReadRecords(Records records) implements FixedRecords {
  @Override
  public long replay(Journal.Replay replay) {
    return records.replay(replay);
  }

  @Override
  public byte[] key(long number) {
    return records.key(number);
  }

  @Override
  public @Nullable String lost() {
    return records.lost();
  }
}
