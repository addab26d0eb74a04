package org.hourstone.histogram;

/**
 * A histogram and its timestamp.
 *
 * @param offsetMillis the offset from the base time of its row
 */
public record HistogramPoint(long offsetMillis, Histogram histogram) {}
