package org.hourstone.tool;

/**
 * The result of a check of the UID table.
 *
 * @param names the number of entries from names to UIDs
 * @param uids the number of entries from UIDs to names
 * @param found the number of errors
 * @param repaired the number of repaired errors
 * @param lostRaces the number of UIDs that processes took for a name to which another process gave
 *     a UID first; they are no errors
 * @param removed how many of these were removed
 */
public record UidFsckReport(
    long names, long uids, long found, long repaired, long lostRaces, long removed) {
  /** Whether no error is left. */
  public boolean isSound() {
    return found == repaired;
  }
}
