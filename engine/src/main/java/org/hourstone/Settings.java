package org.hourstone;

import static org.hourstone.Setting.Section.COMPACTION;
import static org.hourstone.Setting.Section.FORMAT;
import static org.hourstone.Setting.Section.INDEX;
import static org.hourstone.Setting.Section.METADATA;
import static org.hourstone.Setting.Section.POINTS;
import static org.hourstone.Setting.Section.ROLLUPS;
import static org.hourstone.Setting.Section.STRICT_MODE;
import static org.hourstone.Setting.Section.TABLES;
import static org.hourstone.Setting.Section.TREES;
import static org.hourstone.ValueType.amount;
import static org.hourstone.ValueType.flag;
import static org.hourstone.ValueType.number;
import static org.hourstone.ValueType.seconds;
import static org.hourstone.ValueType.subjects;
import static org.hourstone.ValueType.text;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.index.MetricLimits;

/**
 * The settings, grouped as in {@code docs/configuration.md}, whose tables are generated from them.
 * A constant's documentation is its {@linkplain Setting#meaning meaning}. Those of queries, of
 * threads and memory and of the daemon are in {@link QuerySettings}, {@link MemorySettings} and
 * {@link DaemonSettings}.
 */
public final class Settings {
  private static final SettingList ALL = new SettingList();

  // Fixed for the life of the data

  public static final Setting<Integer> UID_WIDTH_METRIC =
      ALL.setting(FORMAT, "tsd.storage.uid.width.metric", number("bytes", 1, 8))
          .byDefault("3")
          .means("width of a metric's UID");
  public static final Setting<Integer> UID_WIDTH_TAGK =
      ALL.setting(FORMAT, "tsd.storage.uid.width.tagk", number("bytes", 1, 8))
          .byDefault("3")
          .means("width of a tag key's UID");
  public static final Setting<Integer> UID_WIDTH_TAGV =
      ALL.setting(FORMAT, "tsd.storage.uid.width.tagv", number("bytes", 1, 8))
          .byDefault("3")
          .means("width of a tag value's UID");
  public static final Setting<Integer> SALT_WIDTH =
      ALL.setting(FORMAT, "tsd.storage.salt.width", number("bytes", 0, 8))
          .byDefault("0")
          .means(
              "width of the salt before the row key; 0 for no salt"
                  + " ([salt](format/row-key.md#salt))");
  public static final Setting<Integer> SALT_BUCKETS =
      ALL.setting(FORMAT, "tsd.storage.salt.buckets", number("buckets", 1))
          .byDefault("20")
          .means("number of salts that rows are spread over; has no effect without a salt");
  public static final Setting<Boolean> SALT_CHECK =
      ALL.setting(FORMAT, "hourstone.salt.check", flag())
          .byDefault("true")
          .means(
              "whether opening fails if another salt is [recorded](format/tables.md#the-record), or"
                  + " the first rows of the data table contradict the configured one"
                  + " ([salt](format/row-key.md#salt))");

  // Tables

