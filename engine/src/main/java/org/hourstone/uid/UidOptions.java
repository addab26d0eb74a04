package org.hourstone.uid;

import java.time.Duration;
import java.util.Set;

/**
 * How names get their UIDs.
 *
 * @param autoCreated the kinds of names to which writing a point assigns UIDs
 * @param rules how UIDs are assigned and names are suggested
 * @param cacheSize the maximum number of names of each kind that are cached, and also of UIDs; 0
 *     for as many as fit in an eighth of the heap
 * @param noticesAfter the maximum time until a rename or deletion by another process is detected;
 *     zero for until the name is evicted from the cache
 */
public record UidOptions(
    Set<UidKind> autoCreated, Set<Rule> rules, int cacheSize, Duration noticesAfter) {
  /** Exceptions from the default way to assign UIDs and suggest names. */
  public enum Rule {
    /** UIDs of metrics are random instead of counted. */
    RANDOM_METRICS,
    /**
     * An attempt to assign a UID when none is left still increments the counter, as in OpenTSDB.
     */
    EXHAUSTION_MOVES_COUNTER,
    /** Suggestions without a prefix omit names whose first byte is 7E or above, as in OpenTSDB. */
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
   * How long resolved names are kept: half of {@link #noticesAfter}, since a cached series may have
   * been resolved from cached names.
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
