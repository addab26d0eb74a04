package org.hourstone.query;

import org.hourstone.error.RequestException;

/**
 * The filters in braces of a query in OpenTSDB's form, or the braces themselves, can't be parsed.
 */
public final class MalformedFiltersException extends RequestException {
  private static final long serialVersionUID = 1L;

  MalformedFiltersException(String message) {
    super(message);
  }

  MalformedFiltersException(String message, RequestException cause) {
    super(message, cause);
  }
}
