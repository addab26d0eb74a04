package org.hourstone.write;

/**
 * An import stopped early. Points already stored stay; the message names the file, the line and the
 * reason.
 */
public final class ImportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ImportException(String message, Throwable cause) {
    super(message, cause);
  }

  public ImportException(String message) {
    super(message);
  }
}
