package org.hourstone.tsd.compare;

/** A line has no request that may be sent to both servers; the message says why. */
final class UnusableRequestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnusableRequestException(String message) {
    super(message);
  }
}
