package org.hourstone.expression;

import org.hourstone.error.RequestException;

/**
 * An invalid expression, or request with expressions; the message says what is invalid and where.
 */
public final class ExpressionException extends RequestException {
  private static final long serialVersionUID = 1L;

  /** How OpenTSDB reports it. */
  public enum Kind {
    /** It refuses the request. */
    REFUSED,
    /** It reports a failure of its own. */
    FAILED
  }

  private final Kind kind;
  private final String openTsdbMessage;

  /**
   * @param kind OpenTSDB's reaction to it
   * @param openTsdbMessage OpenTSDB's message, which often says less
   */
  public ExpressionException(String message, Kind kind, String openTsdbMessage) {
    super(message);
    this.kind = kind;
    this.openTsdbMessage = openTsdbMessage;
  }

  public Kind kind() {
    return kind;
  }

  public String openTsdbMessage() {
    return openTsdbMessage;
  }
}