  public static final Setting<Optional<String>> STORE =
      ALL.setting(TABLES, "hourstone.store", text("a store"))
          .orAuto("the HBase cluster of `tsd.storage.hbase.zk_quorum`, or `rocksdb:./data`")
          .means(
              "where the data is: `rocksdb:DIRECTORY`, `hbase://QUORUM/NODE` or `memory:NAME`;"
                  + " `--store` overrides it");
  public static final Setting<Optional<Long>> DISK_RESERVE =
      ALL.setting(TABLES, "hourstone.disk.reserve", amount("bytes", 0))
          .orAuto("1 GB or 2 % of the disk, whichever is more, but at most a tenth of the disk")
          .means(
              "free space of an embedded store's disk that nothing new can use: while less is"
                  + " free, points, names and all else that would be put are refused ([a disk that"
                  + " is nearly full](rocksdb.md#a-disk-that-is-nearly-full)); 0 for none");
  public static final Setting<String> DATA_TABLE =
      ALL.setting(TABLES, "tsd.storage.hbase.data_table", text("a table"))
          .byDefault("tsdb")
          .means("table of the points, in any store");
  public static final Setting<String> UID_TABLE =
      ALL.setting(TABLES, "tsd.storage.hbase.uid_table", text("a table"))
          .byDefault("tsdb-uid")
          .means("table of the names");
  public static final Setting<String> META_TABLE =
      ALL.setting(TABLES, "tsd.storage.hbase.meta_table", text("a table"))
          .byDefault("tsdb-meta")
          .means("table of the metadata of series");
  public static final Setting<String> TREE_TABLE =
      ALL.setting(TABLES, "tsd.storage.hbase.tree_table", text("a table"))
          .byDefault("tsdb-tree")
          .means("table of the trees");
  public static final Setting<String> INDEX_TABLE =
      ALL.setting(TABLES, "hourstone.index.table", text("a table"))
          .byDefault("tsdb-index")
          .means("table of the [series index](index.md)");
  public static final Setting<String> JOURNAL_TABLE =
      ALL.setting(TABLES, "hourstone.journal.table", text("a table"))
          .byDefault("tsdb-journal")
          .means("table of the journal of the [head](head.md)");
  public static final Setting<Optional<Boolean>> CREATE_TABLES =
      ALL.setting(TABLES, "hourstone.storage.create_tables", flag())
          .orAuto("true unless other processes share the store")
          .means("whether missing tables are created");

  // Points

