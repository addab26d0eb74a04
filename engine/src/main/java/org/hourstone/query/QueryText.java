package org.hourstone.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hourstone.error.RequestException;
import org.hourstone.internal.NumberText;
import org.hourstone.series.RateOptions;
import org.jspecify.annotations.Nullable;

/**
 * Reads and prints queries in OpenTSDB's {@code m=} form: {@code
 * aggregator:[rate:][downsample:][options:]metric[{group by}[{filters}]]}, and its {@code tsuid=}
 * form with TSUIDs in place of the metric. See {@code docs/query.md#expressions}.
 */
final class QueryText {
  private static final int MOST_PARTS = 5;
  private static final String EXPLICIT_TAGS = "explicit_tags";
  private static final String PRE_AGGREGATE = "pre-agg";
  private static final String PERCENTILES = "percentiles[";
  private static final String BUCKETS = "show-histogram-buckets";

  private final String text;
  private final QueryDialect dialect;
  private final List<String> parts;
  private String metric = "";
  private List<String> tsuids = List.of();
  private final List<TagFilter> filters = new ArrayList<>();
  private boolean explicitTags;
  private @Nullable String downsample;
  private @Nullable RateOptions rate;
  private boolean hasRateOptions;
  private @Nullable List<Double> percentiles;
  private boolean buckets;
  private boolean preAggregate;
  private @Nullable RollupUsage rollupUsage;

  /**
   * @param parameter its name, for errors
   */
  QueryText(String parameter, String text, QueryDialect dialect) {
    if (text.isEmpty()) {
      throw new RequestException(
          "The " + (parameter.equals("tsuid") ? "tsuid " : "") + "query string was empty");
    }
    this.text = text;
    this.dialect = dialect;
    this.parts = ExpressionParts.of(text);
    if (parts.size() < 2 || parts.size() > MOST_PARTS) {
      throw new RequestException(
          "Invalid parameter "
              + parameter
              + "="
              + text
              + (parts.size() < 2 ? " (not enough" : " (too many")
              + " :-separated parts)");
    }
  }

  QueryDraft ofMetric() {
    readOptions();
    try {
      readSeries(last());
    } catch (MalformedFiltersException e) {
      throw e;
    } catch (RequestException e) {
      throw new MalformedFiltersException(String.valueOf(e.getMessage()), e);
    }
    return draft();
  }

  QueryDraft ofTsuids() {
    readOptions();
    tsuids = Arrays.asList(last().split(","));
    return draft();
  }

  private String last() {
    return parts.get(parts.size() - 1);
  }

  private QueryDraft draft() {
    return new QueryDraft(
        parts.get(0),
        new QueryDraft.Series(metric, tsuids, filters, explicitTags),
        downsample,
        new QueryDraft.Rate(rate != null, hasRateOptions ? rate : null),
        new QueryDraft.Values(percentiles, buckets, preAggregate, rollupUsage),
        QueryDraft.Hints.NONE);
  }

  /** The value of an option, which must not contradict another one. */
  private <T> T once(@Nullable T before, T now, String option) {
    if (before != null && !before.equals(now)) {
      dialect.unknownOption(
          new RequestException("'" + option + "' contradicts another option before it"));
    }
    return now;
  }

  private void readOptions() {
    for (String option : parts.subList(1, parts.size() - 1)) {
      if (option.toLowerCase(Locale.ROOT).startsWith("rate")) {
        rate = once(rate, dialect.rate(option), option);
        hasRateOptions = option.indexOf('{') >= 0;
      } else if (!option.isEmpty() && dialect.isDownsampling(option)) {
        downsample = once(downsample, option, option);
      } else if (option.equals(EXPLICIT_TAGS)) {
        explicitTags = true;
      } else if (option.equals(PRE_AGGREGATE)) {
        preAggregate = true;
      } else if (option.startsWith("rollup_")) {
        RollupUsage usage = RollupUsage.parse(option);
        if (!usage.requestName().equalsIgnoreCase(option)) {
          dialect.unknownOption(unknown(option));
        }
        rollupUsage = once(rollupUsage, usage, option);
      } else if (option.startsWith(PERCENTILES) && option.endsWith("]")) {
        percentiles =
            once(
                percentiles,
                percentiles(option.substring(PERCENTILES.length(), option.length() - 1)),
                option);
      } else if (option.equals(BUCKETS)) {
        buckets = true;
      } else {
        dialect.unknownOption(unknown(option));
      }
    }
  }

  private RequestException unknown(String option) {
    return new RequestException(
        "Invalid query '"
            + text
            + "': unknown option '"
            + option
            + "' (known: a downsampling such as 5m-avg, rate, explicit_tags, pre-agg, rollup_raw,"
            + " rollup_nofallback, rollup_fallback, rollup_fallback_raw, percentiles[99],"
            + " show-histogram-buckets)");
  }

