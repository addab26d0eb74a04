package org.hourstone.tool;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.hourstone.rewrite.Keep;

/**
 * What {@code fsck} may do.
 *
 * @param fix whether anything is changed; else it only says what would be
 * @param permitted what it does beside what loses nothing
 * @param keep which of different values of one instant stays
 * @param threads how many work at a time, at least 1
 */
public record FsckOptions(boolean fix, Set<FsckAction> permitted, Keep keep, int threads) {
  public FsckOptions {
    permitted =
        permitted.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(permitted));
    if (threads < 1) {
      throw new IllegalArgumentException("threads: " + threads);
    }
  }

  boolean permits(FsckKind kind) {
    return kind != FsckKind.UNKNOWN_OBJECT
        && (kind.remedies().isEmpty() || kind.remedies().stream().anyMatch(permitted::contains));
  }

  boolean permits(FsckAction action) {
    return permitted.contains(action);
  }
}
