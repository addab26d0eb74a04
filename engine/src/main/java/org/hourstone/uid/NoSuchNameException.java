package org.hourstone.uid;

import org.hourstone.error.TsdbException;
import org.hourstone.internal.ShortText;

/** A name has no UID. */
public final class NoSuchNameException extends TsdbException {
  private static final long serialVersionUID = 1L;

  /** Of a name in the message: there may be an exception for each point of a request. */
  private static final int MOST_TEXT = 500;

  private final UidKind kind;
  private final String name;

  public NoSuchNameException(UidKind kind, String name) {
    super(
        Category.NOT_FOUND,
        "No such name for '" + kind.qualifier() + "': '" + ShortText.of(name, MOST_TEXT) + "'");
    this.kind = kind;
    this.name = name;
  }

  public UidKind kind() {
    return kind;
  }

  public String name() {
    return name;
  }
}
