package org.hourstone.api;

import java.util.function.Supplier;
import org.hourstone.expression.ExpressionException;

/** What fails as expressions are answered, as errors with the status they are answered by. */
final class ExpressionErrors {
  private ExpressionErrors() {}

  /**
   * @param openTsdbRequests whether messages are repeated as details
   * @param openTsdbExpressions whether of a wrong expression is said what OpenTSDB says
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
    return new ApiException(
        e.openTsdbStatus(), message, e.openTsdbStatus() == ApiException.BAD_REQUEST ? message : "");
  }
}
