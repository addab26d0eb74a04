package org.hourstone.expression;

/** An expression, or a request with expressions, that is wrong; the message says what and where. */
public final class ExpressionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final int openTsdbStatus;
  private final String openTsdbMessage;

  /**
   * @param openTsdbStatus the HTTP status OpenTSDB answers
   * @param openTsdbMessage what OpenTSDB says, which is often less
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
