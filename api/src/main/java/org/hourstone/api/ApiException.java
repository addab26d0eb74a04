package org.hourstone.api;

import org.hourstone.error.RequestException;

/** A request that can't be fulfilled, with the status of the response. */
final class ApiException extends RuntimeException {
  private static final long serialVersionUID = 1;
  static final int BAD_REQUEST = 400;
  static final int FORBIDDEN = 403;
  static final int NOT_FOUND = 404;
  static final int METHOD_NOT_ALLOWED = 405;
  static final int TOO_LARGE = 413;
  static final int STORAGE_ERROR = 424;
  static final int INTERNAL_ERROR = 500;
  static final int UNAVAILABLE = 503;
  static final int NOT_IMPLEMENTED = 501;

  private final int status;
  private final String details;
  private final RefusalReason reason;

  ApiException(int status, String message) {
    this(status, message, "");
  }

  ApiException(int status, String message, String details) {
    this(status, message, details, RefusalReason.ofStatus(status));
  }

  private ApiException(int status, String message, String details, RefusalReason reason) {
    super(message);
    this.status = status;
    this.details = details;
    this.reason = reason;
  }

  /** Something that the server is not configured for, which it says as if it lacked room. */
  static ApiException notConfigured(RequestException e) {
    return new ApiException(UNAVAILABLE, e.getMessage(), "", RefusalReason.ILLEGAL_ARGUMENTS);
  }

  static ApiException methodNotAllowed(ApiCall call) {
    return new ApiException(
        METHOD_NOT_ALLOWED,
        "Method not allowed",
        "The HTTP method [" + call.method() + "] is not permitted for this endpoint");
  }

  /** A bad request whose message is repeated as its details. */
  static ApiException explained(RequestException e) {
    return new ApiException(BAD_REQUEST, e.getMessage(), e.getMessage());
  }

  /** A server error, in OpenTSDB's sense. */
  static ApiException internal(String message) {
    return new ApiException(INTERNAL_ERROR, message);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  int status() {
    return status;
  }

  /** Why a request that writes was refused. */
  RefusalReason reason() {
    return reason;
  }

  /** More than the message; may be empty. */
  String details() {
    return details;
  }
}
