package org.hourstone.kv;

import java.time.Clock;
import java.time.InstantSource;

/**
 * What a store is given beside its URI.
 *
 * @param clock where write times come from on a store that assigns them itself
 */
public record StoreOptions(InstantSource clock) {
  /** The system's clock. */
  public static StoreOptions defaults() {
    return new StoreOptions(Clock.systemUTC());
  }
}
