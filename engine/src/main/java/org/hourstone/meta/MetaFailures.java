package org.hourstone.meta;

import java.time.InstantSource;
import org.hourstone.internal.FailureLog;
import org.jspecify.annotations.Nullable;

/**
 * Counts and logs failures to write metadata for points that were written. The points are not
 * affected; the missing metadata can be written later ({@code uid metasync}). Thread-safe.
 */
public final class MetaFailures {
  private final FailureLog failures;

  MetaFailures(InstantSource clock) {
    failures =
        new FailureLog(
            "org.hourstone.meta",
            "points are stored, but not all of their metadata",
            "metadata is stored again; \"uid metasync\" stores what is missing",
            clock);
  }

  void add(String what, RuntimeException e) {
    add(what, String.valueOf(e.getMessage()));
  }

  void add(String what, String reason) {
    failures.add(what + ": " + reason);
  }

  /** Some metadata was written. */
  void succeeded() {
    failures.succeeded();
  }

  /** The number of failures. */
  public long count() {
    return failures.count();
  }

  /** The last failure and its reason; null if there was none. */
  public @Nullable String last() {
    return failures.last();
  }
}
