package org.hourstone.api.query;

import java.util.function.DoublePredicate;
import org.hourstone.api.endpoint.ApiOptions;

/** Which values are {@code null} in JSON, which has no numbers for NaN and infinities. */
final class NoNumbers {
  private NoNumbers() {}

  /**
   * @param nullForNan whether the request asks for that
   */
  static DoublePredicate thatAreNull(ApiOptions options, boolean nullForNan) {
    if (options.nullForNan()) {
      return value -> !Double.isFinite(value);
    }
    return nullForNan ? Double::isNaN : value -> false;
  }
}
