package org.hourstone.kv;

import java.util.List;

/**
 * Puts with a write time that no reader would ever see: they are dated before a deletion that the
 * store still remembers, or are older than it keeps cells. The outcome is REJECTED: nothing of the
 * mutation was applied. Thrown only for a call with one mutation; of a larger batch a mutation is
 * REJECTED without further details.
 *
 * @see Change.PutIfNewer
 */
public final class HiddenPutsException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final transient List<byte[]> qualifiers;

  /**
   * @param qualifiers of the mutation's puts that would be hidden, at least one
   */
  public HiddenPutsException(String message, List<byte[]> qualifiers) {
    super(Outcome.REJECTED, message);
    if (qualifiers.isEmpty()) {
      throw new IllegalArgumentException("no put is hidden");
    }
    this.qualifiers = qualifiers.stream().map(byte[]::clone).toList();
  }

  /** The qualifiers of the puts that would be hidden; the mutation's other changes would not. */
  public List<byte[]> qualifiers() {
    return qualifiers.stream().map(byte[]::clone).toList();
  }
}
