package org.hourstone.api;

import java.util.List;
import org.hourstone.query.QueryDraft;
import org.hourstone.query.TagFilter;
import org.hourstone.series.RateOptions;
import org.jspecify.annotations.Nullable;

/** A request as OpenTSDB describes it in the details of errors. */
final class RequestDescription {
  private RequestDescription() {}

  /**
   * @param intervals of downsampling of the queries that were understood, in milliseconds; those of
   *     the others are unknown, and given as 0
   */
  static String of(QueryRequest request, List<Long> intervals) {
    StringBuilder text = new StringBuilder("TSQuery(start_time=").append(request.start());
    text.append(", end_time=").append(request.end()).append(", subQueries[");
    List<QueryDraft> queries = request.queries();
    for (int i = 0; i < queries.size(); i++) {
      boolean understood = i < intervals.size();
      text.append(i == 0 ? "" : ", ");
      append(text, queries.get(i), understood ? intervals.get(i) : 0, understood ? i : 0);
    }
    return text.append("] padding=")
        .append(request.has(QueryFlag.PADDING))
        .append(", no_annotations=")
        .append(request.has(QueryFlag.NO_ANNOTATIONS))
        .append(", with_global_annotations=")
        .append(request.has(QueryFlag.GLOBAL_ANNOTATIONS))
        .append(", show_tsuids=")
        .append(request.has(QueryFlag.SHOW_TSUIDS))
        .append(", ms_resolution=")
        .append(request.has(QueryFlag.MILLISECONDS))
        .append(", options=[])")
        .toString();
  }

  private static void append(StringBuilder text, QueryDraft query, long interval, int index) {
    text.append("TSSubQuery(metric=").append(query.metric()).append(", filters=[");
    String separator = "";
    for (TagFilter filter : query.filters()) {
      text.append(separator)
          .append("filter_name=")
          .append(filter.type().requestName())
          .append(", tagk=")
          .append(filter.tagk())
          .append(", group_by=")
          .append(filter.groupBy())
          .append(", filter=")
          .append(filter.text());
      separator = ", ";
    }
    text.append("], tsuids=[")
        .append(String.join(", ", query.tsuids()))
        .append("], agg=")
        .append(query.aggregator())
        .append(", downsample=")
        .append(query.downsample())
        .append(", ds_interval=")
        .append(interval)
        .append(", rate=")
        .append(query.rate())
        .append(", rate_options=")
        .append(rateOptions(query.rateOptions()))
        .append(", explicit_tags=explicit_tags, index=") // OpenTSDB's text, whatever the request
        .append(index)
        .append(", percentiles=")
        .append(query.percentiles())
        .append(", show_histogram_buckets=")
        .append(query.histogramBuckets())
        .append(")");
  }

  private static String rateOptions(@Nullable RateOptions options) {
    return options == null
        ? "null"
        : "[counter="
            + options.counter()
            + ", counterMax="
            + options.counterMax()
            + ", resetValue="
            + options.resetValue()
            + ", dropResets="
            + options.dropResets()
            + "]";
  }
}
