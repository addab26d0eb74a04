package org.hourstone;

import static org.hourstone.Setting.Section.COMPACTION;
import static org.hourstone.Setting.Section.DAEMON;
import static org.hourstone.Setting.Section.FORMAT;
import static org.hourstone.Setting.Section.INDEX;
import static org.hourstone.Setting.Section.MEMORY;
import static org.hourstone.Setting.Section.METADATA;
import static org.hourstone.Setting.Section.POINTS;
import static org.hourstone.Setting.Section.QUERIES;
import static org.hourstone.Setting.Section.ROLLUPS;
import static org.hourstone.Setting.Section.TABLES;
import static org.hourstone.Setting.Section.TREES;
import static org.hourstone.ValueType.amount;
import static org.hourstone.ValueType.flag;
import static org.hourstone.ValueType.millis;
import static org.hourstone.ValueType.number;
import static org.hourstone.ValueType.oneOf;
import static org.hourstone.ValueType.seconds;
import static org.hourstone.ValueType.text;
import static org.hourstone.ValueType.zone;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The settings, grouped as in {@code docs/configuration.md}, whose tables are generated from them.
 * A constant's documentation is its {@linkplain Setting#meaning meaning}.
 */
public final class Settings {
  /** In the order of declaration; filled by the declarations below it. */
  private static final List<Setting<?>> ALL = new ArrayList<>();

  // Fixed for the life of the data

  public static final Setting<Integer> UID_WIDTH_METRIC =
      setting(FORMAT, "tsd.storage.uid.width.metric", number("bytes", 1, 8))
          .byDefault("3")
          .means("width of a metric's UID");
  public static final Setting<Integer> UID_WIDTH_TAGK =
      setting(FORMAT, "tsd.storage.uid.width.tagk", number("bytes", 1, 8))
          .byDefault("3")
          .means("width of a tag key's UID");
  public static final Setting<Integer> UID_WIDTH_TAGV =
      setting(FORMAT, "tsd.storage.uid.width.tagv", number("bytes", 1, 8))
          .byDefault("3")
          .means("width of a tag value's UID");
  public static final Setting<Integer> SALT_WIDTH =
      setting(FORMAT, "tsd.storage.salt.width", number("bytes", 0, 8))
          .byDefault("0")
          .means(
              "width of the salt before the row key; 0 for no salt"
                  + " ([salt](format/row-key.md#salt))");
  public static final Setting<Integer> SALT_BUCKETS =
      setting(FORMAT, "tsd.storage.salt.buckets", number("buckets", 1))
          .byDefault("20")
          .means("number of salts that rows are spread over; has no effect without a salt");
  public static final Setting<Boolean> SALT_CHECK =
      setting(FORMAT, "hourstone.salt.check", flag())
          .byDefault("true")
          .means(
              "whether opening fails if the first rows of the data table contradict the configured"
                  + " salt ([salt](format/row-key.md#salt))");
  public static final Setting<Boolean> ALLOW_TRUNCATED_SALT =
      quirk(FORMAT, "hourstone.salt.allow_truncated")
          .means("whether there may be more buckets than the salt's bytes can number");

  // Tables

  public static final Setting<String> DATA_TABLE =
      setting(TABLES, "tsd.storage.hbase.data_table", text("a table"))
          .byDefault("tsdb")
          .means("table of the points, in any store");
  public static final Setting<String> UID_TABLE =
      setting(TABLES, "tsd.storage.hbase.uid_table", text("a table"))
          .byDefault("tsdb-uid")
          .means("table of the names");
  public static final Setting<String> META_TABLE =
      setting(TABLES, "tsd.storage.hbase.meta_table", text("a table"))
          .byDefault("tsdb-meta")
          .means("table of the metadata of series");
  public static final Setting<String> TREE_TABLE =
      setting(TABLES, "tsd.storage.hbase.tree_table", text("a table"))
          .byDefault("tsdb-tree")
          .means("table of the trees");
  public static final Setting<String> INDEX_TABLE =
      setting(TABLES, "hourstone.index.table", text("a table"))
          .byDefault("tsdb-index")
          .means("table of the [series index](index.md)");
  public static final Setting<String> JOURNAL_TABLE =
      setting(TABLES, "hourstone.journal.table", text("a table"))
          .byDefault("tsdb-journal")
          .means("table of the journal of the [head](head.md)");
  public static final Setting<Optional<Boolean>> CREATE_TABLES =
      setting(TABLES, "hourstone.storage.create_tables", flag())
          .orAuto("true unless other processes share the store")
          .means("whether missing tables are created");

  // Points

