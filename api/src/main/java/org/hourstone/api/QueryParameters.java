package org.hourstone.api;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.query.ExpressionParts;
import org.hourstone.query.Query;
import org.hourstone.series.RateOptions;

/** Reads a request to {@code /api/query} from its query string: {@code start=…&m=…}. */
final class QueryParameters {
  private static final int MOST_PARTS = 5;
  private static final String PERCENTILES = "percentiles[";

  private final boolean openTsdb;

  private QueryParameters(boolean openTsdb) {
    this.openTsdb = openTsdb;
  }

  /**
   * @param openTsdb whether unknown options are ignored, and parse errors have OpenTSDB's status
   * @throws ApiException if it can't be read
   */
  static QueryRequest read(ApiCall call, boolean openTsdb) {
    return new QueryParameters(openTsdb).read(call);
  }

  private QueryRequest read(ApiCall call) {
    String start = call.required("start");
    Map<SubQuery, String> queries = new LinkedHashMap<>();
    for (String text : call.parameters().getOrDefault("m", List.of())) {
      queries.putIfAbsent(subQuery("m", text), "m=" + text);
    }
    for (String text : call.parameters().getOrDefault("tsuid", List.of())) {
      queries.putIfAbsent(subQuery("tsuid", text), "tsuid=" + text);
    }
    if (queries.isEmpty()) {
      throw refused("Missing sub queries");
    }
    return new QueryRequest(
        start,
        call.parameter("end").orElse(null),
        openTsdb ? null : zone(call),
        queries,
        QueryFlag.ofParameters(call));
  }

  /** OpenTSDB supports a zone only in bodies. */
  private static String zone(ApiCall call) {
    return call.parameter("timezone").or(() -> call.parameter("tz")).orElse("");
  }

  private SubQuery subQuery(String parameter, String text) {
    if (text.isEmpty()) {
      throw refused("The query string was empty");
    }
    List<String> parts = ExpressionParts.of(text);
    if (parts.size() < 2 || parts.size() > MOST_PARTS) {
      throw refused(
          "Invalid parameter "
              + parameter
              + "="
              + text
              + (parts.size() < 2 ? " (not enough" : " (too many")
              + " :-separated parts)");
    }
    SubQuery.Draft draft = new SubQuery.Draft();
    draft.aggregator = parts.get(0);
    String where = "in " + parameter + "=" + text;
    try {
      for (String option : parts.subList(1, parts.size() - 1)) {
        option(draft, option);
      }
    } catch (RequestException e) {
      throw new ApiException(ApiException.BAD_REQUEST, e.getMessage(), openTsdb ? "" : where);
    }
    try {
      series(draft, parameter, parts.get(parts.size() - 1));
    } catch (RequestException e) {
      String message = e.getMessage();
      throw openTsdb // OpenTSDB blames it even if the braces are wrong
          ? ApiException.internal(message)
          : new ApiException(ApiException.BAD_REQUEST, message, where);
    }
    return draft.finished();
  }

  private void option(SubQuery.Draft draft, String option) {
    if (option.toLowerCase(Locale.ROOT).startsWith("rate")) {
      draft.rate = true;
      draft.rateOptions = RateOptions.parse(option);
    } else if (!option.isEmpty() && Character.isDigit(option.charAt(0))) {
      draft.downsample = option;
    } else if (option.equals("explicit_tags")) {
      draft.explicitTags = true;
    } else if (option.equals("pre-agg")) {
      draft.preAggregate = true;
    } else if (option.startsWith("rollup_")) {
      draft.rollupUsage = option;
    } else if (option.startsWith(PERCENTILES) && option.endsWith("]")) {
      draft.percentiles = percentiles(option.substring(PERCENTILES.length(), option.length() - 1));
    } else if (option.equals("show-histogram-buckets")) {
      draft.histogramBuckets = true;
    } else if (!openTsdb) {
      throw new RequestException(
          "unknown option '"
              + option
              + "' (known: a downsampling such as 5m-avg, rate, explicit_tags, pre-agg, rollup_raw,"
              + " rollup_nofallback, rollup_fallback, rollup_fallback_raw, percentiles[99],"
              + " show-histogram-buckets)");
    }
  }

  private static List<Double> percentiles(String inner) {
    List<Double> percentiles = new ArrayList<>();
    for (String number : inner.split(",", -1)) {
      try {
        percentiles.add(Double.valueOf(number.strip()));
      } catch (NumberFormatException e) {
        throw new RequestException("not a percentile: '" + number + "'", e);
      }
    }
    return percentiles;
  }

  private void series(SubQuery.Draft draft, String parameter, String text) {
    if (parameter.equals("tsuid")) {
      draft.tsuids = Arrays.asList(text.split(","));
    } else if (!text.isEmpty()) {
      Query selection = Query.parse("none:" + text, openTsdb);
      draft.metric = selection.metric();
      draft.filters = selection.filters();
    }
  }

  private static ApiException refused(String message) {
    return new ApiException(ApiException.BAD_REQUEST, message);
  }
}
