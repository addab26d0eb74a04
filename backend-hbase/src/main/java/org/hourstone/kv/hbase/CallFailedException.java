package org.hourstone.kv.hbase;

/** A call to HBase failed; the cause is the client's exception. */
final class CallFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Throwable failure;

  CallFailedException(Throwable failure) {
    super(failure);
    this.failure = failure;
  }

  /** The client's failure. */
  Throwable failure() {
    return failure;
  }
}
