package org.hourstone.tool;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.hourstone.error.RequestException;
import org.hourstone.rewrite.Keep;

/**
 * The options of {@code fsck}.
 *
 * @param fix whether repairs are made; otherwise they are only reported
 * @param permitted the repairs in addition to those that lose no data
 * @param keep which of several values with the same timestamp is kept
 * @param threads the number of worker threads, at least 1
 */
public record FsckOptions(boolean fix, Set<FsckAction> permitted, Keep keep, int threads) {
  public FsckOptions {
    permitted =
        permitted.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(permitted));
    if (threads < 1) {
      throw new RequestException("threads: " + threads);
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
