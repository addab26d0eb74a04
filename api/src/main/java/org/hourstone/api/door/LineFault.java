package org.hourstone.api.door;

/** Why a line can't be read. Without a stack trace: there may be one for each line of a body. */
public final class LineFault extends Exception {
  private static final long serialVersionUID = 1;

  private final String reason;

  public LineFault(String reason) {
    super(reason, null, false, false);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
