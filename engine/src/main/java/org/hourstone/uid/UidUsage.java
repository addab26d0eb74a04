package org.hourstone.uid;

/**
 * The number of UIDs of a kind in use.
 *
 * @param kind the kind of names
 * @param assigned the number of UIDs handed out, including those of deleted names and lost races;
 *     if UIDs are random, the number of names that have one
 * @param maximum the number of UIDs that can exist; {@link Long#MAX_VALUE} for 8 bytes
 * @param width the width of a UID in bytes
 */
public record UidUsage(UidKind kind, long assigned, long maximum, int width) {
  private static final double SCARCE = 0.8;

  /** The fraction in use, 0 to 1. */
  public double part() {
    return (double) assigned / maximum;
  }

  /**
   * Whether at least 80 % are in use. Wider UIDs should be planned then; they require a new set of
   * tables.
   */
  public boolean isScarce() {
    return part() >= SCARCE;
  }
}
