package org.hourstone.tool;

import org.hourstone.error.TsdbException;

/** A copy failed or differs from its source; the message names the cells and the reason. */
public final class CopyException extends TsdbException {
  private static final long serialVersionUID = 1L;

  CopyException(String message) {
    super(Category.STORE, message);
  }
}
