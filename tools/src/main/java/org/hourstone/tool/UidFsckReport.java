package org.hourstone.tool;

/**
 * How a check of the UID table ended.
 *
 * @param names entries from names to UIDs that were read
 * @param uids entries from UIDs to names that were read
 * @param found things that are wrong
 * @param repaired those of them that were repaired
 */
public record UidFsckReport(long names, long uids, long found, long repaired) {
  /** Whether nothing is wrong any more. */
  public boolean isSound() {
    return found == repaired;
  }
}
