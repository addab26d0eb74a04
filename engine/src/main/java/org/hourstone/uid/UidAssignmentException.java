package org.hourstone.uid;

import org.hourstone.error.TsdbException;

/** No UID could be assigned to a name: none is left, or the UID table is corrupt. */
public final class UidAssignmentException extends TsdbException {
  private static final long serialVersionUID = 1L;

  public UidAssignmentException(String message) {
    super(Category.CORRUPTION, message);
  }
}
