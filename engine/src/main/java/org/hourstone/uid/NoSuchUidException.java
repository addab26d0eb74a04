package org.hourstone.uid;

import java.util.Arrays;
import org.hourstone.error.TsdbException;

/** A UID has no name. */
public final class NoSuchUidException extends TsdbException {
  private static final long serialVersionUID = 1L;

  public NoSuchUidException(UidKind kind, byte[] uid) {
    super(
        Category.NOT_FOUND,
        "No such unique ID for '" + kind.qualifier() + "': " + Arrays.toString(uid));
  }
}
