package org.hourstone.tree;

/** A rule that can't be applied to a series. The message says which and why. */
public final class TreeRuleException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TreeRuleException(String message) {
    super(message);
  }

  TreeRuleException(String message, Throwable cause) {
    super(message, cause);
  }
}
