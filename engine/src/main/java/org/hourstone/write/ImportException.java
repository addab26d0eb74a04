package org.hourstone.write;

import org.hourstone.error.TsdbException;
import org.hourstone.kv.StoreException;

/**
 * An import ended early. Points already stored stay; the message names the file, the line and the
 * reason.
 */
public final class ImportException extends TsdbException {
  private static final long serialVersionUID = 1L;

  public ImportException(String message, Throwable cause) {
    super(cause instanceof StoreException ? Category.STORE : Category.REQUEST, message, cause);
  }

  public ImportException(String message) {
    super(Category.REQUEST, message);
  }
}
