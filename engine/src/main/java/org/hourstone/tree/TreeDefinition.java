package org.hourstone.tree;

/**
 * The definition of a tree, without its rules.
 *
 * @param name for display
 * @param strictMatch whether a series is excluded if no rule of some level yields a branch for it
 * @param created when, in seconds since the epoch; 0 if unknown
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

  /** A tree of this name that takes nothing in until it is enabled. */
  public static TreeDefinition named(String name) {
    return new TreeDefinition(name, "", "", false, 0, false, false);
  }
}
