/**
 * Arithmetic of one series and of several: columns of points, buckets, aggregators, interpolation,
 * rates and fill policies. It depends on the codec only, not on the store, names or queries.
 */
@NullMarked
package org.hourstone.series;

import org.jspecify.annotations.NullMarked;
