package org.hourstone.api.endpoint;

import com.fasterxml.jackson.core.JsonParser;
import org.hourstone.api.request.ApiException;

/** How the faults of requested queries are reported ({@code hourstone.strict=requests}). */
public enum QueryFaultDialect {
  HOURSTONE,
  OPENTSDB {
    /** OpenTSDB reports it as its own failure. */
    @Override
    public void checkQueries(boolean given) {
      if (!given) {
        throw ApiException.internal("Missing queries");
      }
    }

    /** OpenTSDB splits off the metric before it checks that there is one, and fails. */
    @Override
    public void checkTsuid(String tsuid, int metricDigits) {
      if (tsuid.length() < metricDigits) {
        throw ApiException.internal(
            "TSUID '" + tsuid + "': shorter than a metric's UID of " + metricDigits + " digits");
      }
    }

    /** OpenTSDB doesn't name the malformed query of a query string. */
    @Override
    public ApiException malformed(String message, String where) {
      return new ApiException(ApiException.BAD_REQUEST, message);
    }

    /** OpenTSDB reports malformed filters as its own failure. */
    @Override
    public ApiException malformedSeries(String message, String where) {
      return ApiException.internal(message);
    }

    /** OpenTSDB fails while it parses the body. */
    @Override
    public ApiException malformedFilter(String message, String place, JsonParser json) {
      return RequestBody.unparsable(place + ": " + message, json);
    }

    /** OpenTSDB reports it as its own failure. */
    @Override
    public ApiException bodyOfNull() {
      return ApiException.internal("The body is null, not an object");
    }

    /** OpenTSDB doesn't name it. */
    @Override
    public String placeOfTime(String name) {
      return "";
    }

    /** OpenTSDB repeats the message. */
    @Override
    public ApiException refused(String message) {
      return new ApiException(ApiException.BAD_REQUEST, message, message);
    }
  };

  /**
   * @param given whether a body has a list of queries
   * @throws ApiException if a missing list is an error of its own
   */
  public void checkQueries(boolean given) {}

  /**
   * @param metricDigits the number of hex digits of a metric's UID
   * @throws ApiException if the TSUID is too short
   */
  public void checkTsuid(String tsuid, int metricDigits) {}

  /** A query of a query string can't be read. */
  public ApiException malformed(String message, String where) {
    return new ApiException(ApiException.BAD_REQUEST, message, where);
  }

  /** The series of a query of a query string can't be read. */
  public ApiException malformedSeries(String message, String where) {
    return malformed(message, where);
  }

  /**
   * A filter in a body is invalid.
   *
   * @param place such as {@code queries[0].filters[1]}
   * @param json at the end of it
   */
  public ApiException malformedFilter(String message, String place, JsonParser json) {
    return malformed(message, "in " + place + RequestBody.position(json));
  }

  /** The body of a request is JSON's null. */
  public ApiException bodyOfNull() {
    return RequestBody.unparsable("not an object, but null");
  }

  /** Where a time is that can't be read, for the details of the error; empty if it isn't named. */
  public String placeOfTime(String name) {
    return "in " + name;
  }

  /** A query was read, and can't be executed. */
  public ApiException refused(String message) {
    return new ApiException(ApiException.BAD_REQUEST, message);
  }
}
