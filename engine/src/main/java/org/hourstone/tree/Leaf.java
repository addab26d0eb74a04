package org.hourstone.tree;

/**
 * A series at the end of a branch.
 *
 * @param tsuid upper-case hex
 */
public record Leaf(String displayName, String tsuid) {}
