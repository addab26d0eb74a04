package org.hourstone.tree;

import java.util.List;

/**
 * A branch and what hangs directly on it.
 *
 * @param leaves by name
 * @param branches by name
 */
public record BranchView(Branch branch, List<Leaf> leaves, List<Branch> branches) {}
