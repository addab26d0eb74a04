package org.hourstone.query;

/** The braces of a query in OpenTSDB's form, or what is in them, can't be read. */
public final class MalformedFiltersException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MalformedFiltersException(String message) {
    super(message);
  }
}
