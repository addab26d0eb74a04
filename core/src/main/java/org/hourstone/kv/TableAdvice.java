package org.hourstone.kv;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Extension: what an operator should change in the configuration of tables that others may have
 * made. Thread-safe. Nothing fails: what the store does not tell is left out.
 */
public interface TableAdvice {
  /**
   * What is not as this store would create it, and what this user may not do.
   *
   * @return one line for each, with the table and what to do
   */
  List<String> advice(Collection<FamilySpec> families);

  /** How long the cells of a family are kept; empty if for ever, or if that is not known. */
  Optional<Duration> timeToLive(Family family);
}
