package org.hourstone;

import static org.hourstone.Setting.Section.QUERIES;
import static org.hourstone.ValueType.amount;
import static org.hourstone.ValueType.flag;
import static org.hourstone.ValueType.millis;
import static org.hourstone.ValueType.number;
import static org.hourstone.ValueType.oneOf;
import static org.hourstone.ValueType.zone;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;

/** The settings of queries, a part of {@link Settings}. */
public final class QuerySettings {
  static final SettingList ALL = new SettingList();

  public static final Setting<Boolean> FIX_DUPLICATES =
      ALL.setting(QUERIES, "tsd.storage.fix_duplicates", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means(
              "whether the newest wins if two different values share a timestamp; otherwise the"
                  + " query fails ([ADR 4](adr/0004-repeated-timestamps.md))");
  public static final Setting<Boolean> USE_MAX_VALUE =
      ALL.setting(QUERIES, "tsd.storage.use_max_value", flag())
          .byDefault("true")
          .means(
              "whether, with `tsd.storage.use_otsdb_timestamp`, the largest of the values that"
                  + " share a timestamp is read; otherwise the smallest");
  public static final Setting<Optional<ZoneId>> TIMEZONE =
      ALL.setting(QUERIES, "tsd.core.timezone", zone())
          .byDefault("")
          .means("zone of dates in a query's start and end");
  public static final Setting<Boolean> SKIP_UNRESOLVED_TAGVS =
      ALL.setting(QUERIES, "tsd.query.skip_unresolved_tagvs", flag())
          .byDefault("false")
          .means(
              "whether a tag value in a filter that has no UID is skipped; otherwise the query"
                  + " fails");
  public static final Setting<Long> FILTER_EXPANSION =
      ALL.setting(QUERIES, "tsd.query.filter.expansion_limit", amount("values", 0))
          .byDefault("4096")
          .means(
              "maximum number of values listed in a filter that are matched by row key; longer"
                  + " lists are tested by name");
  public static final Setting<Boolean> NULL_FOR_NAN =
      ALL.setting(QUERIES, "hourstone.query.null_for_nan", flag())
          .byDefault("false")
          .means(
              "whether values that are not numbers, such as infinity, are `null` in JSON; if not, they"
                  + " are texts such as `\"NaN\"`, as in OpenTSDB, which some clients can't read");
  public static final Setting<Long> QUERY_MAX_POINTS =
      ALL.setting(QUERIES, "tsd.query.limits.data_points.default", amount("points", 0))
          .byDefault("0")
          .means("maximum number of points a query may read; 0 for no limit");
  public static final Setting<Long> QUERY_MAX_BYTES =
      ALL.setting(QUERIES, "tsd.query.limits.bytes.default", amount("bytes", 0))
          .byDefault("0")
          .means("maximum size of the rows a query may read; 0 for no limit");
  public static final Setting<Duration> QUERY_TIMEOUT =
      ALL.setting(QUERIES, "tsd.query.timeout", millis())
          .byDefault("0")
          .means(
              "maximum time that a request works, without the time in which its client reads the"
                  + " result; 0 for no limit");
  public static final Setting<Long> QUERY_MAX_SERIES =
      ALL.setting(QUERIES, "hourstone.query.limits.series", amount("series", 0))
          .byDefault("0")
          .means("maximum number of series a query may read; 0 for no limit");
  public static final Setting<Optional<Long>> QUERY_MEMORY_BYTES =
      ALL.setting(QUERIES, "hourstone.query.limits.memory_bytes", amount("bytes", 0))
          .orAuto("a quarter of the heap")
          .means(
              "maximum memory that the points of one request, with all its queries, may take at a"
                  + " time; 0 for no limit");
  public static final Setting<Optional<Long>> QUERY_TOTAL_MEMORY_BYTES =
      ALL.setting(QUERIES, "hourstone.query.limits.total_memory_bytes", amount("bytes", 0))
          .orAuto("a quarter of the heap")
          .means(
              "maximum memory that the points of all requests together may take at a time, or a"
                  + " quarter more if each of them takes little; 0 for no limit");
  public static final Setting<Long> QUERY_REGEX_STEPS =
      ALL.setting(QUERIES, "hourstone.query.limits.regex_steps", amount("characters", 0))
          .byDefault("100000000")
          .means(
              "how many characters the regular expressions of a request may read; 0 for no limit");
  public static final Setting<Long> QUERY_MAX_QUERIES =
      ALL.setting(QUERIES, "hourstone.query.limits.queries", amount("queries", 0))
          .byDefault("1000")
          .inStrictMode("0")
          .means("maximum number of queries in one request; 0 for no limit");
  public static final Setting<Optional<Integer>> QUERY_THREADS =
      ALL.setting(QUERIES, "hourstone.query.threads", number("threads", 1))
          .orAuto("one per processor")
          .means("number of threads that read for all queries");
  public static final Setting<Integer> QUERY_SLICE_ROWS =
      ALL.setting(QUERIES, "hourstone.query.slice_rows", number("rows", 1))
          .byDefault("4096")
          .means(
              "about how many rows a thread decodes before their points are combined; all rows of"
                  + " an hour may be more");
  public static final Setting<Optional<Long>> DECODED_BYTES =
      ALL.setting(QUERIES, "hourstone.query.decoded_bytes", amount("bytes", 0))
          .orAuto("a sixteenth of the heap")
          .means(
              "maximum memory of the [cache of decoded cells](query.md#decoded-cells); 0 to keep"
                  + " none");
  public static final Setting<Duration> QUERY_SLOW =
      ALL.setting(QUERIES, "hourstone.query.slow_millis", millis())
          .byDefault("10000")
          .means(
              "shortest duration of a query that is [logged as slow](query.md#limits); 0 to log"
                  + " none");
  public static final Setting<String> CORRUPT_ROWS =
      ALL.setting(QUERIES, "hourstone.query.corrupt_rows", oneOf("fail", "skip"))
          .byDefault("fail")
          .means(
              "how a query treats corrupt rows and cells: `fail` names the first, `skip` reports"
                  + " the skipped ones with the result");
  public static final Setting<Boolean> ALLOW_DELETE =
      ALL.setting(QUERIES, "tsd.http.query.allow_delete", flag())
          .byDefault("false")
          .means(
              "whether [deleting](query.md#deleting) is allowed by HTTP, both by the verb `DELETE`"
                  + " and by `\"delete\":true`");
  public static final Setting<Integer> EXPRESSION_MAX_VALUES =
      ALL.setting(QUERIES, "hourstone.expression.max_values", number("values", 0))
          .byDefault("2000000")
          .inStrictMode("0")
          .means(
              "how many values a request for [expressions](expressions.md) may have: those that its"
                  + " queries return, its formulas compute and further outputs repeat; 0 for no"
                  + " limit");

  private QuerySettings() {}
}
