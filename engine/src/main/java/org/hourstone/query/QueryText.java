package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.hourstone.error.RequestException;
import org.hourstone.series.Aggregator;
import org.hourstone.series.Downsample;
import org.hourstone.series.FillPolicy;
import org.hourstone.series.RateOptions;

/**
 * Reads queries in OpenTSDB's {@code m=} form: {@code
 * aggregator:[rate:][downsample:][options:]metric[{group by}[{filters}]]}, and its {@code tsuid=}
 * form with TSUIDs in place of the metric. See {@code docs/query.md#expressions}.
 */
final class QueryText {
  private static final int MOST_PARTS = 5;

  private final String text;
  private final boolean openTsdb;
  private final List<String> parts;

  private QueryText(String text, boolean openTsdb) {
    this.text = text;
    this.openTsdb = openTsdb;
    this.parts = ExpressionParts.of(text);
    if (text.isEmpty()) {
      throw new RequestException("The query string was empty");
    }
    if (parts.size() < 2) {
      throw new RequestException("Invalid parameter m=" + text + " (not enough :-separated parts)");
    }
    if (parts.size() > MOST_PARTS) {
      throw new RequestException("Invalid parameter m=" + text + " (too many :-separated parts)");
    }
  }

  /**
   * @param openTsdb whether the text is parsed as OpenTSDB does where that differs
   */
  static Query parse(String text, boolean openTsdb) {
    QueryText query = new QueryText(text, openTsdb);
    return query.withOptions(query.selection());
  }

  /** A query of series by TSUID. */
  static Query parseTsuids(String text, boolean openTsdb) {
    QueryText query = new QueryText(text, openTsdb);
    return query.withOptions(Query.tsuids(Arrays.asList(query.last().split(","))));
  }

  private String last() {
    return parts.get(parts.size() - 1);
  }

  private Query withOptions(Query selection) {
    Query query = selection.aggregate(Aggregator.parse(parts.get(0)));
    for (String option : parts.subList(1, parts.size() - 1)) {
      query = withOption(query, option);
    }
    return query;
  }

  private Query withOption(Query query, String option) {
    PointSource source = query.source();
    if (option.startsWith("rate")) {
      return query.rate(RateOptions.parse(option));
    }
    if (!option.isEmpty() && Character.isDigit(option.charAt(0))) {
      return query.downsample(Downsample.parse(option, openTsdb));
    }
    if (option.equals("explicit_tags")) {
      return query.withExplicitTags();
    }
    if (option.equals("pre-agg")) {
      return query.from(source.withPreAggregates());
    }
    if (option.startsWith("rollup_")) {
      return query.from(source.withRollups(RollupUsage.parse(option)));
    }
    if (option.startsWith("percentiles[") && option.endsWith("]")) {
      String inner = option.substring("percentiles[".length(), option.length() - 1);
      HistogramView view = source.histograms();
      return query.from(
          source.withHistograms(
              new HistogramView(percentiles(inner), view != null && view.buckets())));
    }
    if (option.equals("show-histogram-buckets")) {
      HistogramView view = source.histograms();
      return query.from(
          source.withHistograms(
              new HistogramView(view == null ? List.of() : view.percentiles(), true)));
    }
    throw new RequestException(
        "Invalid query '"
            + text
            + "': unknown option '"
            + option
            + "' (known: a downsampling such as 5m-avg, rate, explicit_tags, pre-agg, rollup_raw,"
            + " rollup_nofallback, rollup_fallback, rollup_fallback_raw, percentiles[99],"
            + " show-histogram-buckets)");
  }

  private List<Double> percentiles(String inner) {
    List<Double> percentiles = new ArrayList<>();
    for (String number : inner.split(",", -1)) {
      try {
        percentiles.add(Double.valueOf(number.strip()));
      } catch (NumberFormatException e) {
        throw new RequestException(
            "Invalid query '" + text + "': not a percentile: '" + number + "'", e);
      }
    }
    return percentiles;
  }

