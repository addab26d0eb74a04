package org.hourstone;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The settings that have an effect. Those of OpenTSDB have its names; Hourstone's own start with
 * {@code hourstone.}. See {@code docs/configuration.md}.
 */
public enum ConfigKey {
  UID_WIDTH_METRIC("tsd.storage.uid.width.metric", "3"),
  UID_WIDTH_TAGK("tsd.storage.uid.width.tagk", "3"),
  UID_WIDTH_TAGV("tsd.storage.uid.width.tagv", "3"),
  SALT_WIDTH("tsd.storage.salt.width", "0"),
  SALT_BUCKETS("tsd.storage.salt.buckets", "20"),
  MAX_TAGS("tsd.storage.max_tags", "8"),
  DATA_TABLE("tsd.storage.hbase.data_table", "tsdb"),
  UID_TABLE("tsd.storage.hbase.uid_table", "tsdb-uid"),
  META_TABLE("tsd.storage.hbase.meta_table", "tsdb-meta"),
  TREE_TABLE("tsd.storage.hbase.tree_table", "tsdb-tree"),
  /** The name of the table that the series index is kept in. */
  INDEX_TABLE("hourstone.index.table", "tsdb-index"),
  /** Whether the series index is kept and used; "auto": unless other processes share the store. */
  INDEX_ENABLE("hourstone.index.enable", "false", "auto"),
  /**
   * Whether looking series up behaves as in OpenTSDB: never in the data table by URI, there a
   * series once for each of its rows, and never with a name that was deleted.
   */
  LOOKUP_QUIRKS("hourstone.lookup.opentsdb_quirks", "true", "false"),
  /** How much memory the series index takes at most, in bytes; "auto": an eighth of the heap. */
  INDEX_MEMORY("hourstone.index.memory_bytes", "auto"),
  FIX_DUPLICATES("tsd.storage.fix_duplicates", "false", "true"),
  USE_OTSDB_TIMESTAMP("tsd.storage.use_otsdb_timestamp", "false"),
  USE_MAX_VALUE("tsd.storage.use_max_value", "true"),
  ENABLE_COMPACTION("tsd.storage.enable_compaction", "true"),
  REPAIR_APPENDS("tsd.storage.repair_appends", "false"),
  ENABLE_APPENDS("tsd.storage.enable_appends", "false"),
  AUTO_CREATE_METRICS("tsd.core.auto_create_metrics", "false", "true"),
  AUTO_CREATE_TAGKS("tsd.core.auto_create_tagks", "true"),
  AUTO_CREATE_TAGVS("tsd.core.auto_create_tagvs", "true"),
  RANDOM_METRICS("tsd.core.uid.random_metrics", "false"),
  ALLOW_SPECIALCHARS("tsd.core.tag.allow_specialchars", ""),
  TIMEZONE("tsd.core.timezone", ""),
  TREE_PROCESSING("tsd.core.tree.enable_processing", "false"),
  OUT_OF_ORDER_IMPORT("tsd.core.bulk.allow_out_of_order_timestamps", "false", "true"),
  META_TRACKING("tsd.core.meta.enable_tsuid_tracking", "false"),
  META_REALTIME_TS("tsd.core.meta.enable_realtime_ts", "false"),
  META_INCREMENTING("tsd.core.meta.enable_tsuid_incrementing", "false"),
  META_REALTIME_UID("tsd.core.meta.enable_realtime_uid", "false"),
  SKIP_UNRESOLVED_TAGVS("tsd.query.skip_unresolved_tagvs", "false"),
  QUERY_MAX_POINTS("tsd.query.limits.data_points.default", "0"),
  QUERY_MAX_BYTES("tsd.query.limits.bytes.default", "0"),
  QUERY_TIMEOUT("tsd.query.timeout", "0"),
  FILTER_EXPANSION("tsd.query.filter.expansion_limit", "4096"),
  ALLOW_DELETE("tsd.http.query.allow_delete", "false"),
  HISTOGRAMS_CONFIG("tsd.core.histograms.config", ""),
  ROLLUPS_ENABLE("tsd.rollups.enable", "false"),
  ROLLUPS_CONFIG("tsd.rollups.config", ""),
  ROLLUPS_AGG_TAG_KEY("tsd.rollups.agg_tag_key", "_aggregate"),
  ROLLUPS_RAW_AGG_TAG_VALUE("tsd.rollups.raw_agg_tag_value", "RAW"),
  ROLLUPS_TAG_RAW("tsd.rollups.tag_raw", "false"),
  ROLLUPS_BLOCK_DERIVED("tsd.rollups.block_derived", "true"),
  ROLLUPS_SPLIT("tsd.rollups.split_query.enable", "false"),

