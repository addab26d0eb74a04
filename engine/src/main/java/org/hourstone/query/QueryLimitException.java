package org.hourstone.query;

/** A query exceeded a limit. The message names the limit and its setting. */
public final class QueryLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The limited resource. */
  public enum Limit {
    BYTES,
    POINTS,
    SERIES,
    TIME,
    MEMORY,
    REGEX
  }

  private final Limit limit;

  public QueryLimitException(Limit limit, String message) {
    super(message);
    this.limit = limit;
  }

  public Limit limit() {
    return limit;
  }
}
