package org.hourstone.api;

import java.util.function.Supplier;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.TsdbException;

/** Maps failures of queries to error responses where these differ from other requests'. */
final class QueryErrors {
  private QueryErrors() {}

  /**
   * @param openTsdb whether messages are repeated as details
   * @throws ApiException if a request is refused, or a row is corrupt
   */
  static ApiAnswer answered(Supplier<ApiAnswer> answer, boolean openTsdb) {
    try {
      return answer.get();
    } catch (CorruptDataException e) {
      throw refused(String.valueOf(e.getMessage()), openTsdb);
    } catch (TsdbException e) {
      throw Failures.status(e) == ApiException.BAD_REQUEST ? refused(e.getMessage(), openTsdb) : e;
    }
  }

  private static ApiException refused(String message, boolean openTsdb) {
    return new ApiException(ApiException.BAD_REQUEST, message, openTsdb ? message : "");
  }
}
