package org.hourstone.testkit.golden;

import java.util.Map;

/**
 * What OpenTSDB did in a recording and we refuse to copy even in strict mode. Each scenario here is
 * played all the same, and must deviate: one that no longer does has to leave the list.
 */
enum Deviation {
  /**
   * Compacting a cell without a value made a cell without a qualifier of it, and the row
   * unreadable.
   */
  EMPTY_VALUE_IS_DAMAGED_FURTHER,
  /**
   * HBase hid a put behind the delete marker of an earlier compaction, because it was dated before.
   */
  PUT_HIDDEN_BY_DELETE_MARKER;

  private static final Map<String, Deviation> BY_SCENARIO =
      Map.of(
          "cells.json: empty-value", EMPTY_VALUE_IS_DAMAGED_FURTHER,
          "compact.json: otsdb-timestamp-max-true", PUT_HIDDEN_BY_DELETE_MARKER);
}
