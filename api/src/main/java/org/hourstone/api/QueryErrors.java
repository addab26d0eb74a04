package org.hourstone.api;

import java.util.function.Supplier;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.query.QueryCancelledException;
import org.hourstone.query.QueryLimitException;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.NoSuchUidException;

/** Maps failures of queries to error responses. */
final class QueryErrors {
  private static final int TIMED_OUT = 408;
  private static final int TOO_LARGE = 413;

  private QueryErrors() {}

  /**
   * @param openTsdb whether messages are repeated as details
   * @throws ApiException if a query fails
   */
  static ApiAnswer answered(Supplier<ApiAnswer> answer, boolean openTsdb) {
    try {
      return answer.get();
    } catch (NoSuchNameException
        | NoSuchUidException
        | CorruptDataException
        | ArithmeticException
        | IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw new ApiException(ApiException.BAD_REQUEST, message, openTsdb ? message : "");
    } catch (QueryLimitException e) {
      boolean late = e.limit() == QueryLimitException.Limit.TIME;
      throw new ApiException(late ? TIMED_OUT : TOO_LARGE, String.valueOf(e.getMessage()));
    } catch (QueryCancelledException e) {
      throw new ApiException(ApiException.UNAVAILABLE, String.valueOf(e.getMessage()));
    }
  }
}
