package org.hourstone.query;

/** A query was cancelled: by {@link RunningQueries#kill}, or by closing its result. */
public final class QueryCancelledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public QueryCancelledException(String message) {
    super(message);
  }
}
