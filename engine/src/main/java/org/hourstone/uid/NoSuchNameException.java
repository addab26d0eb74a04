package org.hourstone.uid;

import org.hourstone.error.TsdbException;

/** A name has no UID. */
public final class NoSuchNameException extends TsdbException {
  private static final long serialVersionUID = 1L;

  private final UidKind kind;
  private final String name;

  public NoSuchNameException(UidKind kind, String name) {
    super(Category.NOT_FOUND, "No such name for '" + kind.qualifier() + "': '" + name + "'");
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
