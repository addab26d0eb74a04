package org.hourstone.query;

import org.hourstone.error.TsdbException;

/** A query or request exceeded a limit. The message names the limit and its setting. */
public final class QueryLimitException extends TsdbException {
  private static final long serialVersionUID = 1L;

  /** The limited resource. */
  public enum Limit {
    BYTES,
    POINTS,
    SERIES,
    TIME,
    MEMORY,
    REGEX,
    QUERIES,
    VALUES
  }

  private final Limit limit;

  public QueryLimitException(Limit limit, String message) {
    super(Category.LIMIT, message);
    this.limit = limit;
  }

  public Limit limit() {
    return limit;
  }
}
