package org.hourstone.head;

import java.util.EnumSet;
import java.util.Set;

/** The life of a {@link Head}; see the drawing in the description of the package. */
enum HeadState {
  /** It has no rows, and has not accessed the store. */
  EMPTY,

  /** The journal is used by this head only. */
  OWNING,

  /** So it is, and its rows are in memory. */
  REPLAYED,

  /** The rows of the journal are in memory, for readers only. */
  SHOWING,

  /** Its shards acknowledge points by the journal. */
  JOURNALED,

  /** So they do until their rows are sealed, and not any more after that. */
  RETIRED,

  /** Its shards use no journal. */
  DIRECT,

  CLOSED;

  boolean mayBecome(HeadState next) {
    return next == CLOSED || next().contains(next);
  }

  private Set<HeadState> next() {
    return switch (this) {
      case EMPTY -> EnumSet.of(OWNING, SHOWING, DIRECT);
      case OWNING -> EnumSet.of(REPLAYED);
      case SHOWING -> EnumSet.of(DIRECT);
      case REPLAYED -> EnumSet.of(JOURNALED);
      case JOURNALED -> EnumSet.of(RETIRED, DIRECT);
      case RETIRED, DIRECT, CLOSED -> EnumSet.noneOf(HeadState.class);
    };
  }

  /** Whether the journal has the points of open rows. */
  boolean isJournaled() {
    return this == JOURNALED || this == RETIRED;
  }
}
