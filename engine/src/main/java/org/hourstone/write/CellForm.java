package org.hourstone.write;

/** How the points of a row that are written together are written. */
public enum CellForm {
  /** A cell for each: OpenTSDB's way. */
  SINGLE,
  /** One cell for all of them, so that a point costs its few bytes and not a key. */
  PACKED,
  /** At the end of the row's append cell: OpenTSDB's {@code tsd.storage.enable_appends}. */
  APPENDED
}
