package org.hourstone.kv;

import java.time.Clock;
import java.time.InstantSource;

/**
 * Options of a store in addition to its URI.
 *
 * @param clock the source of write times for a store that assigns them itself
 */
public record StoreOptions(InstantSource clock) {
  /** The system's clock. */
  public static StoreOptions defaults() {
    return new StoreOptions(Clock.systemUTC());
  }
}