  public static final Setting<Boolean> AUTO_CREATE_METRICS =
      ALL.setting(POINTS, "tsd.core.auto_create_metrics", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means("whether a point may create a new metric");
  public static final Setting<Boolean> AUTO_CREATE_TAGKS =
      ALL.setting(POINTS, "tsd.core.auto_create_tagks", flag())
          .byDefault("true")
          .means("whether a point may create a new tag key");
  public static final Setting<Boolean> AUTO_CREATE_TAGVS =
      ALL.setting(POINTS, "tsd.core.auto_create_tagvs", flag())
          .byDefault("true")
          .means("whether a point may create a new tag value");
  public static final Setting<Boolean> RANDOM_METRICS =
      ALL.setting(POINTS, "tsd.core.uid.random_metrics", flag())
          .byDefault("false")
          .means(
              "whether new metrics get random UIDs instead of counted ones ([random"
                  + " UIDs](format/uid.md#random-uids))");
  public static final Setting<String> ALLOW_SPECIALCHARS =
      ALL.setting(POINTS, "tsd.core.tag.allow_specialchars", text("characters"))
          .byDefault("")
          .means(
              "characters allowed in names in addition to the [usual](format/text-input.md#names)");
  public static final Setting<Integer> MAX_TAGS =
      ALL.setting(POINTS, "tsd.storage.max_tags", number("tags", 1))
          .byDefault("8")
          .means(
              "maximum number of tags a point may be written with; points with more are still"
                  + " read");
  public static final Setting<Boolean> OUT_OF_ORDER_IMPORT =
      ALL.setting(POINTS, "tsd.core.bulk.allow_out_of_order_timestamps", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means("whether `import` accepts the points of a series in any time order");
  public static final Setting<Boolean> USE_OTSDB_TIMESTAMP =
      ALL.setting(POINTS, "tsd.storage.use_otsdb_timestamp", flag())
          .byDefault("false")
          .means(
              "whether the [write time](format/tables.md#write-time) of a cell is its point's"
                  + " timestamp instead of the store's time");
  public static final Setting<Boolean> ENABLE_APPENDS =
      ALL.setting(POINTS, "tsd.storage.enable_appends", flag())
          .byDefault("false")
          .means(
              "whether points are appended to one cell of their row ([append"
                  + " cells](format/append.md))");
  public static final Setting<Optional<Boolean>> WRITE_PACKS =
      ALL.setting(POINTS, "hourstone.write.packs", flag())
          .orAuto("true unless other processes share the store and no flush interval is set")
          .inStrictMode("false")
          .means(
              "whether points of a row that are written together become one multi-point cell ([ADR"
                  + " 6](adr/0006-packs-and-bounded-cells.md)); in any case only if the newest of"
                  + " duplicate points wins and write times are the store's");
  public static final Setting<Optional<Boolean>> HEAD =
      ALL.setting(POINTS, "hourstone.head", flag())
          .orAuto(
              "true if no other process uses the store, and"
                  + " `hourstone.write.flush_interval_seconds` is not set")
          .inStrictMode("false")
          .means(
              "whether the points of open hours are acknowledged by a journal ([head](head.md));"
                  + " the flush interval has no effect on points then, unless"
                  + " `hourstone.head.writer` is set");
  public static final Setting<String> HEAD_WRITER =
      ALL.setting(POINTS, "hourstone.head.writer", text("a name"))
          .byDefault("")
          .means(
              "**experimental**: where other processes share the store, the name under which this"
                  + " one keeps a [journal](head.md#on-shared-stores), by which points are"
                  + " acknowledged, and by which its next start finds it; of one daemon at a time."
                  + " Empty for no journal");
  public static final Setting<Duration> HEAD_LEASE =
      ALL.setting(POINTS, "hourstone.head.lease_seconds", seconds(1))
          .byDefault("60")
          .means(
              "how long this writer may give no sign of life on a shared store before another one"
                  + " takes over its journal");
  public static final Setting<Optional<Duration>> FLUSH_INTERVAL =
      ALL.setting(POINTS, "hourstone.write.flush_interval_seconds", seconds(0))
          .orAuto("60; if other processes share the store 0, or 30 with `hourstone.head.writer`")
          .inStrictMode("0")
          .means(
              "how long points are buffered, so that more points of a row are written together"
                  + " ([ADR 8](adr/0008-flush-interval.md)); has an effect if multi-point cells or"
                  + " appends are written. A point that a caller waits for is written at once");
  public static final Setting<Integer> MAX_CELL_BYTES =
      ALL.setting(POINTS, "hourstone.storage.max_cell_bytes", number("bytes", 0))
          .byDefault("32768")
          .inStrictMode("0")
          .means("maximum size of a multi-point cell; 0 for no limit");
  public static final Setting<Integer> MAX_ANNOTATION_BYTES =
      ALL.setting(POINTS, "hourstone.annotation.max_hour_bytes", number("bytes", 0))
          .byDefault("1048576")
          .inStrictMode("0")
          .means(
              "maximum size of the annotations of a series, or of all global ones, in one hour:"
                  + " they are in one row, which is read as a whole; 0 for no limit");
  public static final Setting<Boolean> EXACT_IMPORT =
      ALL.setting(POINTS, "hourstone.import.exact_decimals", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means(
              "whether decimals of an import line keep all their digits; otherwise they are"
                  + " rounded to 4 bytes ([width](format/value.md#width))");
  public static final Setting<String> DEFAULT_TAG =
      ALL.setting(POINTS, "hourstone.put.default_tag", text("a tag, `key=value`"))
          .byDefault("")
          .means(
              "tag that is added to points that clients put without tags, such as"
                  + " `source=unknown`; if empty, such points are refused, as by OpenTSDB");
  public static final Setting<Boolean> ALLOW_NON_LATIN1 =
      ALL.setting(POINTS, "hourstone.uid.allow_non_latin1", flag())
          .byDefault("false")
          .means(
              "whether characters outside ISO-8859-1 are allowed in names, where each is stored as"
                  + " `?` ([charset](format/tables.md#charset))");

  // Metadata

  public static final Setting<Boolean> META_REALTIME_UID =
      ALL.setting(METADATA, "tsd.core.meta.enable_realtime_uid", flag())
          .byDefault("false")
          .means("whether a UIDMeta is stored for each name that gets its UID");
  public static final Setting<Boolean> META_TRACKING =
      ALL.setting(METADATA, "tsd.core.meta.enable_tsuid_tracking", flag())
          .byDefault("false")
          .means(
              "whether the series of each point is recorded in the meta table; without it the next"
                  + " two have no effect");
  public static final Setting<Boolean> META_REALTIME_TS =
      ALL.setting(METADATA, "tsd.core.meta.enable_realtime_ts", flag())
          .byDefault("false")
          .means("whether a TSMeta is created for each new series");
  public static final Setting<Boolean> META_INCREMENTING =
      ALL.setting(METADATA, "tsd.core.meta.enable_tsuid_incrementing", flag())
          .byDefault("false")
          .means("whether points are counted for each series; needs the one above");

  // Histograms and rollups

  public static final Setting<String> HISTOGRAMS_CONFIG =
      ALL.setting(
              ROLLUPS,
              "tsd.core.histograms.config",
              text("JSON, or the path of a file that ends in `.json`"))
          .byDefault("")
          .means(
              "codecs of histograms and their ids ([codecs](format/histogram.md#codecs)); if"
                  + " empty, histograms are refused");
  public static final Setting<Boolean> ROLLUPS_ENABLE =
      ALL.setting(ROLLUPS, "tsd.rollups.enable", flag())
          .byDefault("false")
          .means("whether rollups and pre-aggregates are written and read");
  public static final Setting<String> ROLLUPS_CONFIG =
      ALL.setting(
              ROLLUPS,
              "tsd.rollups.config",
              text("JSON, or the path of a file that ends in `.json`"))
          .byDefault("")
          .means(
              "intervals, tables and aggregations of rollups"
                  + " ([settings](format/rollup.md#settings))");
  public static final Setting<String> ROLLUPS_AGG_TAG_KEY =
      ALL.setting(ROLLUPS, "tsd.rollups.agg_tag_key", text("a tag key"))
          .byDefault("_aggregate")
          .means("tag that identifies how several series were aggregated into one");
  public static final Setting<String> ROLLUPS_RAW_AGG_TAG_VALUE =
      ALL.setting(ROLLUPS, "tsd.rollups.raw_agg_tag_value", text("a tag value"))
          .byDefault("RAW")
          .means("value of that tag for values of a single series");
  public static final Setting<Boolean> ROLLUPS_TAG_RAW =
      ALL.setting(ROLLUPS, "tsd.rollups.tag_raw", flag())
          .byDefault("false")
          .means("whether values of a single series get the tag");
  public static final Setting<Boolean> ROLLUPS_BLOCK_DERIVED =
      ALL.setting(ROLLUPS, "tsd.rollups.block_derived", flag())
          .byDefault("true")
          .means("whether `avg` and `dev` are refused as aggregations of written values");
  public static final Setting<Boolean> ROLLUPS_SPLIT =
      ALL.setting(ROLLUPS, "tsd.rollups.split_query.enable", flag())
          .byDefault("false")
          .means(
              "whether buckets newer than an interval's `delaySla` are [read as"
                  + " points](query.md#rolled-up-values)");

  // Compaction

  public static final Setting<Boolean> ENABLE_COMPACTION =
      ALL.setting(COMPACTION, "tsd.storage.enable_compaction", flag())
          .byDefault("true")
          .means(
              "whether the cells of a closed hour are merged into one"
                  + " ([compaction](format/compaction.md))");
  public static final Setting<Boolean> REPAIR_APPENDS =
      ALL.setting(COMPACTION, "tsd.storage.repair_appends", flag())
          .byDefault("false")
          .means(
              "whether compaction rewrites an append cell whose points are out of order"
                  + " ([repair](format/append.md#repair))");
  public static final Setting<Boolean> COMPACTION_BACKGROUND =
      ALL.setting(COMPACTION, "hourstone.compaction.background", flag())
          .byDefault("true")
          .means("whether rows are compacted in the background; otherwise only on request");
  public static final Setting<Optional<Integer>> COMPACTION_QUEUE =
      ALL.setting(COMPACTION, "hourstone.compaction.queue_rows", number("rows", 0))
          .orAuto("1000000, or as many as fit in a sixteenth of the heap")
          .means(
              "maximum number of rows that wait for compaction, about 150 bytes each; if the queue"
                  + " is full, a row is left to `hourstone compact`");
  public static final Setting<Duration> COMPACTION_SPREAD =
      ALL.setting(COMPACTION, "hourstone.compaction.spread_seconds", seconds(0))
          .byDefault("1800")
          .inStrictMode("0")
          .means("time after an hour's end over which its rows are spread, by their keys");
  public static final Setting<Duration> COMPACTION_QUIET =
      ALL.setting(COMPACTION, "hourstone.compaction.quiet_seconds", seconds(0))
          .byDefault("60")
          .inStrictMode("0")
          .means("how long a row must have been unchanged before it is compacted");
  public static final Setting<Integer> COMPACTION_RATE =
      ALL.setting(COMPACTION, "hourstone.compaction.rows_per_second", number("rows", 1))
          .byDefault("1000")
          .means("maximum number of rows compacted in a second");
  public static final Setting<Boolean> COMPACT_APPENDS =
      ALL.setting(COMPACTION, "hourstone.compaction.rewrite_appends", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means(
              "whether compaction merges append cells into the compacted cell; never if other"
                  + " processes share the store");

  // Series index

  public static final Setting<Optional<Boolean>> INDEX_ENABLE =
      ALL.setting(INDEX, "hourstone.index.enable", flag())
          .orAuto(
              "true unless other processes share the store, and only if its table exists or may be"
                  + " created")
          .inStrictMode("false")
          .means("whether the index of series is maintained and used");
  public static final Setting<Optional<Long>> INDEX_MEMORY =
      ALL.setting(INDEX, "hourstone.index.memory_bytes", amount("bytes", 1))
          .orAuto("an eighth of the heap")
          .means("approximate maximum memory of the index");
  public static final Setting<Long> MAX_SERIES =
      ALL.setting(INDEX, "hourstone.index.max_series", amount("series", 0))
          .byDefault("0")
          .means(
              "maximum number of series: a value of a new series beyond it is refused"
                  + " ([limits](index.md#limits-of-the-number-of-series)); 0 for no limit");
  public static final Setting<MetricLimits> MAX_SERIES_PER_METRIC =
      ALL.setting(INDEX, "hourstone.index.max_series_per_metric", ValueType.metricLimits())
          .byDefault("")
          .means(
              "maximum number of series of each metric: a number, or rules of which the first that"
                  + " matches a metric applies; without rules there is no limit");
  public static final Setting<Integer> LOOKUP_MAX_RESULTS =
      ALL.setting(INDEX, "hourstone.lookup.max_results", number("results", 0))
          .byDefault("1000000")
          .inStrictMode("0")
          .means(
              "maximum number of series that a [lookup](api.md#looking-series-up), or of names that"
                  + " a suggestion, returns over HTTP; 0 for no limit");
  public static final Setting<Integer> LAST_MAX_ROWS =
      ALL.setting(INDEX, "hourstone.last.max_rows", number("rows", 0))
          .byDefault("1000000")
          .inStrictMode("0")
          .means(
              "maximum number of rows that a request for [last points](api.md#the-latest-points)"
                  + " looks for, one for each hour and series; 0 for no limit");

  // Trees

  public static final Setting<Boolean> TREE_PROCESSING =
      ALL.setting(TREES, "tsd.core.tree.enable_processing", flag())
          .byDefault("false")
          .means(
              "whether a new series is sorted into the enabled trees; has an effect if metadata of"
                  + " new series is created ([trees](format/tree.md))");
  public static final Setting<Boolean> STORE_NOT_MATCHED =
      ALL.setting(TREES, "hourstone.tree.store_not_matched", flag())
          .byDefault("true")
          .inStrictMode("false")
          .means(
              "whether a series that a tree with strict match refuses is recorded, if the tree"
                  + " stores failures");

  public static final Setting<Set<StrictSubject>> STRICT =
      ALL.setting(STRICT_MODE, "hourstone.strict", subjects())
          .byDefault(StrictSubject.NONE)
          .inStrictMode(StrictSubject.ALL)
          .means(
              "the subjects in which Hourstone behaves as OpenTSDB. A subject with a minus is left"
                  + " out: `all,-requests`");

  private static final Map<String, Setting<?>> BY_KEY =
      all().stream().collect(Collectors.toMap(Setting::key, Function.identity()));

  /** What settings are called that had other keys in earlier versions. */
  private static final Map<String, String> BY_FORMER_KEY =
      Map.ofEntries(
          Map.entry("hourstone.salt.allow_truncated", strict(StrictSubject.SALT)),
          Map.entry("hourstone.query.series_by_salt", strict(StrictSubject.SALT)),
          Map.entry("hourstone.put.opentsdb_lines", strict(StrictSubject.POINTS)),
          Map.entry("hourstone.put.vanishing_decimals", strict(StrictSubject.POINTS)),
          Map.entry("hourstone.put.whole_bodies", strict(StrictSubject.POINTS)),
          Map.entry("hourstone.put.wrap_base_time", strict(StrictSubject.POINTS)),
          Map.entry("hourstone.put.vague_errors", strict(StrictSubject.POINTS)),
          Map.entry("hourstone.uid.exhaustion_moves_counter", strict(StrictSubject.UIDS)),
          Map.entry("hourstone.uid.suggest_only_ascii", strict(StrictSubject.UIDS)),
          Map.entry("hourstone.rollups.opentsdb_queries", strict(StrictSubject.ROLLUPS)),
          Map.entry("hourstone.rollups.write_default_interval", strict(StrictSubject.ROLLUPS)),
          Map.entry("hourstone.query.rewrites_rows", strict(StrictSubject.ROWS)),
          Map.entry("hourstone.storage.cells_in_stored_order", strict(StrictSubject.ROWS)),
          Map.entry("hourstone.query.deletes_rows", strict(StrictSubject.DELETION)),
          Map.entry("hourstone.query.opentsdb_requests", strict(StrictSubject.REQUESTS)),
          Map.entry("hourstone.http.opentsdb_requests", strict(StrictSubject.REQUESTS)),
          Map.entry("hourstone.query.opentsdb_filters", strict(StrictSubject.FILTERS)),
          Map.entry("hourstone.query.opentsdb_hours", strict(StrictSubject.HOURS)),
          Map.entry("hourstone.query.early_doubles", strict(StrictSubject.DOUBLES)),
          Map.entry("hourstone.query.held_first_rate", strict(StrictSubject.AGGREGATION)),
          Map.entry("hourstone.query.positive_mimmax", strict(StrictSubject.AGGREGATION)),
          Map.entry("hourstone.annotation.opentsdb_ranges", strict(StrictSubject.ANNOTATIONS)),
          Map.entry("hourstone.expression.opentsdb_quirks", strict(StrictSubject.EXPRESSIONS)),
          Map.entry("hourstone.lookup.opentsdb_quirks", strict(StrictSubject.LOOKUPS)),
          Map.entry("hourstone.storage.cells_as_they_stand", strict(StrictSubject.ROWS)),
          Map.entry("hourstone.query.damaged_rows", QuerySettings.CORRUPT_ROWS.key()),
          Map.entry("hourstone.query.limits.held_bytes", QuerySettings.QUERY_MEMORY_BYTES.key()),
          Map.entry(
              "hourstone.query.limits.total_held_bytes",
              QuerySettings.QUERY_TOTAL_MEMORY_BYTES.key()),
          Map.entry("hourstone.write.held_points", MemorySettings.BUFFERED_POINTS.key()),
          Map.entry("hourstone.write.held_bytes", MemorySettings.BUFFERED_BYTES.key()));

  private static String strict(StrictSubject subject) {
    return STRICT.key() + "=" + subject.word();
  }

  private Settings() {}

  /** All settings, in the order of the documentation. */
  public static List<Setting<?>> all() {
    return Stream.of(
            ALL,
            RollupSettings.ALL,
            RetentionSettings.ALL,
            QuerySettings.ALL,
            MemorySettings.ALL,
            DaemonSettings.ALL)
        .<Setting<?>>flatMap(SettingList::stream)
        .sorted(Comparator.comparing(Setting::section))
        .toList();
  }

  /** The setting of this key. */
  public static Optional<Setting<?>> find(String key) {
    return Optional.ofNullable(BY_KEY.get(key));
  }

  /**
   * What the settings that were renamed are called now, by their former keys: a key, or a key and
   * its value. {@link #find} knows only the new keys.
   */
  public static Map<String, String> byFormerKey() {
    return BY_FORMER_KEY;
  }
}
