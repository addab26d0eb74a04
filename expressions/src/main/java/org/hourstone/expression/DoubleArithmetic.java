package org.hourstone.expression;

import org.apache.commons.jexl3.JexlArithmetic;

/** All numbers are doubles, and calculated with and compared as IEEE 754 and Java do it. */
final class DoubleArithmetic extends JexlArithmetic {
  DoubleArithmetic() {
    super(true);
  }

  @Override
  public Object add(Object left, Object right) {
    return toDouble(left) + toDouble(right);
  }

  @Override
  public Object subtract(Object left, Object right) {
    return toDouble(left) - toDouble(right);
  }

  @Override
  public Object multiply(Object left, Object right) {
    return toDouble(left) * toDouble(right);
  }

  @Override
  public Object divide(Object left, Object right) {
    return toDouble(left) / toDouble(right);
  }

  @Override
  public Object mod(Object left, Object right) {
    return toDouble(left) % toDouble(right);
  }

  @Override
  public Object negate(Object value) {
    return -toDouble(value);
  }

  @Override
  public Object positivize(Object value) {
    return toDouble(value);
  }

  @Override
  public boolean equals(Object left, Object right) {
    return toDouble(left) == toDouble(right);
  }

  @Override
  public boolean lessThan(Object left, Object right) {
    return toDouble(left) < toDouble(right);
  }

  @Override
  public boolean lessThanOrEqual(Object left, Object right) {
    return toDouble(left) <= toDouble(right);
  }

  @Override
  public boolean greaterThan(Object left, Object right) {
    return toDouble(left) > toDouble(right);
  }

  @Override
  public boolean greaterThanOrEqual(Object left, Object right) {
    return toDouble(left) >= toDouble(right);
  }
}