  public static final Setting<Boolean> AUTO_CREATE_METRICS =
      setting(POINTS, "tsd.core.auto_create_metrics", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means("whether a point may create a new metric");
  public static final Setting<Boolean> AUTO_CREATE_TAGKS =
      setting(POINTS, "tsd.core.auto_create_tagks", flag())
          .byDefault("true")
          .means("whether a point may create a new tag key");
  public static final Setting<Boolean> AUTO_CREATE_TAGVS =
      setting(POINTS, "tsd.core.auto_create_tagvs", flag())
          .byDefault("true")
          .means("whether a point may create a new tag value");
  public static final Setting<Boolean> RANDOM_METRICS =
      setting(POINTS, "tsd.core.uid.random_metrics", flag())
          .byDefault("false")
          .means(
              "whether new metrics get random UIDs instead of counted ones ([random"
                  + " UIDs](format/uid.md#random-uids))");
  public static final Setting<String> ALLOW_SPECIALCHARS =
      setting(POINTS, "tsd.core.tag.allow_specialchars", text("characters"))
          .byDefault("")
          .means(
              "characters allowed in names in addition to the [usual](format/text-input.md#names)");
  public static final Setting<Integer> MAX_TAGS =
      setting(POINTS, "tsd.storage.max_tags", number("tags", 1))
          .byDefault("8")
          .means(
              "maximum number of tags a point may be written with; points with more are still"
                  + " read");
  public static final Setting<Boolean> OUT_OF_ORDER_IMPORT =
      setting(POINTS, "tsd.core.bulk.allow_out_of_order_timestamps", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means("whether `import` accepts the points of a series in any time order");
  public static final Setting<Boolean> USE_OTSDB_TIMESTAMP =
      setting(POINTS, "tsd.storage.use_otsdb_timestamp", flag())
          .byDefault("false")
          .means(
              "whether the [write time](format/tables.md#write-time) of a cell is its point's"
                  + " timestamp instead of the store's time");
  public static final Setting<Boolean> ENABLE_APPENDS =
      setting(POINTS, "tsd.storage.enable_appends", flag())
          .byDefault("false")
          .means(
              "whether points are appended to one cell of their row ([append"
                  + " cells](format/append.md))");
  public static final Setting<Optional<Boolean>> WRITE_PACKS =
      setting(POINTS, "hourstone.write.packs", flag())
          .orAuto("true unless other processes share the store and no flush interval is set")
          .inStrictMode("false")
          .means(
              "whether points of a row that are written together become one multi-point cell ([ADR"
                  + " 6](adr/0006-packs-and-bounded-cells.md)); in any case only if the newest of"
                  + " duplicate points wins and write times are the store's");
  public static final Setting<Optional<Boolean>> HEAD =
      setting(POINTS, "hourstone.head", flag())
          .orAuto(
              "true if no other process uses the store, it survives the death of the process, and"
                  + " `hourstone.write.flush_interval_seconds` is not set")
          .inStrictMode("false")
          .means(
              "whether the points of open hours are kept in memory behind a journal"
                  + " ([head](head.md)); the flush interval has no effect on points then");
  public static final Setting<Optional<Duration>> FLUSH_INTERVAL =
      setting(POINTS, "hourstone.write.flush_interval_seconds", seconds(0))
          .orAuto("60, or 0 if other processes share the store")
          .inStrictMode("0")
          .means(
              "how long points are buffered, so that more points of a row are written together"
                  + " ([ADR 8](adr/0008-flush-interval.md)); has an effect if multi-point cells or"
                  + " appends are written. A point that a caller waits for is written at once");
  public static final Setting<Boolean> BATCH_METADATA_BYTE =
      setting(POINTS, "hourstone.write.batch_metadata_byte", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means(
              "whether the cell of a `PointBatch` ends with the metadata byte of all other"
                  + " multi-point cells; both forms are read");
  public static final Setting<Integer> MAX_CELL_BYTES =
      setting(POINTS, "hourstone.storage.max_cell_bytes", number("bytes", 0))
          .byDefault("32768")
          .inStrictMode("0")
          .means("maximum size of a multi-point cell; 0 for no limit");
  public static final Setting<Boolean> EXACT_IMPORT =
      setting(POINTS, "hourstone.import.exact_decimals", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means(
              "whether decimals of an import line keep all their digits; otherwise they are"
                  + " rounded to 4 bytes ([width](format/value.md#width))");
  public static final Setting<Boolean> OPENTSDB_LINES =
      quirk(POINTS, "hourstone.put.opentsdb_lines")
          .means(
              "whether lines with points are read as by OpenTSDB: every dot of a telnet timestamp"
                  + " is dropped, at any position, and there are no dates"
                  + " ([timestamps](format/text-input.md#timestamps))");
  public static final Setting<Boolean> VANISHING_DECIMALS =
      quirk(POINTS, "hourstone.put.vanishing_decimals")
          .means(
              "whether a decimal closer to 0 than the smallest double, such as 1e-400, is stored"
                  + " as 0 instead of being refused");
  public static final Setting<Boolean> WHOLE_PUTS =
      quirk(POINTS, "hourstone.put.whole_bodies")
          .means(
              "whether a JSON body with points is parsed to its end before any of its points is"
                  + " stored, whatever its size; if not, one of more than 1 MB is stored while it"
                  + " [arrives](daemon.md#large-put-bodies)");
  public static final Setting<String> DEFAULT_TAG =
      setting(POINTS, "hourstone.put.default_tag", text("a tag, `key=value`"))
          .byDefault("")
          .means(
              "tag that is added to points that clients put without tags, such as"
                  + " `source=unknown`; if empty, such points are refused, as by OpenTSDB");
  public static final Setting<Boolean> WRAP_BASE_TIME =
      quirk(POINTS, "hourstone.put.wrap_base_time")
          .means(
              "whether timestamps after 2106 wrap around to 1970 instead of being refused"
                  + " ([limits](format/timestamps.md#limits))");
  public static final Setting<Boolean> ALLOW_NON_LATIN1 =
      setting(POINTS, "hourstone.uid.allow_non_latin1", flag())
          .byDefault("false")
          .means(
              "whether characters outside ISO-8859-1 are allowed in names, where each is stored as"
                  + " `?` ([charset](format/tables.md#charset))");
  public static final Setting<Boolean> EXHAUSTION_MOVES_COUNTER =
      quirk(POINTS, "hourstone.uid.exhaustion_moves_counter")
          .means(
              "whether the counter of UIDs is incremented when a name is refused because no UID is"
                  + " left");

  // Metadata

  public static final Setting<Boolean> META_REALTIME_UID =
      setting(METADATA, "tsd.core.meta.enable_realtime_uid", flag())
          .byDefault("false")
          .means("whether a UIDMeta is stored for each name that gets its UID");
  public static final Setting<Boolean> META_TRACKING =
      setting(METADATA, "tsd.core.meta.enable_tsuid_tracking", flag())
          .byDefault("false")
          .means(
              "whether the series of each point is recorded in the meta table; without it the next"
                  + " two have no effect");
  public static final Setting<Boolean> META_REALTIME_TS =
      setting(METADATA, "tsd.core.meta.enable_realtime_ts", flag())
          .byDefault("false")
          .means("whether a TSMeta is created for each new series");
  public static final Setting<Boolean> META_INCREMENTING =
      setting(METADATA, "tsd.core.meta.enable_tsuid_incrementing", flag())
          .byDefault("false")
          .means("whether points are counted for each series; needs the one above");

  // Histograms and rollups

  public static final Setting<String> HISTOGRAMS_CONFIG =
      setting(
              ROLLUPS,
              "tsd.core.histograms.config",
              text("JSON, or the path of a file that ends in `.json`"))
          .byDefault("")
          .means(
              "codecs of histograms and their ids ([codecs](format/histogram.md#codecs)); if"
                  + " empty, histograms are refused");
  public static final Setting<Boolean> ROLLUPS_ENABLE =
      setting(ROLLUPS, "tsd.rollups.enable", flag())
          .byDefault("false")
          .means("whether rollups and pre-aggregates are written and read");
  public static final Setting<String> ROLLUPS_CONFIG =
      setting(
              ROLLUPS,
              "tsd.rollups.config",
              text("JSON, or the path of a file that ends in `.json`"))
          .byDefault("")
          .means(
              "intervals, tables and aggregations of rollups"
                  + " ([settings](format/rollup.md#settings))");
  public static final Setting<String> ROLLUPS_AGG_TAG_KEY =
      setting(ROLLUPS, "tsd.rollups.agg_tag_key", text("a tag key"))
          .byDefault("_aggregate")
          .means("tag that identifies how several series were aggregated into one");
  public static final Setting<String> ROLLUPS_RAW_AGG_TAG_VALUE =
      setting(ROLLUPS, "tsd.rollups.raw_agg_tag_value", text("a tag value"))
          .byDefault("RAW")
          .means("value of that tag for values of a single series");
  public static final Setting<Boolean> ROLLUPS_TAG_RAW =
      setting(ROLLUPS, "tsd.rollups.tag_raw", flag())
          .byDefault("false")
          .means("whether values of a single series get the tag");
  public static final Setting<Boolean> ROLLUPS_BLOCK_DERIVED =
      setting(ROLLUPS, "tsd.rollups.block_derived", flag())
          .byDefault("true")
          .means("whether `avg` and `dev` are refused as aggregations of written values");
  public static final Setting<Boolean> ROLLUPS_SPLIT =
      setting(ROLLUPS, "tsd.rollups.split_query.enable", flag())
          .byDefault("false")
          .means(
              "whether buckets newer than an interval's `delaySla` are [read as"
                  + " points](query.md#rolled-up-values)");
  public static final Setting<Boolean> OPENTSDB_ROLLUP_QUERIES =
      quirk(ROLLUPS, "hourstone.rollups.opentsdb_queries")
          .means(
              "whether averages of rolled-up values need an id for `avg`, intervals are read for"
                  + " calendar days they don't fit, and the last bucket may lack rows");
  public static final Setting<Boolean> WRITE_DEFAULT_INTERVAL =
      quirk(ROLLUPS, "hourstone.rollups.write_default_interval")
          .means(
              "whether values rolled up to the default interval are written, into cells that"
                  + " readers of raw points misread ([default"
                  + " interval](format/rollup.md#default-interval))");
  public static final Setting<Boolean> VAGUE_ERRORS =
      quirk(ROLLUPS, "hourstone.put.vague_errors")
          .means(
              "whether an invalid telnet histogram is ignored silently, and an unknown rollup"
                  + " interval has the reply \"Unexpected exception\"");

  // Compaction

  public static final Setting<Boolean> ENABLE_COMPACTION =
      setting(COMPACTION, "tsd.storage.enable_compaction", flag())
          .byDefault("true")
          .means(
              "whether the cells of a closed hour are merged into one"
                  + " ([compaction](format/compaction.md))");
  public static final Setting<Boolean> REPAIR_APPENDS =
      setting(COMPACTION, "tsd.storage.repair_appends", flag())
          .byDefault("false")
          .means(
              "whether compaction rewrites an append cell whose points are out of order"
                  + " ([repair](format/append.md#repair))");
  public static final Setting<Boolean> READS_REWRITE =
      quirk(COMPACTION, "hourstone.query.rewrites_rows")
          .means("whether a query rewrites the rows it reads, as the two settings above specify");
  public static final Setting<Boolean> CELLS_IN_STORED_ORDER =
      quirk(COMPACTION, "hourstone.storage.cells_in_stored_order")
          .means(
              "whether the points of one cell are read in stored order; otherwise they are sorted");
  public static final Setting<Boolean> COMPACTION_BACKGROUND =
      setting(COMPACTION, "hourstone.compaction.background", flag())
          .byDefault("true")
          .means("whether rows are compacted in the background; otherwise only on request");
  public static final Setting<Optional<Integer>> COMPACTION_QUEUE =
      setting(COMPACTION, "hourstone.compaction.queue_rows", number("rows", 0))
          .orAuto("1000000, or as many as fit in a sixteenth of the heap")
          .means(
              "maximum number of rows that wait for compaction, about 150 bytes each; if the queue"
                  + " is full, a row is left to `hourstone compact`");
  public static final Setting<Duration> COMPACTION_SPREAD =
      setting(COMPACTION, "hourstone.compaction.spread_seconds", seconds(0))
          .byDefault("1800")
          .inStrictMode("0")
          .means("time after an hour's end over which its rows are spread, by their keys");
  public static final Setting<Duration> COMPACTION_QUIET =
      setting(COMPACTION, "hourstone.compaction.quiet_seconds", seconds(0))
          .byDefault("60")
          .inStrictMode("0")
          .means("how long a row must have been unchanged before it is compacted");
  public static final Setting<Integer> COMPACTION_RATE =
      setting(COMPACTION, "hourstone.compaction.rows_per_second", number("rows", 1))
          .byDefault("1000")
          .means("maximum number of rows compacted in a second");
  public static final Setting<Boolean> COMPACT_APPENDS =
      setting(COMPACTION, "hourstone.compaction.rewrite_appends", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means(
              "whether compaction merges append cells into the compacted cell; never if other"
                  + " processes share the store");

  // Queries

  public static final Setting<Boolean> FIX_DUPLICATES =
      setting(QUERIES, "tsd.storage.fix_duplicates", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means(
              "whether the newest wins if two different values share a timestamp; otherwise the"
                  + " query fails ([ADR 4](adr/0004-repeated-timestamps.md))");
  public static final Setting<Boolean> USE_MAX_VALUE =
      setting(QUERIES, "tsd.storage.use_max_value", flag())
          .byDefault("true")
          .means(
              "whether, with `tsd.storage.use_otsdb_timestamp`, the largest of the values that"
                  + " share a timestamp is read; otherwise the smallest");
  public static final Setting<Optional<ZoneId>> TIMEZONE =
      setting(QUERIES, "tsd.core.timezone", zone())
          .byDefault("")
          .means("zone of dates in a query's start and end");
  public static final Setting<Boolean> SKIP_UNRESOLVED_TAGVS =
      setting(QUERIES, "tsd.query.skip_unresolved_tagvs", flag())
          .byDefault("false")
          .means(
              "whether a tag value in a filter that has no UID is skipped; otherwise the query"
                  + " fails");
  public static final Setting<Long> FILTER_EXPANSION =
      setting(QUERIES, "tsd.query.filter.expansion_limit", amount("values", 0))
          .byDefault("4096")
          .means(
              "maximum number of values listed in a filter that are matched by row key; longer"
                  + " lists are tested by name");
  public static final Setting<Boolean> NULL_FOR_NAN =
      setting(QUERIES, "hourstone.query.null_for_nan", flag())
          .byDefault("false")
          .means(
              "whether a value of JSON that is not a number, such as infinity, is `null`; if not,"
                  + " it is a text such as `\"NaN\"`, as in OpenTSDB, which some clients can't"
                  + " read");
  public static final Setting<Boolean> OPENTSDB_REQUESTS =
      quirk(QUERIES, "hourstone.query.opentsdb_requests")
          .means(
              "whether [query requests](api.md#strict-mode) are parsed, and their errors reported,"
                  + " as by OpenTSDB 2.4");
  public static final Setting<Boolean> OPENTSDB_FILTERS =
      quirk(QUERIES, "hourstone.query.opentsdb_filters")
          .means(
              "whether [filters](query.md#filters) are interpreted as by OpenTSDB 2.4, quirks"
                  + " included");
  public static final Setting<Long> QUERY_MAX_POINTS =
      setting(QUERIES, "tsd.query.limits.data_points.default", amount("points", 0))
          .byDefault("0")
          .means("maximum number of points a query may read; 0 for no limit");
  public static final Setting<Long> QUERY_MAX_BYTES =
      setting(QUERIES, "tsd.query.limits.bytes.default", amount("bytes", 0))
          .byDefault("0")
          .means("maximum size of the rows a query may read; 0 for no limit");
  public static final Setting<Duration> QUERY_TIMEOUT =
      setting(QUERIES, "tsd.query.timeout", millis())
          .byDefault("0")
          .means(
              "maximum time that a request may work; that in which its client reads the result does"
                  + " not count. 0 for no limit");
  public static final Setting<Long> QUERY_MAX_SERIES =
      setting(QUERIES, "hourstone.query.limits.series", amount("series", 0))
          .byDefault("0")
          .means("maximum number of series a query may read; 0 for no limit");
  public static final Setting<Optional<Long>> QUERY_MEMORY_BYTES =
      setting(QUERIES, "hourstone.query.limits.memory_bytes", amount("bytes", 0))
          .orAuto("a quarter of the heap")
          .means(
              "maximum memory that the points of one request, with all its queries, may take at a"
                  + " time; 0 for no limit");
  public static final Setting<Optional<Long>> QUERY_TOTAL_MEMORY_BYTES =
      setting(QUERIES, "hourstone.query.limits.total_memory_bytes", amount("bytes", 0))
          .orAuto("a quarter of the heap")
          .means(
              "maximum memory that the points of all requests together may take at a time, or a"
                  + " quarter more if each of them takes little; 0 for no limit");
  public static final Setting<Long> QUERY_REGEX_STEPS =
      setting(QUERIES, "hourstone.query.limits.regex_steps", amount("characters", 0))
          .byDefault("100000000")
          .means(
              "how many characters the regular expressions of a request may read; 0 for no limit");
  public static final Setting<Long> QUERY_MAX_QUERIES =
      setting(QUERIES, "hourstone.query.limits.queries", amount("queries", 0))
          .byDefault("1000")
          .inStrictMode("0")
          .means("maximum number of queries in one request; 0 for no limit");
  public static final Setting<Optional<Integer>> QUERY_THREADS =
      setting(QUERIES, "hourstone.query.threads", number("threads", 1))
          .orAuto("one per processor")
          .means("number of threads that read for all queries");
  public static final Setting<Integer> QUERY_SLICE_ROWS =
      setting(QUERIES, "hourstone.query.slice_rows", number("rows", 1))
          .byDefault("4096")
          .means(
              "about how many rows a thread decodes before their points are combined; all rows of"
                  + " an hour may be more");
  public static final Setting<Duration> QUERY_SLOW =
      setting(QUERIES, "hourstone.query.slow_millis", millis())
          .byDefault("10000")
          .means(
              "shortest duration of a query that is [logged as slow](query.md#limits); 0 to log"
                  + " none");
  public static final Setting<String> CORRUPT_ROWS =
      setting(QUERIES, "hourstone.query.corrupt_rows", oneOf("fail", "skip"))
          .byDefault("fail")
          .means(
              "how a query treats corrupt rows and cells: `fail` names the first, `skip` reports"
                  + " the skipped ones with the result");
  public static final Setting<Boolean> ALLOW_DELETE =
      setting(QUERIES, "tsd.http.query.allow_delete", flag())
          .byDefault("false")
          .means(
              "whether [deleting](query.md#deleting) is allowed by HTTP, both by the verb `DELETE`"
                  + " and by `\"delete\":true`");
  public static final Setting<Boolean> DELETES_ROWS =
      quirk(QUERIES, "hourstone.query.deletes_rows")
          .means(
              "whether deleting by query deletes all rows that are read, whole hours with their"
                  + " annotations; otherwise exactly the points of the range");
  public static final Setting<Boolean> SERIES_BY_SALT =
      quirk(QUERIES, "hourstone.query.series_by_salt")
          .means(
              "whether salted series are ordered by their salt first, and a series with rows in"
                  + " several buckets counts as several");
  public static final Setting<Boolean> EARLY_DOUBLES =
      quirk(QUERIES, "hourstone.query.early_doubles")
          .means(
              "whether an integer is returned as a double if the next point of the series is a"
                  + " double; otherwise only doubles are");
  public static final Setting<Boolean> HELD_FIRST_RATE =
      quirk(QUERIES, "hourstone.query.held_first_rate")
          .means(
              "whether a series has an [artificial rate](query.md#rates) until its second point");
  public static final Setting<Boolean> POSITIVE_MIMMAX =
      quirk(QUERIES, "hourstone.query.positive_mimmax")
          .means(
              "whether the least double, which `mimmax` uses for an absent point, is the least"
                  + " [positive](query.md#aggregators) one");
  public static final Setting<Boolean> EXPRESSION_QUIRKS =
      quirk(QUERIES, "hourstone.expression.opentsdb_quirks")
          .means("whether [expressions](expressions.md) have OpenTSDB's quirks");
  public static final Setting<Integer> EXPRESSION_MAX_VALUES =
      setting(QUERIES, "hourstone.expression.max_values", number("values", 0))
          .byDefault("2000000")
          .inStrictMode("0")
          .means(
              "how many values a request for [expressions](expressions.md) may have: those that its"
                  + " queries return, its formulas compute and further outputs repeat; 0 for no"
                  + " limit");
  public static final Setting<Boolean> ANNOTATION_RANGES =
      quirk(QUERIES, "hourstone.annotation.opentsdb_ranges")
          .means(
              "whether ranges of annotations are OpenTSDB's: they compare seconds with"
                  + " milliseconds, and salted rows are not deleted"
                  + " ([ranges](format/annotation.md#ranges))");
  public static final Setting<Boolean> SUGGEST_ONLY_ASCII =
      quirk(QUERIES, "hourstone.uid.suggest_only_ascii")
          .means(
              "whether suggestions without a prefix omit names that start with byte `7E` or above");

  // Series index

  public static final Setting<Optional<Boolean>> INDEX_ENABLE =
      setting(INDEX, "hourstone.index.enable", flag())
          .orAuto(
              "true unless other processes share the store, and only if its table exists or may be"
                  + " created")
          .inStrictMode("false")
          .means("whether the index of series is maintained and used");
  public static final Setting<Optional<Long>> INDEX_MEMORY =
      setting(INDEX, "hourstone.index.memory_bytes", amount("bytes", 1))
          .orAuto("an eighth of the heap")
          .means("approximate maximum memory of the index");
  public static final Setting<Integer> LOOKUP_MAX_RESULTS =
      setting(INDEX, "hourstone.lookup.max_results", number("results", 0))
          .byDefault("1000000")
          .inStrictMode("0")
          .means(
              "maximum number of series that a [lookup](api.md#looking-series-up), or of names that"
                  + " a suggestion, returns over HTTP; 0 for no limit");
  public static final Setting<Integer> LAST_MAX_ROWS =
      setting(INDEX, "hourstone.last.max_rows", number("rows", 0))
          .byDefault("1000000")
          .inStrictMode("0")
          .means(
              "maximum number of rows that a request for [last points](api.md#the-latest-points)"
                  + " looks for over HTTP, one for each hour and series; 0 for no limit");
  public static final Setting<Boolean> LOOKUP_QUIRKS =
      quirk(INDEX, "hourstone.lookup.opentsdb_quirks")
          .means(
              "whether lookups of series are OpenTSDB's: by URI never in the data table, with a"
                  + " series once for each of its rows there, and failing at a name that was"
                  + " deleted");

  // Trees

  public static final Setting<Boolean> TREE_PROCESSING =
      setting(TREES, "tsd.core.tree.enable_processing", flag())
          .byDefault("false")
          .means(
              "whether a new series is sorted into the enabled trees; has an effect if metadata of"
                  + " new series is created ([trees](format/tree.md))");
  public static final Setting<Boolean> STORE_NOT_MATCHED =
      setting(TREES, "hourstone.tree.store_not_matched", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means(
              "whether a series that a tree with strict match refuses is recorded, if the tree"
                  + " stores failures");

  // Threads and memory

  public static final Setting<Optional<Integer>> UID_CACHE =
      setting(MEMORY, "hourstone.uid.cache_size", number("names", 1))
          .orAuto("as many of all kinds as fit in an eighth of the heap")
          .means("number of names of each kind that are cached");
  public static final Setting<Optional<Duration>> UID_CACHE_SECONDS =
      setting(MEMORY, "hourstone.uid.cache_seconds", seconds(0))
          .orAuto("60 if other processes share the store, otherwise 0")
          .inStrictMode("0")
          .means(
              "maximum time until readers and writers detect that another process renamed or"
                  + " deleted a name; names are cached for half of it. 0 for until the name is"
                  + " evicted from a full cache or caches are dropped");
  public static final Setting<Optional<Integer>> SERIES_CACHE =
      setting(MEMORY, "hourstone.write.series_cache_size", number("series", 0))
          .orAuto("200000, or as many as fit in a sixteenth of the heap")
          .means("number of series that are kept resolved in memory");
  public static final Setting<Integer> WRITE_THREADS =
      setting(MEMORY, "hourstone.write.threads", number("threads", 1))
          .byDefault("2")
          .means(
              "number of threads that write; all points of a series are written by the same one");
  public static final Setting<Optional<Integer>> WRITE_QUEUE =
      setting(MEMORY, "hourstone.write.queue_points", number("points", 1))
          .orAuto("32768, or as many as fit in 1/64 of the heap for all threads")
          .means(
              "maximum number of points that wait for each writing thread; a caller that finds the"
                  + " queue full waits");
  public static final Setting<Integer> BUFFERED_POINTS =
      setting(MEMORY, "hourstone.write.buffered_points", number("points", 1))
          .byDefault("131072")
          .means(
              "maximum number of points that each writing thread buffers for the flush interval;"
                  + " if there are more, the oldest rows are written early");
  public static final Setting<Optional<Long>> BUFFERED_BYTES =
      setting(MEMORY, "hourstone.write.buffered_bytes", amount("bytes", 1))
          .orAuto("an eighth of the heap")
          .means(
              "approximate maximum memory of the buffered points of all threads: 400 bytes for a"
                  + " row and 40 for each point. If there are more, the oldest rows are written"
                  + " early");
  public static final Setting<Optional<Long>> HEAD_BYTES =
      setting(MEMORY, "hourstone.head.bytes", amount("bytes", 1))
          .orAuto("an eighth of the heap")
          .means(
              "approximate maximum memory of the [head](head.md); beyond it the oldest rows are"
                  + " written early");
  public static final Setting<Long> HEAD_JOURNAL_BYTES =
      setting(MEMORY, "hourstone.head.journal_bytes", amount("bytes", 1))
          .byDefault("67108864")
          .means(
              "approximate maximum size of the head's journal, which is read when the store is"
                  + " opened after a crash; beyond it the oldest rows are written early");
  public static final Setting<Integer> WRITE_BATCH =
      setting(MEMORY, "hourstone.write.batch_points", number("points", 1))
          .byDefault("4096")
          .means("maximum number of points written in one call of the store");
  public static final Setting<Integer> WRITE_ATTEMPTS =
      setting(MEMORY, "hourstone.write.attempts", number("attempts", 1))
          .byDefault("12")
          .means(
              "how often a batch is offered to a store that fails to apply it; see"
                  + " [closing](#closing)");
  public static final Setting<Duration> WRITE_CLOSE =
      setting(MEMORY, "hourstone.write.close_seconds", seconds(1))
          .byDefault("120")
          .means("how long closing may take to write queued points; see [closing](#closing)");

  // Daemon

  public static final Setting<Integer> PORT =
      setting(DAEMON, "tsd.network.port", number("port", 0, 65_535))
          .byDefault("4242")
          .means("port of HTTP and of the telnet-style protocol; 0 for any free one");
  public static final Setting<String> BIND =
      setting(DAEMON, "tsd.network.bind", text("an address"))
          .byDefault("127.0.0.1")
          .inStrictMode("0.0.0.0")
          .means("address to listen on; `0.0.0.0` for all of the machine's");
  public static final Setting<String> MODE =
      setting(DAEMON, "tsd.mode", oneOf("rw", "ro", "wo"))
          .byDefault("rw")
          .means(
              "whether the daemon reads and writes, only reads or only writes"
                  + " ([mode](daemon.md#mode))");
  public static final Setting<String> CORS_DOMAINS =
      setting(DAEMON, "tsd.http.request.cors_domains", text("origins, separated by commas, or `*`"))
          .byDefault("")
          .means(
              "web sites whose pages may use the API from a browser, such as"
                  + " `https://grafana.example.com`; `*` for any; if empty, none"
                  + " ([web sites](daemon.md#web-sites))");
  public static final Setting<String> CORS_HEADERS =
      setting(DAEMON, "tsd.http.request.cors_headers", text("headers, separated by commas"))
          .byDefault(
              "Authorization, Content-Type, Accept, Origin, User-Agent, DNT, Cache-Control,"
                  + " X-Mx-ReqToken, Keep-Alive, X-Requested-With, If-Modified-Since")
          .means("headers that those pages may send");
  public static final Setting<Boolean> NO_DIEDIEDIE =
      setting(DAEMON, "tsd.no_diediedie", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means("whether clients may not stop the daemon by `diediedie`");
  public static final Setting<Boolean> AUTHENTICATION =
      setting(DAEMON, "tsd.core.authentication.enable", flag())
          .byDefault("false")
          .means("whether clients must authenticate ([accounts](daemon.md#accounts))");
  public static final Setting<String> ACCOUNTS =
      setting(DAEMON, "hourstone.auth.file", text("the path of a file"))
          .byDefault("")
          .means("file with the accounts: users and tokens");
  public static final Setting<Boolean> ALLOW_TELNET =
      setting(DAEMON, "hourstone.auth.allow_telnet", flag())
          .byDefault("false")
          .means(
              "whether the telnet-style protocol, which knows no accounts, is open though"
                  + " authentication is required");
  public static final Setting<String> TLS_CERTIFICATE =
      setting(DAEMON, "hourstone.tls.certificate", text("the path of a PEM file"))
          .byDefault("")
          .means("certificate and its chain; if set, both protocols require TLS");
  public static final Setting<String> TLS_KEY =
      setting(DAEMON, "hourstone.tls.key", text("the path of a PEM file"))
          .byDefault("")
          .means("private key of the certificate: PKCS 8, not encrypted");
  public static final Setting<Duration> SELF_MONITOR =
      setting(DAEMON, "hourstone.self_monitor_seconds", seconds(0))
          .byDefault("0")
          .means(
              "how often the daemon writes its own statistics into its database"
                  + " ([metrics](daemon.md#metrics)); 0 for never");
  public static final Setting<String> LOG_FORMAT =
      setting(DAEMON, "hourstone.log.format", oneOf("text", "json"))
          .byDefault("text")
          .means(
              "whether a message in the daemon's log is a line of text or a JSON object"
                  + " ([log](daemon.md#log))");
  public static final Setting<Boolean> WARM_UP =
      setting(DAEMON, "hourstone.warm_up", flag())
          .byDefault("true")
          .means(
              "whether the daemon puts and queries points in memory once it serves, so that the"
                  + " first requests of clients take less time");
  public static final Setting<Integer> MAX_CONNECTIONS =
      setting(DAEMON, "tsd.core.connections.limit", number("connections", 0))
          .byDefault("20000")
          .inStrictMode("0")
          .means("maximum number of open connections; more are refused. 0 for no limit");
  public static final Setting<Optional<Integer>> MAX_BODY =
      setting(DAEMON, "hourstone.http.max_body_bytes", number("bytes", 1))
          .orAuto("64 MB, or a quarter of the heap if that is less")
          .means(
              "maximum size of the body of an HTTP request, decompressed; a larger one is a 413");
  public static final Setting<Integer> HTTP_THREADS =
      setting(DAEMON, "hourstone.http.threads", number("threads", 1))
          .byDefault("256")
          .means(
              "how many HTTP requests are handled at once: of those that read points, series or"
                  + " names, and of all others. Four times as many of each wait for a thread;"
                  + " others get status 503");

  private static final Map<String, Setting<?>> BY_KEY =
      ALL.stream().collect(Collectors.toMap(Setting::key, Function.identity()));

  /** Settings by the keys they had in earlier versions. */
  private static final Map<String, Setting<?>> BY_FORMER_KEY =
      Map.of(
          "hourstone.storage.cells_as_they_stand", CELLS_IN_STORED_ORDER,
          "hourstone.query.damaged_rows", CORRUPT_ROWS,
          "hourstone.query.limits.held_bytes", QUERY_MEMORY_BYTES,
          "hourstone.query.limits.total_held_bytes", QUERY_TOTAL_MEMORY_BYTES,
          "hourstone.write.held_points", BUFFERED_POINTS,
          "hourstone.write.held_bytes", BUFFERED_BYTES);

  private Settings() {}

  /** All settings, in the order of the documentation. */
  public static List<Setting<?>> all() {
    return List.copyOf(ALL);
  }

  /** The setting of this key. */
  public static Optional<Setting<?>> find(String key) {
    return Optional.ofNullable(BY_KEY.get(key));
  }

  /**
   * The settings that were renamed, by their former keys; {@link #find} knows only the new keys.
   */
  public static Map<String, Setting<?>> byFormerKey() {
    return BY_FORMER_KEY;
  }

  private static <T> Setting.Draft<T> setting(
      Setting.Section section, String key, ValueType<T> type) {
    return new Setting.Draft<>(ALL::add, section, key, type);
  }

  /** A behaviour of OpenTSDB that Hourstone copies in strict mode only. */
  private static Setting.Draft<Boolean> quirk(Setting.Section section, String key) {
    return setting(section, key, flag()).byDefault("false").inStrictMode("true");
  }
}
