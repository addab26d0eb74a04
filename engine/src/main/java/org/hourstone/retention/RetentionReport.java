package org.hourstone.retention;

import java.util.List;

/**
 * What a run has deleted, or would delete.
 *
 * @param rules one for each rule and kind of values of which rows have expired
 * @param waiting the number of rows of points that have expired and are kept until they are rolled
 *     up; rules do not have them
 * @param series the number of series of which all rows were deleted, and that left the index
 */
public record RetentionReport(List<OfRule> rules, long waiting, long series) {
  /**
   * The rows that have expired by a rule.
   *
   * @param rule as it is written
   * @param values {@code raw} or the name of a rollup interval
   * @param rows their number; a row has the points of a series and an hour
   * @param bytes of their keys, qualifiers and values, without the store's compression
   */
  public record OfRule(String rule, String values, long rows, long bytes) {}

  public RetentionReport {
    rules = List.copyOf(rules);
  }

  RetentionReport withSeries(long removed) {
    return new RetentionReport(rules, waiting, removed);
  }

  /** The number of rows by all rules. */
  public long rows() {
    return rules.stream().mapToLong(OfRule::rows).sum();
  }
}
