/**
 * A lossless coding of multi-point cells, for stores that keep them smaller than their bytes: times
 * as start and step, values as differences of whole or decimal numbers, entropy-coded. Pure
 * functions, without state.
 *
 * <p>The layout is described in {@code docs/format/at-rest.md}.
 */
@NullMarked
package org.hourstone.codec.rest;

import org.jspecify.annotations.NullMarked;
