package org.hourstone.histogram;

/**
 * A histogram and its timestamp.
 *
 * @param offsetMillis from the base time of its row
 */
public record HistogramPoint(long offsetMillis, Histogram histogram) {}
