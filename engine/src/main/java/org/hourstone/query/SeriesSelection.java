package org.hourstone.query;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.hourstone.error.RequestException;

/**
 * The series of a query: those of a metric that pass filters, or those with given TSUIDs.
 *
 * @param metric the metric's name; empty if TSUIDs are given
 * @param filters on the metric's series; all of them must match
 * @param explicitTags whether series with tags that no filter names are excluded; ignored without
 *     filters
 * @param tsuids upper-case hex, all of one metric; empty if a metric is given
 */
public record SeriesSelection(
    String metric, List<TagFilter> filters, boolean explicitTags, List<String> tsuids) {
  /**
   * @throws RequestException if there is neither a metric nor a TSUID, or one isn't hex
   */
  public SeriesSelection {
    if (metric.isEmpty() == tsuids.isEmpty()) {
      throw new RequestException(
          metric.isEmpty() ? "empty metric name" : "both a metric and TSUIDs");
    }
    filters = List.copyOf(filters);
    tsuids = tsuids.stream().map(SeriesSelection::checked).toList();
  }

  private static String checked(String tsuid) {
    try {
      HexFormat.of().parseHex(tsuid);
    } catch (IllegalArgumentException e) {
      throw new RequestException("not a TSUID: '" + tsuid + "'", e);
    }
    return tsuid.toUpperCase(Locale.ROOT);
  }

  static SeriesSelection ofMetric(String metric) {
    return new SeriesSelection(metric, List.of(), false, List.of());
  }

  public boolean isByTsuid() {
    return !tsuids.isEmpty();
  }

  /** Whether series with tags that no filter names are left out. */
  public boolean onlyFilteredTags() {
    return explicitTags && !filters.isEmpty();
  }
}
