package org.hourstone.index;

/**
 * The new series of a metric within an hour.
 *
 * @param metric its UID
 * @param series their number; may be too small if very many metrics had new series
 */
public record MetricGrowth(byte[] metric, long series) {}
