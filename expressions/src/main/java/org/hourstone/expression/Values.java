package org.hourstone.expression;

/** The values of a source at ascending instants. For one pass. */
interface Values {
  /**
   * Whether a column has a value at a timestamp, which must not be before the last one requested.
   */
  boolean moveTo(int column, long millis);

  /** The value of a column at its current timestamp. */
  double value(int column);
}
