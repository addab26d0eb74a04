package org.hourstone.tree;

/** No tree has this id. */
public final class NoSuchTreeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoSuchTreeException(int id) {
    super("Unable to locate tree: " + id);
  }
}
