package org.hourstone.head;

/** The form in which points of one row are stored that are written together. */
public enum CellForm {
  /** A cell for each, as in OpenTSDB. */
  SINGLE,
  /** One cell for all of them, so that a point costs its few bytes and not a key. */
  PACKED,
  /** At the end of the row's append cell: OpenTSDB's {@code tsd.storage.enable_appends}. */
  APPENDED
}
