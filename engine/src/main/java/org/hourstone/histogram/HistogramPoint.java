package org.hourstone.histogram;

/**
 * A histogram and its instant.
 *
 * @param offsetMillis from the base time of the row it stands in
 */
public record HistogramPoint(long offsetMillis, Histogram histogram) {}
