/**
 * Trees: series in a hierarchy of branches and leaves, placed by rules over their names. See {@code
 * docs/format/tree.md}.
 */
@NullMarked
package org.hourstone.tree;

import org.jspecify.annotations.NullMarked;