  private List<Double> percentiles(String inner) {
    List<Double> numbers = new ArrayList<>();
    for (String number : inner.split(",", -1)) {
      try {
        double percentile = Double.parseDouble(number.strip());
        if (!NumberText.isHeld(number, percentile)) {
          dialect.unheldNumber(
              new RequestException(
                  "Invalid query '"
                      + text
                      + "': '"
                      + number
                      + "' is too large for a double, or too near to 0"));
        }
        numbers.add(percentile);
      } catch (NumberFormatException e) {
        throw new RequestException(
            "Invalid query '" + text + "': not a percentile: '" + number + "'", e);
      }
    }
    return numbers;
  }

  /** The metric and its filters: the first braces group by, the second only filter. */
  private void readSeries(String series) {
    int brace = series.indexOf('{');
    metric = brace < 0 ? series : series.substring(0, brace);
    if (brace == 0) {
      throw new MalformedFiltersException("Invalid query '" + text + "': it names no metric");
    }
    if (metric.indexOf('}') >= 0) {
      throw new MalformedFiltersException("Missing '{' in: " + series);
    }
    if (brace < 0) {
      return;
    }
    int close = closing(series, brace);
    readFilters(series.substring(brace + 1, close), true);
    if (close == series.length() - 1) {
      return;
    }
    int second = close + 1;
    if (series.charAt(second) != '{' || closing(series, second) != series.length() - 1) {
      throw new MalformedFiltersException("Missing '}' at the end of: " + series);
    }
    List<TagFilter> grouping = List.copyOf(filters);
    if (dialect.listsGroupingLast()) {
      filters.clear();
    }
    readFilters(series.substring(second + 1, series.length() - 1), false);
    if (dialect.listsGroupingLast()) {
      filters.addAll(grouping);
    }
  }

  /** Where the braces end: at the last that is followed by another pair or by nothing. */
  private static int closing(String series, int brace) {
    int next = series.indexOf("}{", brace);
    int close = next >= 0 ? next : series.length() - 1;
    if (close <= brace || series.charAt(close) != '}') {
      throw new MalformedFiltersException("Missing '}' at the end of: " + series);
    }
    return close;
  }

  private void readFilters(String inner, boolean groupBy) {
    for (String part : filters(inner)) {
      int equals = part.indexOf('=');
      if (equals < 1 || equals == part.length() - 1) {
        throw new MalformedFiltersException(parsing(part, groupBy) + "invalid tag: " + part);
      }
      try {
        String expression = part.substring(equals + 1);
        dialect.checkFilter(expression);
        filters.add(TagFilter.parse(part.substring(0, equals), expression, groupBy));
      } catch (RequestException e) {
        throw new MalformedFiltersException(
            (dialect.namesFilters() ? parsing(part, groupBy) : "") + e.getMessage(), e);
      }
    }
  }

  private static String parsing(String part, boolean groupBy) {
    return "When parsing " + (groupBy ? "tag '" : "filter '") + part + "': ";
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

  /** The text from which the draft is read. */
  static String of(QueryDraft draft) {
    List<String> parts = new ArrayList<>(List.of(draft.aggregator()));
    if (draft.downsample() != null) {
      parts.add(draft.downsample());
    }
    QueryDraft.Rate rate = draft.rate();
    if (rate.isRequested()) {
      parts.add((rate.options() == null ? RateOptions.DEFAULT : rate.options()).text());
    }
    if (draft.series().explicitTags()) {
      parts.add(EXPLICIT_TAGS);
    }
    QueryDraft.Values values = draft.values();
    if (values.preAggregate()) {
      parts.add(PRE_AGGREGATE);
    }
    if (values.rollupUsage() != null) {
      parts.add(values.rollupUsage().requestName());
    }
    if (values.percentiles() != null) {
      parts.add("percentiles" + values.percentiles());
    }
    if (values.histogramBuckets()) {
      parts.add(BUCKETS);
    }
    parts.add(
        draft.series().tsuids().isEmpty()
            ? series(draft.series())
            : String.join(",", draft.series().tsuids()));
    return String.join(":", parts);
  }

  private static String series(QueryDraft.Series series) {
    String groupBy = filters(series, true);
    String others = filters(series, false);
    return series.metric()
        + (groupBy.isEmpty() && others.isEmpty() ? "" : "{" + groupBy + "}")
        + (others.isEmpty() ? "" : "{" + others + "}");
  }

  private static String filters(QueryDraft.Series series, boolean groupBy) {
    return series.filters().stream()
        .filter(filter -> filter.groupBy() == groupBy)
        .map(filter -> filter.tagk() + '=' + filter.expression())
        .collect(Collectors.joining(","));
  }
}
