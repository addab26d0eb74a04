/**
 * Arithmetic of one series and of several: columns of points, buckets, aggregators, interpolation,
 * rates and fill policies. It knows the codec only: no store, no names, no queries.
 */
@NullMarked
package org.hourstone.series;

import org.jspecify.annotations.NullMarked;
