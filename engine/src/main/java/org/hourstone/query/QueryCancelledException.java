package org.hourstone.query;

import org.hourstone.error.TsdbException;

/**
 * A query was cancelled: by {@link RunningQueries#kill}, by closing its result, or because its
 * client has disconnected.
 */
public final class QueryCancelledException extends TsdbException {
  private static final long serialVersionUID = 1L;

  public QueryCancelledException(String message) {
    super(Category.CANCELLED, message);
  }
}
