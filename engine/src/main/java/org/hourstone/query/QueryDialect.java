package org.hourstone.query;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.regex.Pattern;
import org.hourstone.error.RequestException;
import org.hourstone.series.Downsample;
import org.hourstone.series.Durations;
import org.hourstone.series.FillPolicy;
import org.hourstone.series.RateOptions;
import org.jspecify.annotations.Nullable;

/**
 * How queries in requests are read ({@code hourstone.strict=requests}). See {@code
 * docs/format/quirks.md}.
 */
public enum QueryDialect {
  HOURSTONE(Durations.HOURSTONE),
  OPENTSDB(Durations.OPENTSDB) {
    /** OpenTSDB has a filter for absent tags, but requests can't use it. */
    @Override
    public boolean knows(TagFilter.Type type) {
      return type != TagFilter.Type.NOT_KEY;
    }

    /** OpenTSDB doesn't know the type, whatever its text is. */
    @Override
    void checkFilter(String expression) {
      if (expression.startsWith(NOT_KEY)) {
        throw TagFilter.Type.unknown(TagFilter.Type.NOT_KEY.requestName());
      }
    }

    /** OpenTSDB returns percentiles in their order. */
    @Override
    List<Double> order(List<Double> percentiles) {
      return percentiles.stream().sorted().toList();
    }

    /** OpenTSDB reads the second braces first. */
    @Override
    boolean listsGroupingLast() {
      return true;
    }

    /** OpenTSDB says which filter is malformed before it says how. */
    @Override
    boolean namesFilters() {
      return true;
    }

    /** OpenTSDB ignores unknown options, and of several takes the last one. */
    @Override
    void unknownOption(RequestException e) {}

    /** OpenTSDB computes with infinity or 0. */
    @Override
    void unheldNumber(RequestException e) {}

    /** OpenTSDB ignores unknown text between "rate" and the first comma. */
    @Override
    public RateOptions rate(String option) {
      return RateOptions.parse(option);
    }

    /** OpenTSDB computes with the options as they are. */
    @Override
    public @Nullable RateOptions meant(QueryDraft.Rate rate) {
      RateOptions given = rate.options() == null ? RateOptions.DEFAULT : rate.options();
      return rate.isRequested() ? given : null;
    }

    /** OpenTSDB fails when it comes to an empty bucket. */
    @Override
    void checkFill(Downsample downsample) {}

    /** As we have always read such requests, which OpenTSDB filters. */
    @Override
    boolean dropsFiltersOfTsuids() {
      return true;
    }

    /** OpenTSDB ignores it, as any unknown option. */
    @Override
    boolean isDownsampling(String option) {
      return Character.isDigit(option.charAt(0));
    }

    /** OpenTSDB has them in UTC, unless the request names a zone. */
    @Override
    public ZoneId calendarZone(ZoneId ofTimes) {
      return ZoneOffset.UTC;
    }

    /** OpenTSDB drops the dot: with less than three digits after it, the time is in 1970. */
    @Override
    long epochMillis(String text) {
      return SECONDS_AND_FRACTION.matcher(text).matches()
          ? EpochNumber.epoch(text, text.replace(".", ""), 1)
          : EpochNumber.epoch(text, text, text.length() <= LONGEST_SECONDS ? 1000 : 1);
    }
  };

  private static final Pattern SECONDS_AND_FRACTION = Pattern.compile("\\d{10}\\.\\d{1,3}");
  private static final String NOT_KEY = "not_key(";
  private static final int LONGEST_SECONDS = 10;
  private static final Pattern RATE = Pattern.compile("rate(\\{(|counter|dropcounter)(,.*)?})?");

  private final Durations durations;

  QueryDialect(Durations durations) {
    this.durations = durations;
  }

  /** How durations are read. */
  public Durations durations() {
    return durations;
  }

  /** Whether a request may contain filters of a type. */
  public boolean knows(TagFilter.Type type) {
    return true;
  }

