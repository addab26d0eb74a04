package org.hourstone.error;

import org.jspecify.annotations.Nullable;

/**
 * A request is invalid: its text is malformed, a name in it is not allowed, or it contradicts the
 * stored data. The message says which part and why.
 */
public class RequestException extends TsdbException {
  private static final long serialVersionUID = 1L;

  public RequestException(String message) {
    this(message, null);
  }

  public RequestException(String message, @Nullable Throwable cause) {
    super(Category.REQUEST, message, cause);
  }
}
