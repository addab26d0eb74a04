package org.hourstone.api.query;

import java.util.function.Supplier;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.expression.ExpressionDialect;
import org.hourstone.expression.ExpressionException;

/** Maps failures of expressions to error responses. */
final class ExpressionErrors {
  private ExpressionErrors() {}

  /**
   * @throws ApiException if an expression is wrong, or a query fails
   */
  static ApiResponse answered(
      Supplier<ApiResponse> response, ApiDialect requests, ExpressionDialect expressions) {
    return QueryErrors.answered(
        () -> {
          try {
            return response.get();
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