  /**
   * @throws RequestException if a request may not contain such a filter, {@code type(text)}
   */
  void checkFilter(String expression) {}

  /** Percentiles in the order of their results. */
  List<Double> order(List<Double> percentiles) {
    return percentiles;
  }

  /**
   * Parses the rate option of the {@code m=} form, {@code rate{counter,max,reset}}.
   *
   * @throws RequestException if it is malformed; the message says how
   */
  public RateOptions rate(String option) {
    RateOptions rate = RateOptions.parse(option);
    if (!RATE.matcher(option).matches()) {
      throw new RequestException(
          "unknown rate option '"
              + option
              + "' (known: rate, rate{counter}, rate{counter,max}, rate{counter,max,reset}, and the"
              + " same with dropcounter)");
    }
    return rate;
  }

  /**
   * The rate of a request as it is computed, or null for none. A maximum of 0, which no counter
   * has, means that none is given. {@code dropResets} may be there without {@code counter}: Grafana
   * sends it with every rate.
   *
   * @throws RequestException if an option is negative, or has no effect without another member
   */
  public @Nullable RateOptions meant(QueryDraft.Rate rate) {
    RateOptions given = rate.options() == null ? RateOptions.DEFAULT : rate.options();
    if (given.counterMax() < 0) {
      throw new RequestException("the maximum of a counter can't be negative: " + given.text());
    }
    if (given.resetValue() < 0) {
      throw new RequestException("the reset value can't be negative: " + given.text());
    }
    RateOptions meant =
        new RateOptions(
            given.counter(),
            given.counterMax() > 0 ? given.counterMax() : RateOptions.DEFAULT.counterMax(),
            given.resetValue(),
            given.dropResets() && (given.counter() || !rate.isRequested()));
    if (!rate.isRequested()) {
      checkEffect(meant.equals(RateOptions.DEFAULT), "rateOptions have no effect without rate");
      return null;
    }
    checkEffect(
        meant.counter() || meant.counterMax() == RateOptions.DEFAULT.counterMax(),
        "counterMax has no effect without counter");
    checkEffect(
        meant.counter() || meant.resetValue() == RateOptions.DEFAULT.resetValue(),
        "resetValue has no effect without counter");
    return meant;
  }

  private static void checkEffect(boolean hasEffect, String otherwise) {
    if (!hasEffect) {
      throw new RequestException(otherwise);
    }
  }

  /**
   * @throws RequestException if empty buckets can't be filled, since the policy has no value
   */
  void checkFill(Downsample downsample) {
    if (downsample.fill() == FillPolicy.SCALAR) {
      throw new RequestException(
          downsample.text()
              + ": the fill policy scalar has no value here; known are nan, null, zero");
    }
  }

  /** Whether filters beside TSUIDs have no effect, else such a query is refused. */
  boolean dropsFiltersOfTsuids() {
    return false;
  }

  /** Whether an option of the {@code m=} form is a downsampling. */
  boolean isDownsampling(String option) {
    return Character.isDigit(option.charAt(0)) || option.startsWith("all-");
  }

  /**
   * The zone of calendar intervals in a request that names none.
   *
   * @param ofTimes that of its times
   */
  public ZoneId calendarZone(ZoneId ofTimes) {
    return ofTimes;
  }

  /**
   * A time written as a number, in milliseconds since the epoch.
   *
   * @throws RequestException if it is not such a number; the message says how
   */
  long epochMillis(String text) {
    return EpochNumber.millis(text);
  }

  /** Whether the filters of the first braces, which group by, follow those of the second. */
  boolean listsGroupingLast() {
    return false;
  }

  /** Whether the error of a malformed filter in braces begins with the filter. */
  boolean namesFilters() {
    return false;
  }

  /** A query in the {@code m=} form has an option that is not known, or that is given twice. */
  void unknownOption(RequestException e) {
    throw e;
  }

  /** A query in the {@code m=} form has a number that no double can hold. */
  void unheldNumber(RequestException e) {
    throw e;
  }
}
