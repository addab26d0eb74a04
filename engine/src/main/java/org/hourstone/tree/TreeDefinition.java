package org.hourstone.tree;

/**
 * What a tree is, apart from its rules.
 *
 * @param name what people call it
 * @param strictMatch whether a series is left out if no rule of some level names a branch for it
 * @param created when, in seconds since the epoch; 0 where unknown
 * @param enabled whether series are sorted in
 * @param storeFailures whether series that could not be sorted in are recorded
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
