package org.hourstone.uid;

/** No UID could be assigned to a name: none is left, or the UID table is corrupt. */
public final class UidAssignmentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UidAssignmentException(String message) {
    super(message);
  }
}
