package org.hourstone.codec;

/**
 * A flaw of a cell of the data table: an error, or a form that could be better. See {@code
 * docs/fsck.md}.
 *
 * @param text the details, for messages
 */
public record CellFlaw(Kind kind, String text) {
  /** The sorts of flaws. */
  public enum Kind {
    /** A column that no reader knows. */
    UNKNOWN_COLUMN,
    /** An object of an unknown kind, possibly of a later version. */
    UNKNOWN_OBJECT,
    /** A 4-byte float stored in 8 bytes, the first four of them 00, as early versions wrote it. */
    PADDED_FLOAT,
    /** A 4-byte float stored in 8 bytes, the first four of them FF: its sign was extended. */
    SIGN_EXTENDED_FLOAT,
    /** The length in the qualifier is not that of the value. */
    WRONG_LENGTH,
    /** A value that does not represent a number. */
    BAD_VALUE,
    /** A cell of several points without its last byte, as OpenTSDB's batch API wrote it. */
    MISSING_TRAILER,
    /** A last byte that is wrong about whether seconds and milliseconds are mixed. */
    WRONG_TRAILER,
    /** A last byte above 1, which has no meaning yet. */
    RESERVED_TRAILER,
    /** A cell of several points that can't be divided into them. */
    BAD_COMPACT,
    /** The points of a cell are not in time order. */
    OUT_OF_ORDER,
    /** An append cell that ends within a point, or contains something other than points. */
    BAD_APPEND,
    /** Points of an append cell are out of order, or superseded by later ones. */
    APPEND_DISORDER,
    /** A point that is not in its row's hour. */
    OUTSIDE_HOUR,
    /** An integer stored in 8 bytes that fits in fewer. */
    LONG_INTEGER
  }
}
