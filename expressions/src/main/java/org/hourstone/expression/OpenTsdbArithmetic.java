package org.hourstone.expression;

import org.apache.commons.jexl3.JexlArithmetic;

/**
 * As JEXL 2.1 calculates for OpenTSDB: whole numbers in a formula are integers, so that {@code 1/2}
 * is 0; a division by 0 gives 0; and NaN equals itself and is less than all numbers.
 */
final class OpenTsdbArithmetic extends JexlArithmetic {
  OpenTsdbArithmetic() {
    super(false);
  }

  @Override
  public Object divide(Object left, Object right) {
    return toDouble(right) == 0 ? (Object) 0.0 : super.divide(left, right);
  }

  @Override
  public Object mod(Object left, Object right) {
    return toDouble(right) == 0 ? (Object) 0.0 : super.mod(left, right);
  }
}