  /** The metric and its filters: the first braces group by, the second only filter. */
  private Query selection() {
    String series = last();
    int brace = series.indexOf('{');
    String metric = brace < 0 ? series : series.substring(0, brace);
    if (metric.isEmpty()) {
      throw new RequestException("Invalid query '" + text + "': it names no metric");
    }
    if (metric.indexOf('}') >= 0) {
      throw new RequestException("Missing '{' in: " + series);
    }
    Query query = Query.metric(metric);
    if (brace < 0) {
      return query;
    }
    int close = closing(series, brace);
    query = withFilters(query, series.substring(brace + 1, close), true);
    if (close == series.length() - 1) {
      return query;
    }
    int second = close + 1;
    if (series.charAt(second) != '{' || closing(series, second) != series.length() - 1) {
      throw new RequestException("Missing '}' at the end of: " + series);
    }
    return withFilters(query, series.substring(second + 1, series.length() - 1), false);
  }

  /** Where the braces end: at the last that is followed by another pair or by nothing. */
  private static int closing(String series, int brace) {
    int next = series.indexOf("}{", brace);
    int close = next >= 0 ? next : series.length() - 1;
    if (close <= brace || series.charAt(close) != '}') {
      throw new RequestException("Missing '}' at the end of: " + series);
    }
    return close;
  }

  private static Query withFilters(Query selection, String inner, boolean groupBy) {
    Query query = selection;
    for (String part : filters(inner)) {
      int equals = part.indexOf('=');
      if (equals < 1 || equals == part.length() - 1) {
        throw new RequestException("When parsing tag '" + part + "': invalid tag: " + part);
      }
      query =
          query.filter(
              TagFilter.parse(part.substring(0, equals), part.substring(equals + 1), groupBy));
    }
    return query;
  }

  /** Splits at commas outside parentheses, which may belong to a regular expression. */
  private static List<String> filters(String inner) {
    List<String> filters = new ArrayList<>();
    int depth = 0;
    int start = 0;
    for (int i = 0; i < inner.length(); i++) {
      char c = inner.charAt(i);
      if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
      } else if (c == ',' && depth <= 0) {
        filters.add(inner.substring(start, i));
        start = i + 1;
      }
    }
    if (start < inner.length() || start > 0) {
      filters.add(inner.substring(start));
    }
    return filters;
  }

  /** The text that {@link #parse} parses to this query. */
  static String of(Query query) {
    StringBuilder text = new StringBuilder(query.aggregator().requestName());
    if (query.downsample() != null) {
      text.append(':').append(text(query.downsample()));
    }
    if (query.rate() != null) {
      text.append(':').append(text(query.rate()));
    }
    PointSource source = query.source();
    if (query.explicitTags()) {
      text.append(":explicit_tags");
    }
    if (source.preAggregate()) {
      text.append(":pre-agg");
    }
    if (source.rollups() != PointSource.DEFAULT.rollups()) {
      text.append(':').append(source.rollups().requestName());
    }
    HistogramView view = source.histograms();
    if (view != null && !view.percentiles().isEmpty()) {
      text.append(":percentiles").append(view.percentiles());
    }
    if (view != null && view.buckets()) {
      text.append(":show-histogram-buckets");
    }
    text.append(':');
    if (query.series().isByTsuid()) {
      return text.append(String.join(",", query.series().tsuids())).toString();
    }
    text.append(query.metric());
    String groupBy = filters(query, true);
    String others = filters(query, false);
    if (!groupBy.isEmpty() || !others.isEmpty()) {
      text.append('{').append(groupBy).append('}');
    }
    if (!others.isEmpty()) {
      text.append('{').append(others).append('}');
    }
    return text.toString();
  }

  private static String text(Downsample downsample) {
    String interval =
        downsample.isAll()
            ? "0all"
            : downsample.number() + downsample.unit().suffix() + (downsample.calendar() ? "c" : "");
    String fill = downsample.fill() == FillPolicy.NONE ? "" : "-" + downsample.fill().requestName();
    return interval + "-" + downsample.aggregator().requestName() + fill;
  }

  private static String text(RateOptions rate) {
    return rate.equals(RateOptions.DEFAULT)
        ? "rate"
        : "rate{"
            + (rate.dropResets() ? "dropcounter" : rate.counter() ? "counter" : "")
            + ","
            + rate.counterMax()
            + ","
            + rate.resetValue()
            + "}";
  }

  private static String filters(Query query, boolean groupBy) {
    return query.filters().stream()
        .filter(filter -> filter.groupBy() == groupBy)
        .map(
            filter -> filter.tagk() + '=' + filter.type().requestName() + '(' + filter.text() + ')')
        .collect(Collectors.joining(","));
  }
}
