package org.hourstone.api.request;

import org.hourstone.error.RequestException;

/** A request that can't be fulfilled, with the status of the response. */
public final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1;
  public static final int BAD_REQUEST = 400;
  public static final int UNAUTHORIZED = 401;
  public static final int FORBIDDEN = 403;
  public static final int NOT_FOUND = 404;
  static final int METHOD_NOT_ALLOWED = 405;
  public static final int CONFLICT = 409;
  public static final int TOO_LARGE = 413;
  public static final int UNSUPPORTED_TYPE = 415;
  public static final int STORAGE_ERROR = 424;
  public static final int INTERNAL_ERROR = 500;
  public static final int UNAVAILABLE = 503;
  public static final int NOT_IMPLEMENTED = 501;

  private final int status;
  private final String details;
  private final RefusalReason reason;

  public ApiException(int status, String message) {
    this(status, message, "");
  }

  public ApiException(int status, String message, String details) {
    this(status, message, details, RefusalReason.ofStatus(status));
  }

  private ApiException(int status, String message, String details, RefusalReason reason) {
    super(message);
    this.status = status;
    this.details = details;
    this.reason = reason;
  }

  /** Something that the server is not configured for, which it says as if it lacked room. */
  public static ApiException notConfigured(RequestException e) {
    return new ApiException(UNAVAILABLE, e.getMessage(), "", RefusalReason.ILLEGAL_ARGUMENTS);
  }

  public static ApiException methodNotAllowed(ApiCall call) {
    return new ApiException(
        METHOD_NOT_ALLOWED,
        "Method not allowed",
        "The HTTP method [" + call.method() + "] is not permitted for this endpoint");
  }

  /** A bad request whose message is repeated as its details. */
  public static ApiException explained(RequestException e) {
    return new ApiException(BAD_REQUEST, e.getMessage(), e.getMessage());
  }

  /** A server error, in OpenTSDB's sense. */
  public static ApiException internal(String message) {
    return new ApiException(INTERNAL_ERROR, message);
  }

  /** The same refusal, as it is counted, in other words. */
  public ApiException with(int otherStatus, String otherMessage, String otherDetails) {
    return new ApiException(otherStatus, otherMessage, otherDetails, reason);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  public int status() {
    return status;
  }

  /** Why a request that writes was refused. */
  public RefusalReason reason() {
    return reason;
  }

  /** More than the message; may be empty. */
  public String details() {
    return details;
  }
}
