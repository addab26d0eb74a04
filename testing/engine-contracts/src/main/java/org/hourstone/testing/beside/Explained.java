package org.hourstone.testing.beside;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import org.hourstone.testing.golden.SameAnswer;

/** The differences that are meant, each a rule that docs/golden.md explains. */
enum Explained {
  /** OpenTSDB fails because of a defect, with the text of an exception, or ends the connection. */
  DEFECT {
    @Override
    boolean explains(Answers answers) {
      return answers.theirs().status() == Answers.NONE
          || (answers.theirs().status() >= 400 && DEFECTS.matcher(answers.theirs().body()).find());
    }
  },

  /** OpenTSDB reports wrong requests for points as text as its own failures. */
  PAGE_OF_ERROR {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().equals(QueryRequests.TEXT) && answers.bothFailed();
    }
  },

  /** Points as text are all of the hours that OpenTSDB has read, in the range or not. */
  RANGE_OF_TEXT {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().equals(QueryRequests.TEXT)
          && answers.bothFound()
          && PointsAsText.isPart(answers.ours().body(), answers.theirs().body());
    }
  },

  /** OpenTSDB returns no text for the one value of the whole range. */
  ALL_AS_TEXT {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().equals(QueryRequests.TEXT)
          && answers.bothFound()
          && answers.request().uri().contains("0all-");
    }
  },

  /** OpenTSDB returns annotations with the results of functions. */
  ANNOTATIONS_OF_FUNCTIONS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().startsWith("/api/query/gexp")
          && answers.bothFound()
          && isAlikeWithoutAnnotations(answers);
    }
  },

  /** Functions of later versions are known in strict mode, too. */
  LATER_FUNCTION {
    @Override
    boolean explains(Answers answers) {
      return answers.theirs().body().contains("Function firstDiff has not been implemented");
    }
  },

  /** Functions of queries that OpenTSDB can't parse are answered. */
  WIDER_GRAMMAR {
    @Override
    boolean explains(Answers answers) {
      return answers.theirs().body().contains("\"Failed to parse ");
    }
  },

  /** Formulas of formulas are joined as others are. */
  FORMULAS_OF_FORMULAS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().equals("/api/query/exp")
          && answers.request().body().contains(ExpressionRequests.OF_FORMULA);
    }
  },

  /** An intersection without any series fails; in OpenTSDB, some do and others don't. */
  EMPTY_INTERSECTION {
    @Override
    boolean explains(Answers answers) {
      return (answers.theirs().body() + answers.ours().body()).contains("No intersections found");
    }
  },

  /** Outputs of metrics have no buckets from before the range. */
  BUCKETS_OF_METRICS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().equals("/api/query/exp")
          && answers.request().body().contains("\"downsampler\"")
          && answers.difference().startsWith(".outputs[1].dps");
    }
  },

  /** Weeks of a calendar where clocks are changed at midnight. */
  WEEKS_WITHOUT_A_MIDNIGHT {
    @Override
    boolean explains(Answers answers) {
      return WEEKS.matcher(answers.request().body()).find()
          && ZONES.matcher(answers.request().body()).find();
    }
  },

  /** OpenTSDB returns the annotations of series without points, and such series without a name. */
  ANNOTATIONS_WITHOUT_POINTS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().equals("/api/query")
          && answers.bothFound()
          && SameAnswer.annotations(answers.theirs().body())
              .containsAll(SameAnswer.annotations(answers.ours().body()))
          && isAlikeWithoutAnnotations(answers);
    }
  },

  /** In the query that is shown the types of plain wildcards and repeated filters differ. */
  QUERY_SHOWN {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().equals("/api/query")
          && answers.bothFound()
          && answers
              .differenceOf(
                  SameAnswer.without("query", answers.theirs().body()),
                  SameAnswer.without("query", answers.ours().body()))
              .isEmpty();
    }
  },

  /** Of several unknown names either may be reported. */
  ANY_UNKNOWN_NAME {
    @Override
    boolean explains(Answers answers) {
      return answers.theirs().status() == answers.ours().status()
          && UNKNOWN.matcher(answers.theirs().body()).find()
          && UNKNOWN.matcher(answers.ours().body()).find();
    }
  },

  /** An invalid TSUID is refused; OpenTSDB looks for it, or stores under it. */
  INVALID_TSUID {
    @Override
    boolean explains(Answers answers) {
      return answers.ours().status() == 400 && answers.ours().body().contains("not a TSUID");
    }
  },

  /** OpenTSDB counts rolled-up values, not the points in them. */
  COUNTS_OF_ROLLUPS {
    @Override
    boolean explains(Answers answers) {
      return answers.bothFound()
          && answers.request().text().contains(".rolled")
          && answers.request().text().contains("-count");
    }
  },

  /** If series are averaged, OpenTSDB takes other rolled-up values for sums and counts. */
  AVERAGES_OF_ROLLUPS {
    @Override
    boolean explains(Answers answers) {
      return AVERAGED.matcher(answers.request().text()).find();
    }
  },

  /** Where OpenTSDB falls back, it has the intervals of what was not found, or no name. */
  FALLING_BACK {
    @Override
    boolean explains(Answers answers) {
      return answers.theirs().status() == 200
          && answers.request().text().toLowerCase(Locale.ROOT).contains("rollup_fallback");
    }
  },

  /** OpenTSDB has a result for each row of histograms, and none of a group's in order of time. */
  ROWS_OF_HISTOGRAMS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isOfHistograms()
          && answers.bothFound()
          && answers
              .differenceOf(
                  SameAnswer.merged(answers.theirs().body()),
                  SameAnswer.merged(answers.ours().body()))
              .isEmpty();
    }
  },

  /** OpenTSDB looks for histograms of intervals that are rolled up in the tables of these. */
  INTERVALS_OF_HISTOGRAMS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isOfHistograms()
          && answers.bothFound()
          && INTERVAL.matcher(answers.request().text()).find()
          && SameAnswer.withoutEmpty(answers.theirs().body()).matches("\\[]|");
    }
  },

  /** OpenTSDB divides an interval in which a row of histograms begins. */
  DIVIDED_HISTOGRAMS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isOfHistograms()
          && answers.bothFound()
          && answers.request().text().contains("-sum")
          && SameAnswer.times(answers.theirs().body())
              .equals(SameAnswer.times(answers.ours().body()));
    }
  },

  /** Series of salted tables are found in any order. */
  ORDER_OF_FOUND_SERIES {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().equals("/api/search/lookup")
          && answers.bothFound()
          && answers
              .differenceOf(
                  SameAnswer.sorted("results", answers.theirs().body()),
                  SameAnswer.sorted("results", answers.ours().body()))
              .isEmpty();
    }
  },

  /** OpenTSDB returns no text for percentiles and buckets. */
  TEXT_OF_HISTOGRAMS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isOfHistograms()
          && answers.request().endpoint().equals(QueryRequests.TEXT)
          && answers.bothFound()
          && answers.theirs().body().isEmpty();
    }
  },

  /** OpenTSDB has results without points of the buckets of histograms outside the range. */
  BUCKETS_OUTSIDE_THE_RANGE {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isOfHistograms()
          && answers.bothFound()
          && answers
              .differenceOf(
                  SameAnswer.merged(SameAnswer.withoutEmpty(answers.theirs().body())),
                  SameAnswer.merged(SameAnswer.withoutEmpty(answers.ours().body())))
              .isEmpty();
    }
  },

  /** OpenTSDB ignores that a rate is requested. */
  RATE_OF_HISTOGRAMS {
    @Override
    boolean explains(Answers answers) {
      return answers.ours().body().contains("histograms have no rate");
    }
  },

  /** A rolled-up value or a histogram is refused with another text. */
  TEXT_OF_REFUSED_VALUE {
    @Override
    boolean explains(Answers answers) {
      return answers.request().kind().matches("(rolled|histogram)-put")
          && answers.bothFailed()
          && answers
              .differenceOf(
                  SameAnswer.without("error", answers.theirs().body()),
                  SameAnswer.without("error", answers.ours().body()))
              .isEmpty();
    }
  },

  /** A field that is null counts as missing. */
  NULL_FIELDS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isMalformed() && answers.request().body().contains(":null");
    }
  },

  /** Values of other types than the fields' cause another error, or are read. */
  TYPES_OF_VALUES {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isMalformed()
          && answers.theirs().status() >= 400
          && answers.theirs().body().contains("com.fasterxml.jackson.");
    }
  },

  /** A lookup without metric and tags is refused, and so is one whose body is no object. */
  LOOKUP_OF_ANYTHING {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isMalformed()
          && answers.request().endpoint().equals("/api/search/lookup")
          && answers.request().method().equals("POST")
          && answers.theirs().status() == 200;
    }
  },

  /** OpenTSDB filters and groups series that are named by their TSUIDs. */
  FILTERS_OF_TSUIDS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().equals("/api/query") && answers.request().filtersTsuids();
    }
  },

  /** Values of series whose points have different times are not combined alike. */
  OTHER_TIMES {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().startsWith("/api/query/gexp")
          && answers.bothFound()
          && JOINED.matcher(answers.request().uri()).find();
    }
  },

  /** Of functions that choose series OpenTSDB leaves out those without points. */
  SERIES_WITHOUT_POINTS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().endpoint().startsWith("/api/query/gexp")
          && answers.bothFound()
          && answers
              .differenceOf(
                  SameAnswer.withoutEmpty(answers.theirs().body()),
                  SameAnswer.withoutEmpty(answers.ours().body()))
              .isEmpty();
    }
  },

  /** The first time of an output without rows is not OpenTSDB's largest number. */
  FIRST_OF_NONE {
    @Override
    boolean explains(Answers answers) {
      return answers.theirs().body().contains("\"firstTimestamp\":9223372036854775807");
    }
  },

  /** A duration, a number or the name of a fill policy that is garbled is refused. */
  GARBLED_VALUE {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isMalformed() && GARBLED.matcher(answers.ours().body()).find();
    }
  },

  /** Series of a spoilt formula are returned in another order. */
  ORDER_OF_SERIES {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isMalformed()
          && answers.request().endpoint().equals("/api/query/exp")
          && answers.bothFound();
    }
  },

  /** A change of metadata that says nothing of a series that is not there. */
  CHANGE_OF_NOTHING {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isMalformed()
          && answers.request().endpoint().equals("/api/uid/tsmeta")
          && (answers.theirs().status() == 304 || answers.ours().status() == 304);
    }
  },

  /** A malformed request is refused with another status. */
  OTHER_STATUS {
    @Override
    boolean explains(Answers answers) {
      return answers.request().isMalformed()
          && answers.bothFailed()
          && answers.theirs().status() != answers.ours().status();
    }
  },

  /** An error with the same status has another text. */
  TEXT_OF_ERROR {
    @Override
    boolean explains(Answers answers) {
      return answers.bothFailed()
          && answers.theirs().status() == answers.ours().status()
          && (answers.request().isMalformed()
              || answers.request().endpoint().matches("/api/query/g?exp")
              || SameAnswer.message(answers.theirs().body())
                  .equals(SameAnswer.message(answers.ours().body())));
    }
  };

  private static final Pattern WEEKS = Pattern.compile("\"downsample\":\"\\d+wc?-");
  private static final Pattern ZONES =
      Pattern.compile("Beirut|Cairo|Santiago|Havana|Sao_Paulo|Apia");
  private static final Pattern INTERVAL = Pattern.compile("\\d[a-z]+-sum");
  private static final Pattern AVERAGED =
      Pattern.compile("value=Optional\\[avg:.*[.]rolled|[.]rolled\",\"aggregator\":\"avg\"");
  private static final Pattern JOINED =
      Pattern.compile("(sum|diff|difference|multiply|divide)(Series)?%28");
  private static final Pattern GARBLED =
      Pattern.compile("Invalid duration|no such fill policy|Unable to parse back_scan");
  private static final Pattern UNKNOWN = Pattern.compile("No such name for '(metrics|tag[kv])'");
  private static final Pattern DEFECTS =
      Pattern.compile(
          "\"(message|details)\":\"(-?\\d+\"|java.lang.NullPointerException"
              + "|Cannot (invoke|read|load|store|get|assign|throw|enter) |No more elements"
              + "|Index -?\\d+ out of bounds|An internal null pointer exception"
              + "|Attempt to add a different aggrregate cell |Interval cannot be null or empty\")");

  abstract boolean explains(Answers answers);

  private static boolean isAlikeWithoutAnnotations(Answers answers) {
    return answers
        .differenceOf(
            SameAnswer.without("annotations", answers.theirs().body()),
            SameAnswer.without("annotations", answers.ours().body()))
        .isEmpty();
  }

  /** The name of the rule that explains a difference; empty if none does. */
  static String rule(Answers answers) {
    return Arrays.stream(values())
        .filter(rule -> rule.explains(answers))
        .map(Enum::name)
        .findFirst()
        .orElse("");
  }
}
