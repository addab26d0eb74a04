package org.hourstone.query;

import java.util.List;
import org.hourstone.error.RequestException;

/**
 * The series that are computed from histograms.
 *
 * @param percentiles each a series, named {@code metric_pct_99.9}; 0 to 100
 * @param buckets whether each bucket is a series, named {@code metric_lo_hi}
 */
public record HistogramView(List<Double> percentiles, boolean buckets) {
  /**
   * @throws RequestException if neither is requested, or a percentile is out of range
   */
  public HistogramView {
    if (percentiles.isEmpty() && !buckets) {
      throw new RequestException("neither percentiles nor buckets of histograms");
    }
    for (double percentile : percentiles) {
      if (!(percentile >= 0 && percentile <= 100)) {
        throw new RequestException("percentile " + percentile + " is not in 0..100");
      }
    }
    percentiles = List.copyOf(percentiles);
  }
}
