package org.hourstone.kv.rocksdb;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.kv.StoreHealth;
import org.jspecify.annotations.Nullable;

/**
 * The times in which a store refuses writes, and their reasons. The engine logs when an outage
 * begins and ends; the lines of this class, at level DEBUG, name each change of the reason.
 */
final class Outages implements StoreHealth {
  /** What can prevent writes, the most lasting first. */
  enum Kind {
    /** The files are not those that RocksDB opened. Does not end. */
    LOST,
    /** The directory is not at its path. */
    MOVED,
    /** RocksDB refuses writes. */
    FAILED
  }

  private static final System.Logger LOG = System.getLogger("org.hourstone.kv.rocksdb");

  private final String store;
  private final Map<Kind, String> reasons = new EnumMap<>(Kind.class);
  private final AtomicLong refused = new AtomicLong();
  private volatile @Nullable Outage outage;

  Outages(String store) {
    this.store = store;
  }

  @Override
  public @Nullable Outage outage() {
    return outage;
  }

  /** The reason why a write is refused now; counts it. Null if it is not. */
  @Nullable String refusal() {
    Outage now = outage;
    if (now == null) {
      return null;
    }
    refused.incrementAndGet();
    return now.reason();
  }

  synchronized boolean is(Kind kind) {
    return reasons.containsKey(kind);
  }

  /** The reason of the outage in progress. */
  synchronized String reason() {
    return reasons.isEmpty() ? "" : reasons.values().iterator().next();
  }

  synchronized void begin(Kind kind, String reason) {
    if (reasons.putIfAbsent(kind, reason) != null) {
      return;
    }
    Outage before = outage;
    if (before == null) {
      refused.set(0);
    }
    String first = reason();
    if (before == null || !before.reason().equals(first)) {
      LOG.log(Level.DEBUG, "{0} refuses writes: {1}", store, first);
    }
    outage = new Outage(before == null ? Instant.now() : before.since(), first);
  }

  /** Replaces the reason of an outage that goes on. */
  synchronized void goesOn(Kind kind, String reason) {
    Outage now = outage;
    if (now != null && reasons.replace(kind, reason) != null) {
      outage = new Outage(now.since(), reason());
    }
  }

  synchronized void end(Kind kind) {
    Outage ended = outage;
    if (reasons.remove(kind) == null || ended == null) {
      return;
    }
    if (!reasons.isEmpty()) {
      outage = new Outage(ended.since(), reason());
      return;
    }
    outage = null;
    LOG.log(
        Level.DEBUG,
        "{0} accepts writes again, after {1} s and {2} refused writes",
        store,
        Long.toString(Duration.between(ended.since(), Instant.now()).toSeconds()),
        Long.toString(refused.get()));
  }
}
