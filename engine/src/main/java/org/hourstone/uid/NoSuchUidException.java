package org.hourstone.uid;

import java.util.Arrays;

/** A UID has no name. */
public final class NoSuchUidException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NoSuchUidException(UidKind kind, byte[] uid) {
    super("No such unique ID for '" + kind.qualifier() + "': " + Arrays.toString(uid));
  }
}
