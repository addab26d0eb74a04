package org.hourstone.query;

/** A query would have read or answered more than is allowed. The message names the limit. */
public final class QueryLimitException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public QueryLimitException(String message) {
    super(message);
  }
}
