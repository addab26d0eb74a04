/**
 * Histograms: the number of measurements in each range, stored as one cell per timestamp. Their
 * bytes depend on a codec, which the cell names by the number assigned in the settings. See {@code
 * docs/format/histogram.md}.
 */
@NullMarked
package org.hourstone.histogram;

import org.jspecify.annotations.NullMarked;
