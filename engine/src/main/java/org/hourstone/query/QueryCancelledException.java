package org.hourstone.query;

/** A query was ended before it was answered: by {@link RunningQueries#kill}, or by its reader. */
public final class QueryCancelledException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public QueryCancelledException(String message) {
    super(message);
  }
}
