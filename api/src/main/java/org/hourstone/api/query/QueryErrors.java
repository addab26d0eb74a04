package org.hourstone.api.query;

import java.util.function.Supplier;
import org.hourstone.api.endpoint.ApiDialect;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.TsdbException;

/** Maps failures of queries to error responses where these differ from other requests'. */
final class QueryErrors {
  private QueryErrors() {}

  /**
   * @throws ApiException if a request is refused, or a row is corrupt
   */
  static ApiResponse answered(Supplier<ApiResponse> response, ApiDialect dialect) {
    try {
      return response.get();
    } catch (CorruptDataException e) {
      throw dialect.faults().refused(String.valueOf(e.getMessage()));
    } catch (TsdbException e) {
      throw Failures.isOfRequest(e) ? dialect.faults().refused(e.getMessage()) : e;
    }
  }
}
