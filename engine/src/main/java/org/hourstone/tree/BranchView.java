package org.hourstone.tree;

import java.util.List;

/**
 * A branch with its leaves and child branches.
 *
 * @param leaves by name
 * @param branches by name
 */
public record BranchView(Branch branch, List<Leaf> leaves, List<Branch> branches) {}
