package org.hourstone.tree;

import org.hourstone.error.RequestException;

/**
 * The definition of a tree, without its rules.
 *
 * @param name the name for display
 * @param strictMatch whether a series is excluded if no rule of some level yields a branch for it
 * @param created the creation time, in seconds since the epoch; 0 if unknown
 * @param enabled whether series are added
 * @param storeFailures whether series that could not be added are recorded
 */
public record TreeDefinition(
    String name,
    String description,
    String notes,
    boolean strictMatch,
    long created,
    boolean enabled,
    boolean storeFailures) {
  /** The largest ID of a tree: two bytes hold it. */
  public static final int MAX_ID = 65535;

  /** A tree with this name, to which no series are added until it is enabled. */
  public static TreeDefinition named(String name) {
    return new TreeDefinition(name, "", "", false, 0, false, false);
  }

  static void checkId(int id) {
    if (id < 1 || id > MAX_ID) {
      throw new RequestException("Invalid tree ID: " + id + " is not 1 to " + MAX_ID);
    }
  }
}
