package org.hourstone.query;

/**
 * The filters in braces of a query in OpenTSDB's form, or the braces themselves, can't be parsed.
 */
public final class MalformedFiltersException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MalformedFiltersException(String message) {
    super(message);
  }
}
