package org.hourstone.api;

import java.util.function.Supplier;
import org.hourstone.expression.ExpressionException;

/** Maps failures of expressions to error responses. */
final class ExpressionErrors {
  private ExpressionErrors() {}

  /**
   * @param openTsdbRequests whether messages are repeated as details
   * @param openTsdbExpressions whether messages about invalid expressions are OpenTSDB's
   * @throws ApiException if an expression is wrong, or a query fails
   */
  static ApiAnswer answered(
      Supplier<ApiAnswer> answer, boolean openTsdbRequests, boolean openTsdbExpressions) {
    return QueryErrors.answered(
        () -> {
          try {
            return answer.get();
          } catch (ExpressionException e) {
            throw openTsdbExpressions ? asOpenTsdb(e) : e;
          }
        },
        openTsdbRequests);
  }

  private static ApiException asOpenTsdb(ExpressionException e) {
    String message = e.openTsdbMessage();
    return switch (e.kind()) {
      case REFUSED -> new ApiException(ApiException.BAD_REQUEST, message, message);
      case FAILED -> ApiException.internal(message);
    };
  }
}
