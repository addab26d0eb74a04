package org.hourstone.codec;

/**
 * The content of a cell of the data table, determined by its qualifier alone. See {@code
 * docs/format/qualifier.md#kinds}.
 */
public enum CellKind {
  /** One point. */
  POINT,
  /** Several points. */
  COMPACTED,
  /** Points in order of arrival, each after its qualifier. */
  APPEND,
  ANNOTATION,
  HISTOGRAM,
  /** Unknown: readers skip it. */
  UNKNOWN;

  private static final int ANNOTATION_PREFIX = 0x01;
  private static final int APPEND_PREFIX = 0x05;
  private static final int HISTOGRAM_PREFIX = 0x06;

  /** The kind of the cell with this qualifier. */
  public static CellKind of(byte[] qualifier) {
    int length = qualifier.length;
    if (length == 0) {
      return UNKNOWN;
    }
    if (length % 2 == 0) {
      return length == Qualifier.width(qualifier[0]) ? POINT : COMPACTED;
    }
    if (length != 3 && length != 5) {
      return UNKNOWN;
    }
    return switch (qualifier[0]) {
      case ANNOTATION_PREFIX -> ANNOTATION;
      case HISTOGRAM_PREFIX -> HISTOGRAM;
      case APPEND_PREFIX -> length == 3 ? APPEND : UNKNOWN;
      default -> UNKNOWN;
    };
  }

  /** Whether cells of this kind contain points. */
  public boolean holdsPoints() {
    return this == POINT || this == COMPACTED || this == APPEND;
  }
}
