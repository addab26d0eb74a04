package org.hourstone.tool;

/**
 * The result of a check of the UID table.
 *
 * @param names the number of entries from names to UIDs
 * @param uids the number of entries from UIDs to names
 * @param found the number of errors
 * @param repaired the number of repaired errors
 */
public record UidFsckReport(long names, long uids, long found, long repaired) {
  /** Whether no error is left. */
  public boolean isSound() {
    return found == repaired;
  }
}
