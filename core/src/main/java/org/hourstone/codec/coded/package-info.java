/**
 * A lossless coding of multi-point cells, for stores that keep them smaller than their bytes: times
 * as start and step, values as differences of whole or decimal numbers, entropy-coded. Pure
 * functions, without state.
 *
 * <p>The layout is described in {@code docs/format/coded-cells.md}.
 */
@NullMarked
package org.hourstone.codec.coded;

import org.jspecify.annotations.NullMarked;
