package org.hourstone.api;

import org.hourstone.expression.ExpressionException;

/** Wrong expressions as OpenTSDB answers them. */
final class ExpressionErrors {
  private ExpressionErrors() {}

  static ApiException asOpenTsdb(ExpressionException e) {
    String message = e.openTsdbMessage();
    return new ApiException(
        e.openTsdbStatus(), message, e.openTsdbStatus() == ApiException.BAD_REQUEST ? message : "");
  }
}
