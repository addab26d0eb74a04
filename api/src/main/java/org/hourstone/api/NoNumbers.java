package org.hourstone.api;

import java.util.function.DoublePredicate;
import org.hourstone.Settings;
import org.hourstone.Tsdb;

/** Which values are {@code null} in JSON, which has no numbers for NaN and infinities. */
final class NoNumbers {
  private NoNumbers() {}

  /**
   * @param nullForNan whether the request asks for that
   */
  static DoublePredicate thatAreNull(Tsdb db, boolean nullForNan) {
    if (db.engine().options().get(Settings.NULL_FOR_NAN)) {
      return value -> !Double.isFinite(value);
    }
    return nullForNan ? Double::isNaN : value -> false;
  }
}
