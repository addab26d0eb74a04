package org.hourstone.kv;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A scan has come to rows that can't be read because their stored bytes are corrupt, and knows
 * where the next ones are that can be read. Every row that the scan has not returned and that is
 * before {@link #next()} is lost. {@link SkippingStore} continues there.
 */
public final class UnreadableRowsException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final transient Family family;
  private final transient byte[] from;
  private final transient byte @Nullable [] next;

  /**
   * @param reason in one line, with the store's name
   * @param from the first key that may be lost: all rows of the scan before it were read
   * @param next greater than {@code from}; the rows from here on can be read; null if no further
   *     row of the scan can
   */
  public UnreadableRowsException(
      String reason,
      Family family,
      byte[] from,
      byte @Nullable [] next,
      @Nullable Throwable cause) {
    super(Outcome.REJECTED, rows(family, from, next) + ": " + reason, cause);
    this.reason = reason;
    this.family = family;
    this.from = from.clone();
    this.next = next == null ? null : next.clone();
  }

  public Family family() {
    return family;
  }

  /** The first key that may be lost. */
  public byte[] from() {
    return from.clone();
  }

  /** The first key that is not lost; null if all other rows of the scan are. */
  public byte @Nullable [] next() {
    return next == null ? null : next.clone();
  }

  /** Which rows can't be read, in one line. */
  public String rows() {
    return rows(family, from, next);
  }

  /** The failure of the store. */
  public String reason() {
    return reason;
  }

  private static String rows(Family family, byte[] from, byte @Nullable [] next) {
    HexFormat hex = HexFormat.of();
    return "rows of "
        + family
        + " from "
        + (from.length == 0 ? "the first one" : hex.formatHex(from))
        + (next == null ? " on" : " to before " + hex.formatHex(next))
        + " can't be read";
  }
}
