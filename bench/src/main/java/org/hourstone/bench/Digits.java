package org.hourstone.bench;

import java.math.BigDecimal;
import java.math.MathContext;

/** Numbers with three significant digits: small ones are not shown as zero. */
final class Digits {
  private static final MathContext THREE = new MathContext(3);

  private Digits() {}

  static String three(double number) {
    return number == 0 ? "0" : new BigDecimal(number).round(THREE).toPlainString();
  }
}
