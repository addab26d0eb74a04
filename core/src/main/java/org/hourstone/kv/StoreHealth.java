package org.hourstone.kv;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Extension: whether a store accepts changes, for stores that may be unable to for a while without
 * being closed, as on a full disk. Thread-safe.
 */
public interface StoreHealth {
  /** The outage in progress; null if there is none. Never waits for the store. */
  @Nullable Outage outage();

  /**
   * A time in which changes fail. Reads may succeed.
   *
   * @param since when it began, by the system's clock
   * @param reason what happened, and where, in one line
   */
  record Outage(Instant since, String reason) {}
}
