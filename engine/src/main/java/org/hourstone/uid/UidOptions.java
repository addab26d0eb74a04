package org.hourstone.uid;

import java.time.Duration;
import java.util.Set;

/**
 * How names get their UIDs.
 *
 * @param autoCreated the kinds of names to which writing a point assigns UIDs
 * @param rules how UIDs are assigned and names are suggested
 * @param cacheSize how many names of each kind are cached, and as many UIDs; 0 for as many as fit
 *     in an eighth of the heap
 * @param noticesAfter the maximum time until a rename or deletion by another process is detected;
 *     zero for until the name is evicted from the cache
 */
public record UidOptions(
    Set<UidKind> autoCreated, Set<Rule> rules, int cacheSize, Duration noticesAfter) {
  /** How UIDs are assigned and names are suggested, if it is not as usual. */
  public enum Rule {
    /** UIDs of metrics are random instead of counted. */
    RANDOM_METRICS,
    /**
     * An attempt to assign a UID where none is left still increments the counter, as in OpenTSDB.
     */
    EXHAUSTION_MOVES_COUNTER,
    /** Suggesting without a prefix omits names that start at 7E or above, as in OpenTSDB. */
    SUGGEST_ONLY_ASCII
  }

  public UidOptions {
    autoCreated = Set.copyOf(autoCreated);
    rules = Set.copyOf(rules);
    if (noticesAfter.isNegative()) {
      throw new IllegalArgumentException("names kept for " + noticesAfter);
    }
  }

  /**
   * How long resolved names are kept: half the time, since a cached series may have been resolved
   * from cached names.
   */
  public Duration keptFor() {
    return noticesAfter.dividedBy(2);
  }

  boolean autoCreates(UidKind kind) {
    return autoCreated.contains(kind);
  }

  boolean has(Rule rule) {
    return rules.contains(rule);
  }
}
