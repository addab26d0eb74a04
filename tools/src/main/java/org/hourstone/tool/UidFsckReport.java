package org.hourstone.tool;

/**
 * The result of a check of the UID table.
 *
 * @param names entries from names to UIDs that were read
 * @param uids entries from UIDs to names that were read
 * @param found the number of errors
 * @param repaired those of them that were repaired
 */
public record UidFsckReport(long names, long uids, long found, long repaired) {
  /** Whether no error is left. */
  public boolean isSound() {
    return found == repaired;
  }
}