  /** Whether missing tables are created; "auto": unless other processes share the store. */
  CREATE_TABLES("hourstone.storage.create_tables", "auto"),
  /** Whether imported decimals keep all their digits. */
  EXACT_IMPORT("hourstone.import.exact_decimals", "false", "true"),
  /** Whether every dot of a telnet timestamp is dropped, at any position. */
  ANY_TELNET_DOTS("hourstone.put.any_dots", "true", "false"),
  /** Whether timestamps after 2106 wrap around to 1970. */
  WRAP_BASE_TIME("hourstone.put.wrap_base_time", "true", "false"),
  /**
   * Whether rolled-up values of the default interval are written, which readers of points misread.
   */
  WRITE_DEFAULT_INTERVAL("hourstone.rollups.write_default_interval", "true", "false"),
  /**
   * Whether rolled-up averages need an id, intervals are read for any calendar, and the last bucket
   * may lack rows.
   */
  OPENTSDB_ROLLUP_QUERIES("hourstone.rollups.opentsdb_queries", "true", "false"),
  /** Whether error responses are as vague as OpenTSDB's where it hides the cause. */
  VAGUE_ERRORS("hourstone.put.vague_errors", "true", "false"),
  /**
   * Whether letters that ISO-8859-1 lacks are let into names, where each becomes a question mark.
   */
  ALLOW_NON_LATIN1("hourstone.uid.allow_non_latin1", "false"),
  /** Whether more salt buckets are accepted than the salt's bytes can number. */
  ALLOW_TRUNCATED_SALT("hourstone.salt.allow_truncated", "true", "false"),
  /** Whether a store is not opened whose rows contradict the configured salt. */
  SALT_CHECK("hourstone.salt.check", "true"),
  /** Whether a failed attempt to assign a UID where none is left moves the counter. */
  EXHAUSTION_MOVES_COUNTER("hourstone.uid.exhaustion_moves_counter", "true", "false"),
  /** Whether suggesting without a prefix omits names that start at 7E or above. */
  SUGGEST_ONLY_ASCII("hourstone.uid.suggest_only_ascii", "true", "false"),
  /** Whether deleting by query deletes all rows that are read, whole hours; else exact points. */
  DELETES_ROWS("hourstone.query.deletes_rows", "true", "false"),
  /** Whether the points of one cell are used in stored order, without sorting. */
  CELLS_AS_THEY_STAND("hourstone.storage.cells_as_they_stand", "true", "false"),
  /** Whether query requests are parsed, and errors reported, as in OpenTSDB. */
  OPENTSDB_REQUESTS("hourstone.query.opentsdb_requests", "true", "false"),
  /** Whether tag filters are interpreted as in OpenTSDB 2.4. */
  OPENTSDB_FILTERS("hourstone.query.opentsdb_filters", "true", "false"),
  /** How many series a query may read; 0 for any number. */
  QUERY_MAX_SERIES("hourstone.query.limits.series", "0"),
  /** How much memory the points of one query may take, in bytes; "auto": a quarter of the heap. */
  QUERY_HELD_BYTES("hourstone.query.limits.held_bytes", "auto"),
  /** The same of all queries together; "auto": half of the heap. */
  QUERY_TOTAL_HELD_BYTES("hourstone.query.limits.total_held_bytes", "auto"),
  /** How many characters a query's regular expressions may read; 0 for no limit. */
  QUERY_REGEX_STEPS("hourstone.query.limits.regex_steps", "100000000"),
  /** How many threads read for queries; "auto": as many as processors. */
  QUERY_THREADS("hourstone.query.threads", "auto"),
  /** From how many milliseconds on a query is logged as slow; 0 for never. */
  QUERY_SLOW("hourstone.query.slow_millis", "10000"),
  /** Whether salted series are ordered by their salt first. */
  SERIES_BY_SALT("hourstone.query.series_by_salt", "true", "false"),
  /** Whether integers turn to doubles one point before the first double of a series. */
  EARLY_DOUBLES("hourstone.query.early_doubles", "true", "false"),
  /** Whether expressions have OpenTSDB's quirks. */
  EXPRESSION_QUIRKS("hourstone.expression.opentsdb_quirks", "true", "false"),
  /** How many values one output of an expression query may have; 0 for any number. */
  EXPRESSION_MAX_VALUES("hourstone.expression.max_values", "0", "2000000"),
  /** Whether a series gives a made-up rate until its second point. */
  HELD_FIRST_RATE("hourstone.query.held_first_rate", "true", "false"),
  /** Whether mimmax takes an absent point for the least positive double. */
  POSITIVE_MIMMAX("hourstone.query.positive_mimmax", "true", "false"),
  /**
   * Whether ranges of annotations behave as in OpenTSDB, which mixes seconds with milliseconds and
   * deletes only unsalted rows.
   */
  ANNOTATION_RANGES("hourstone.annotation.opentsdb_ranges", "true", "false"),
  /** How many names of each kind are kept in memory; "auto": in an eighth of the heap. */
  UID_CACHE("hourstone.uid.cache_size", "auto"),
  /**
   * Within how many seconds a rename or deletion of a name by another process is detected; 0 for
   * when it is evicted from the cache; "auto": a minute, or 0 if no other process shares the store.
   */
  UID_CACHE_SECONDS("hourstone.uid.cache_seconds", "0", "auto"),
  /** How many series are kept resolved in memory; "auto": 200000, less in a small heap. */
  SERIES_CACHE("hourstone.write.series_cache_size", "auto"),
  /** How many threads write. */
  WRITE_THREADS("hourstone.write.threads", "2"),
  /** How many points may wait for each of them; "auto": 32768, less in a small heap. */
  WRITE_QUEUE("hourstone.write.queue_points", "auto"),
  /**
   * Whether points of a row that are written together are stored as one multi-point cell; "auto":
   * unless other processes share the store and no flush interval is set.
   */
  WRITE_PACKS("hourstone.write.packs", "false", "auto"),
  /**
   * For how many seconds points are buffered, so that more of their row are written together;
   * "auto": a minute, or 0 if other processes share the store.
   */
  FLUSH_INTERVAL("hourstone.write.flush_interval_seconds", "0", "auto"),
  /** How many points each thread that writes buffers at most. */
  HELD_POINTS("hourstone.write.held_points", "131072"),
  /** How much memory they may take all together, in bytes; "auto": an eighth of the heap. */
  HELD_BYTES("hourstone.write.held_bytes", "auto"),
  /** How many seconds closing waits for queued points to be written; the rest fail. */
  WRITE_CLOSE("hourstone.write.close_seconds", "120"),
  /**
   * Whether the cell of a batch of points ends with the metadata byte of other multi-point cells.
   */
  BATCH_METADATA_BYTE("hourstone.write.batch_metadata_byte", "false", "true"),
  /** How large a cell of several points may get, in bytes; 0 for any size. */
  MAX_CELL_BYTES("hourstone.storage.max_cell_bytes", "0", "32768"),
  /** Whether a query rewrites the rows it reads, as compaction and repair_appends say. */
  READS_REWRITE("hourstone.query.rewrites_rows", "true", "false"),
  /** How a query treats rows and cells that are corrupt: "fail" or "skip". */
  DAMAGED_ROWS("hourstone.query.damaged_rows", "fail"),
  /** How many rows wait to be compacted at most; "auto": 1000000, less in a small heap. */
  COMPACTION_QUEUE("hourstone.compaction.queue_rows", "auto"),
  /** Over how many seconds the compaction of an hour's rows is spread. */
  COMPACTION_SPREAD("hourstone.compaction.spread_seconds", "0", "1800"),
  /** For how many seconds a row must not have been written to before it is compacted. */
  COMPACTION_QUIET("hourstone.compaction.quiet_seconds", "0", "60"),
  /** Whether rows are compacted in the background; else only on request. */
  COMPACTION_BACKGROUND("hourstone.compaction.background", "true"),
  /** How many rows are compacted in a second at most. */
  COMPACTION_RATE("hourstone.compaction.rows_per_second", "1000"),
  /**
   * Whether compaction merges append cells into the compacted cell, unless other processes share
   * the store.
   */
  COMPACT_APPENDS("hourstone.compaction.rewrite_appends", "false", "true"),
  /** Whether series that a tree with strict match refuses are recorded if the tree asks for it. */
  STORE_NOT_MATCHED("hourstone.tree.store_not_matched", "false", "true"),
  /** How many points are written in one call of the store. */
  WRITE_BATCH("hourstone.write.batch_points", "4096"),
  /** How often a batch is offered to a store that keeps failing to apply it. */
  WRITE_ATTEMPTS("hourstone.write.attempts", "12");

  private static final Map<String, ConfigKey> BY_NAME =
      Arrays.stream(values()).collect(Collectors.toMap(key -> key.key, key -> key));

  private final String key;
  private final String openTsdbDefault;
  private final String defaultValue;

  ConfigKey(String key, String both) {
    this(key, both, both);
  }

  ConfigKey(String key, String openTsdbDefault, String defaultValue) {
    this.key = key;
    this.openTsdbDefault = openTsdbDefault;
    this.defaultValue = defaultValue;
  }

  /** The setting's name, such as {@code tsd.storage.salt.width}. */
  public String key() {
    return key;
  }

  /** The value it has in OpenTSDB unless set. */
  public String openTsdbDefault() {
    return openTsdbDefault;
  }

  /** The value it has here unless set. */
  public String defaultValue() {
    return defaultValue;
  }

  /** The setting of this name. */
  public static Optional<ConfigKey> find(String key) {
    return Optional.ofNullable(BY_NAME.get(key));
  }
}
