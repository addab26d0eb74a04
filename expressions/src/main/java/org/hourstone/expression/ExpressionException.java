package org.hourstone.expression;

import org.hourstone.error.RequestException;

/**
 * An invalid expression, or request with expressions; the message says what is invalid and where.
 */
public final class ExpressionException extends RequestException {
  private static final long serialVersionUID = 1L;

  private final int openTsdbStatus;
  private final String openTsdbMessage;

  /**
   * @param openTsdbStatus OpenTSDB's HTTP status
   * @param openTsdbMessage OpenTSDB's message, which often says less
   */
  public ExpressionException(String message, int openTsdbStatus, String openTsdbMessage) {
    super(message);
    this.openTsdbStatus = openTsdbStatus;
    this.openTsdbMessage = openTsdbMessage;
  }

  public int openTsdbStatus() {
    return openTsdbStatus;
  }

  public String openTsdbMessage() {
    return openTsdbMessage;
  }
}
