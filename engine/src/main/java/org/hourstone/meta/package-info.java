/**
 * Metadata: descriptions of names (UIDMeta) and series (TSMeta), and the number of points of each
 * series. See {@code docs/format/meta.md}.
 */
@NullMarked
package org.hourstone.meta;

import org.jspecify.annotations.NullMarked;
