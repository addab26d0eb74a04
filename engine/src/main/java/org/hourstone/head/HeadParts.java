package org.hourstone.head;

import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What the shards of a head share. Thread-safe.
 *
 * @param points the data table's family
 * @param openedAt when the head was made, in milliseconds since the epoch
 * @param rows that readers see
 * @param appending whether rows are appended to, if that is their form
 * @param bytes of memory of all rows
 * @param sealed how many rows were written
 * @param refused how many of them as a cell for each point
 * @param hidden how many points of these were left out, since they had been deleted
 */
record HeadParts(
    KeyValueStore store,
    Family points,
    HeadOptions options,
    InstantSource clock,
    long openedAt,
    Backoff backoff,
    Announcements announcements,
    Journal journal,
    Supplier<HeadState> state,
    VisibleRows rows,
    AtomicBoolean appending,
    LongAdder bytes,
    LongAdder sealed,
    LongAdder refused,
    LongAdder hidden) {

  /** Whether points of the row may have been sealed before this head was opened. */
  boolean beganLater(OpenRow row) {
    return row.baseTime() * 1000 < openedAt;
  }

  /** Why rows stay open if the journal is beyond twice its bound; null if it is not, or none do. */
  @Nullable RuntimeException journalFailure() {
    return journal.bytes() > 2 * options.journalBytes() ? journal.failure() : null;
  }
}
