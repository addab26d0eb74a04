package org.hourstone.testing.golden;

import java.util.Set;

/**
 * Recorded behaviour of OpenTSDB that Hourstone does not copy, not even in strict mode. The list is
 * complete: whatever else differs from a recording fails its replay, and so does a recording listed
 * here that is not deviated from. Each is checked by its rule, so that other recordings of the same
 * behaviour pass, too. See {@code docs/golden.md#deviations}.
 */
enum Deviation {
  /**
   * Reading a row whose only point has a value of no bytes, OpenTSDB rewrites it as a cell whose
   * qualifier is empty, too, and fails: the information of the qualifier is lost. We report the row
   * as corrupt and leave it as it is.
   */
  EMPTY_QUALIFIER("cells.json: empty-value"),
  /**
   * HBase hides a put behind the marker of an earlier deletion of the same cell if the put is dated
   * before it, as every put of an old point is with {@code tsd.storage.use_otsdb_timestamp}. So a
   * point that is put again after the compaction of its row is lost, until a major compaction drops
   * the marker. That is the store's doing, and ours keep the point; played on a store that does as
   * HBase does, the cells are those recorded.
   */
  PUT_HIDDEN_BY_DELETE_MARKER("compact.json: otsdb-timestamp-max-true"),
  /**
   * The same, on HBase: the put that HBase would hide is refused, where OpenTSDB acknowledged it.
   * The cells are those recorded.
   */
  PUT_REFUSED_BEHIND_DELETE_MARKER(
      "compact.json: otsdb-timestamp-max-true", "compact.json: otsdb-timestamp-max-false"),
  /**
   * OpenTSDB's background compaction fails with a NullPointerException on a row that holds an
   * annotation or a histogram. Ours compacts the row, as OpenTSDB's does when the row is read.
   */
  COMPACTION_PAST_ANNOTATIONS("compact.json: compact-with-annotation"),
  /**
   * Letters that ISO-8859-1 lacks are all stored as question marks, so that names which differ in
   * them share a UID, and their points a series; OpenTSDB refuses the second of two such names
   * once, while its cache holds the first. We refuse such names. Where they are let in by a
   * setting, the cells are those recorded.
   */
  NAMES_BEYOND_LATIN1("none of those that come with the tests");

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes an immutable one
  private final Set<String> scenarios;

  Deviation(String... scenarios) {
    this.scenarios = Set.of(scenarios);
  }

  /** Whether this scenario, of the recordings that come with the tests, deviates by it. */
  boolean isReviewedIn(Scenario deviating) {
    return scenarios.contains(deviating.toString());
  }
}
