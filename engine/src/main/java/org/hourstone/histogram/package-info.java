/**
 * Histograms: how many measurements fell into which range, stored as one cell per instant. Their
 * bytes depend on a codec, which the cell names by a number that the settings give it. See {@code
 * docs/format/histogram.md}.
 */
@NullMarked
package org.hourstone.histogram;

import org.jspecify.annotations.NullMarked;
