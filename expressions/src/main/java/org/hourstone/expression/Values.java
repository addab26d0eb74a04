package org.hourstone.expression;

/** The values of a source at ascending instants. For one pass. */
interface Values {
  /** Whether a column has a value at an instant, which may not be before the last one asked for. */
  boolean moveTo(int column, long millis);

  /** The value of a column at the instant it was moved to. */
  double value(int column);
}
