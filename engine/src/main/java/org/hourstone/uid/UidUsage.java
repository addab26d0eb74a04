package org.hourstone.uid;

/**
 * How many of a kind's UIDs are used.
 *
 * @param kind of names
 * @param assigned UIDs handed out, including those of deleted names and lost races; if they are
 *     random, names that have one
 * @param maximum how many there can be; {@link Long#MAX_VALUE} for 8 bytes
 * @param width bytes of a UID
 */
public record UidUsage(UidKind kind, long assigned, long maximum, int width) {
  private static final double SCARCE = 0.8;

  /** The used part, 0 to 1. */
  public double part() {
    return (double) assigned / maximum;
  }

  /** Whether 80 % are used: time to think of wider UIDs, which take a new set of tables. */
  public boolean isScarce() {
    return part() >= SCARCE;
  }
}
