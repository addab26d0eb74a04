package org.hourstone.api.query;

import org.hourstone.api.request.ApiAnswer;
import org.hourstone.api.request.ApiDialect;
import org.hourstone.api.request.ApiException;
import java.util.function.Supplier;
import org.hourstone.expression.ExpressionDialect;
import org.hourstone.expression.ExpressionException;

/** Maps failures of expressions to error responses. */
final class ExpressionErrors {
  private ExpressionErrors() {}

  /**
   * @throws ApiException if an expression is wrong, or a query fails
   */
  static ApiAnswer answered(
      Supplier<ApiAnswer> answer, ApiDialect requests, ExpressionDialect expressions) {
    return QueryErrors.answered(
        () -> {
          try {
            return answer.get();
          } catch (ExpressionException e) {
            throw expressions.saysLessOfErrors() ? asOpenTsdb(e) : e;
          }
        },
        requests);
  }

  private static ApiException asOpenTsdb(ExpressionException e) {
    String message = e.openTsdbMessage();
    return switch (e.kind()) {
      case REFUSED -> new ApiException(ApiException.BAD_REQUEST, message, message);
      case FAILED -> ApiException.internal(message);
    };
  }
}
