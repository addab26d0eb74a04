package org.hourstone;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.index.IndexOptions;
import org.hourstone.index.SeriesIndex;
import org.hourstone.internal.Backoff;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.Trait;
import org.hourstone.meta.TrackingMode;
import org.hourstone.query.FilterOptions;
import org.hourstone.query.QueryLimits;
import org.hourstone.query.QueryOptions;
import org.hourstone.query.RollupReading;
import org.hourstone.rewrite.CompactionOptions;
import org.hourstone.rewrite.CompactionOptions.Appends;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupOptions;
import org.hourstone.series.NumberOptions;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.UidOptions;
import org.hourstone.write.CellForm;
import org.hourstone.write.ImportOptions;
import org.hourstone.write.TextOptions;
import org.hourstone.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/** Settings, by {@link ConfigKey}, and the clock. Immutable. */
public final class TsdbOptions {
  private static final long FLUSH_INTERVAL_MILLIS = 60_000;

  /** Upper bounds for "auto", and the approximate memory of an element in bytes. */
  private static final int MOST_SERIES_CACHED = 200_000;

  private static final int SERIES_BYTES = 800;
  private static final int MOST_POINTS_QUEUED = 32_768;
  private static final int QUEUED_BYTES = 160;
  private static final int MOST_ROWS_TO_COMPACT = 1_000_000;
  private static final int ROW_TO_COMPACT_BYTES = 150;

  private static final Duration NAMES_NOTICED_AFTER = Duration.ofMinutes(1);

  private final Map<ConfigKey, String> values;
  private final InstantSource clock;

  private TsdbOptions(Map<ConfigKey, String> values, InstantSource clock) {
    this.values = values;
    this.clock = clock;
  }

  /** Hourstone's defaults: OpenTSDB's, but for those a new user would stumble over. */
  public static TsdbOptions defaults() {
    Map<ConfigKey, String> values = new EnumMap<>(ConfigKey.class);
    for (ConfigKey key : ConfigKey.values()) {
      values.put(key, key.defaultValue());
    }
    return new TsdbOptions(values, Clock.systemUTC());
  }

  /** Strict mode: every default as OpenTSDB 2.4 has it, its quirks included. */
  public static TsdbOptions openTsdbDefaults() {
    Map<ConfigKey, String> values = new EnumMap<>(ConfigKey.class);
    for (ConfigKey key : ConfigKey.values()) {
      values.put(key, key.openTsdbDefault());
    }
    return new TsdbOptions(values, Clock.systemUTC());
  }

  /** These options with one changed. The value is checked when it is used. */
  public TsdbOptions with(ConfigKey key, String value) {
    Map<ConfigKey, String> more = new EnumMap<>(values);
    more.put(key, value);
    return new TsdbOptions(more, clock);
  }

  /** These options with another clock, used by stores and for relative times. */
  public TsdbOptions withClock(InstantSource other) {
    return new TsdbOptions(values, other);
  }

  public InstantSource clock() {
    return clock;
  }

  /** The setting's value as text. */
  public String text(ConfigKey key) {
    String value = values.get(key);
    return value == null ? key.defaultValue() : value;
  }

  /** The setting's value as a switch: 1, true and yes are on, all else is off. */
  public boolean flag(ConfigKey key) {
    return switch (text(key).toLowerCase(Locale.ROOT)) {
      case "1", "true", "yes" -> true;
      default -> false;
    };
  }

  /**
   * The setting's value as a number.
   *
   * @throws IllegalArgumentException if it is not a number, naming the setting
   */
  public int number(ConfigKey key) {
    try {
      return Integer.parseInt(text(key).strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key.key() + "=" + text(key) + ": not a number", e);
    }
  }

  /**
   * As {@link #number}, but of bytes, steps and the like, or another number for "auto".
   *
   * @throws IllegalArgumentException if it is neither, naming the setting
   */
  private long amount(ConfigKey key, long automatic) {
    String text = text(key).strip();
    try {
      return text.equals("auto") ? automatic : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(key.key() + "=" + text + ": not a number", e);
    }
  }

  /**
   * The time zone of dates in requests: {@code tsd.core.timezone}, or the system's.
   *
   * @throws IllegalArgumentException if the zone is unknown
   */
  public ZoneId timeZone() {
    String zone = text(ConfigKey.TIMEZONE);
    try {
      return zone.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          ConfigKey.TIMEZONE.key() + "=" + zone + ": no such time zone", e);
    }
  }

  /**
   * @throws IllegalArgumentException if a width is out of range, or the salt can't hold its buckets
   */
  public Schema schema() {
    Schema schema =
        new Schema(
            number(ConfigKey.UID_WIDTH_METRIC),
            number(ConfigKey.UID_WIDTH_TAGK),
            number(ConfigKey.UID_WIDTH_TAGV),
            number(ConfigKey.SALT_WIDTH),
            number(ConfigKey.SALT_BUCKETS),
            number(ConfigKey.MAX_TAGS));
    if (schema.truncatesSalt() && !flag(ConfigKey.ALLOW_TRUNCATED_SALT)) {
      throw new IllegalArgumentException(
          ConfigKey.SALT_BUCKETS.key()
              + "="
              + schema.saltBuckets()
              + ": a salt of "
              + schema.saltWidth()
              + " bytes can't number that many buckets");
    }
    return schema;
  }

  public Tables tables() {
    return new Tables(
        text(ConfigKey.DATA_TABLE),
        text(ConfigKey.UID_TABLE),
        text(ConfigKey.META_TABLE),
        text(ConfigKey.TREE_TABLE));
  }

  /** The family of the series index. */
  public Family indexFamily() {
    return new Family(text(ConfigKey.INDEX_TABLE), "i");
  }

  /**
   * The series index of a store; writers without a {@link Tsdb} must write through it.
   *
   * @param mode whether its table is created if it is missing
   */
  public SeriesIndex seriesIndex(KeyValueStore store, SchemaMode mode) {
    RollupConfig rollups = rollupConfig();
    return new SeriesIndex(
        store,
        indexFamily(),
        tables().pointsAndRollups(rollups == null ? List.of() : rollups.tables()),
        new RowKey(schema()),
        new IndexOptions(keepsIndex(store, mode), indexMemory()),
        clock,
        Backoff.exponential());
  }

  private boolean keepsIndex(KeyValueStore store, SchemaMode mode) {
    if (!text(ConfigKey.INDEX_ENABLE).equals("auto")) {
      return flag(ConfigKey.INDEX_ENABLE);
    }
    return !store.traits().contains(Trait.SHARED)
        && (mode == SchemaMode.CREATE || store.families().contains(indexFamily()));
  }

  private long indexMemory() {
    String text = text(ConfigKey.INDEX_MEMORY);
    if (text.equals("auto")) {
      return Math.max(1, Runtime.getRuntime().maxMemory() / 8);
    }
    try {
      long bytes = Long.parseLong(text.strip());
      if (bytes > 0) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // reported below, like a number that is too small
    }
    throw new IllegalArgumentException(
        ConfigKey.INDEX_MEMORY.key() + "=" + text + ": must be auto or at least 1 byte");
  }

  /**
   * @param shared whether other processes use the store, too
   */
  UidOptions uidOptions(boolean shared) {
    return new UidOptions(
        flag(ConfigKey.AUTO_CREATE_METRICS),
        flag(ConfigKey.AUTO_CREATE_TAGKS),
        flag(ConfigKey.AUTO_CREATE_TAGVS),
        flag(ConfigKey.RANDOM_METRICS),
        flag(ConfigKey.EXHAUSTION_MOVES_COUNTER),
        flag(ConfigKey.SUGGEST_ONLY_ASCII),
        uidCacheSize(),
        namesNoticedAfter(shared));
  }

  private int uidCacheSize() {
    if (text(ConfigKey.UID_CACHE).equals("auto")) {
      return 0;
    }
    int names = number(ConfigKey.UID_CACHE);
    if (names < 1) {
      throw new IllegalArgumentException(
          ConfigKey.UID_CACHE.key() + "=" + names + ": must be at least 1 name, or auto");
    }
    return names;
  }

  private Duration namesNoticedAfter(boolean shared) {
    if (text(ConfigKey.UID_CACHE_SECONDS).equals("auto")) {
      return shared ? NAMES_NOTICED_AFTER : Duration.ZERO;
    }
    int seconds = number(ConfigKey.UID_CACHE_SECONDS);
    if (seconds < 0) {
      throw new IllegalArgumentException(
          ConfigKey.UID_CACHE_SECONDS.key()
              + "="
              + seconds
              + ": must be 0 or more seconds, or auto");
    }
    return Duration.ofSeconds(seconds);
  }

  TrackingMode trackingMode() {
    return TrackingMode.of(
        flag(ConfigKey.META_TRACKING),
        flag(ConfigKey.META_REALTIME_TS),
        flag(ConfigKey.META_INCREMENTING));
  }

  /** The rules for names; for names that don't belong to a point. */
  public NameRules nameRules() {
    return new NameRules(
        text(ConfigKey.ALLOW_SPECIALCHARS),
        flag(ConfigKey.ALLOW_NON_LATIN1),
        number(ConfigKey.MAX_TAGS));
  }

  /**
   * @param shared whether other processes write to the store, too
   */
  WriteOptions writeOptions(boolean shared) {
    int threads = number(ConfigKey.WRITE_THREADS);
    long share = heap() / Math.max(1, threads);
    return new WriteOptions(
        threads,
        elements(ConfigKey.WRITE_QUEUE, MOST_POINTS_QUEUED, share / 64, QUEUED_BYTES),
        number(ConfigKey.WRITE_BATCH),
        number(ConfigKey.WRITE_ATTEMPTS),
        cellForm(shared),
        flushMillis(shared),
        number(ConfigKey.HELD_POINTS),
        amount(ConfigKey.HELD_BYTES, heap() / 8) / Math.max(1, threads),
        maxCellBytes(),
        flag(ConfigKey.FIX_DUPLICATES) && !flag(ConfigKey.USE_OTSDB_TIMESTAMP),
        flag(ConfigKey.USE_OTSDB_TIMESTAMP),
        flag(ConfigKey.BATCH_METADATA_BYTE),
        elements(ConfigKey.SERIES_CACHE, MOST_SERIES_CACHED, heap() / 16, SERIES_BYTES),
        closeMillis());
  }

  /** How long closing waits for queued points. */
  long closeMillis() {
    return number(ConfigKey.WRITE_CLOSE) * 1000L;
  }

  /** How many rows wait to be compacted at most. */
  int compactionQueue() {
    return elements(
        ConfigKey.COMPACTION_QUEUE, MOST_ROWS_TO_COMPACT, heap() / 16, ROW_TO_COMPACT_BYTES);
  }

  /** The setting's value: a number, or for "auto" as many as fit into the given bytes. */
  private int elements(ConfigKey key, int most, long bytes, int bytesEach) {
    return text(key).strip().equals("auto")
        ? (int) Math.max(1, Math.min(most, bytes / bytesEach))
        : number(key);
  }

  private static long heap() {
    return Runtime.getRuntime().maxMemory();
  }

  private CellForm cellForm(boolean shared) {
    if (flag(ConfigKey.ENABLE_APPENDS)) {
      return CellForm.APPENDED;
    }
    // A packed point does not replace an older cell of its timestamp: readers must choose.
    boolean permitted = flag(ConfigKey.FIX_DUPLICATES) && !flag(ConfigKey.USE_OTSDB_TIMESTAMP);
    boolean wanted =
        text(ConfigKey.WRITE_PACKS).equals("auto")
            ? flushMillis(shared) > 0 || !shared
            : flag(ConfigKey.WRITE_PACKS);
    return permitted && wanted ? CellForm.PACKED : CellForm.SINGLE;
  }

  private long flushMillis(boolean shared) {
    if (text(ConfigKey.FLUSH_INTERVAL).equals("auto")) {
      return shared ? 0 : FLUSH_INTERVAL_MILLIS;
    }
    int seconds = number(ConfigKey.FLUSH_INTERVAL);
    if (seconds < 0) {
      throw new IllegalArgumentException(
          ConfigKey.FLUSH_INTERVAL.key() + "=" + seconds + ": must be 0 or more seconds, or auto");
    }
    return seconds * 1000L;
  }

  private int maxCellBytes() {
    int bytes = number(ConfigKey.MAX_CELL_BYTES);
    return bytes == 0 ? Integer.MAX_VALUE : bytes;
  }

  /**
   * @param shared whether other processes write to the store, too
   */
  CompactionOptions compactionOptions(boolean shared) {
    Appends appends = flag(ConfigKey.REPAIR_APPENDS) ? Appends.REPAIRED : Appends.LEFT;
    return new CompactionOptions(
        duplicatePolicy(),
        flag(ConfigKey.CELLS_AS_THEY_STAND),
        flag(ConfigKey.COMPACT_APPENDS) && !shared ? Appends.MERGED : appends,
        maxCellBytes(),
        flag(ConfigKey.USE_OTSDB_TIMESTAMP),
        number(ConfigKey.COMPACTION_QUIET));
  }

  /** The import options by the settings. */
  public ImportOptions importOptions(boolean skipErrors) {
    return new ImportOptions(skipErrors, flag(ConfigKey.OUT_OF_ORDER_IMPORT));
  }

  TextOptions textOptions() {
    return new TextOptions(
        flag(ConfigKey.EXACT_IMPORT),
        flag(ConfigKey.ANY_TELNET_DOTS),
        flag(ConfigKey.WRAP_BASE_TIME));
  }

  HistogramCodecs histogramCodecs() {
    return named(ConfigKey.HISTOGRAMS_CONFIG, HistogramCodecs::of);
  }

  /** The intervals values are rolled up to; null if rollups are off. */
  public @Nullable RollupConfig rollupConfig() {
    return flag(ConfigKey.ROLLUPS_ENABLE)
        ? named(ConfigKey.ROLLUPS_CONFIG, RollupConfig::of)
        : null;
  }

  /** The value of a setting's text; errors name the setting. */
  private <T> T named(ConfigKey key, Function<String, T> parser) {
    try {
      return parser.apply(text(key));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(key.key() + ": " + e.getMessage(), e);
    }
  }

  RollupOptions rollupOptions() {
    return new RollupOptions(
        text(ConfigKey.ROLLUPS_AGG_TAG_KEY),
        text(ConfigKey.ROLLUPS_RAW_AGG_TAG_VALUE),
        flag(ConfigKey.ROLLUPS_TAG_RAW),
        flag(ConfigKey.ROLLUPS_BLOCK_DERIVED),
        flag(ConfigKey.WRITE_DEFAULT_INTERVAL));
  }

  RollupReading rollupReading(RollupConfig config) {
    return new RollupReading(
        config,
        text(ConfigKey.ROLLUPS_AGG_TAG_KEY),
        flag(ConfigKey.ROLLUPS_SPLIT),
        flag(ConfigKey.OPENTSDB_ROLLUP_QUERIES));
  }

  DuplicatePolicy duplicatePolicy() {
    if (flag(ConfigKey.USE_OTSDB_TIMESTAMP)) {
      return flag(ConfigKey.USE_MAX_VALUE)
          ? DuplicatePolicy.LARGEST_WINS
          : DuplicatePolicy.SMALLEST_WINS;
    }
    return flag(ConfigKey.FIX_DUPLICATES) ? DuplicatePolicy.NEWEST_WINS : DuplicatePolicy.FAIL;
  }

  QueryOptions queryOptions() {
    return new QueryOptions(
        duplicatePolicy(),
        flag(ConfigKey.CELLS_AS_THEY_STAND),
        new FilterOptions(
            flag(ConfigKey.OPENTSDB_FILTERS),
            flag(ConfigKey.SKIP_UNRESOLVED_TAGVS),
            amount(ConfigKey.FILTER_EXPANSION, 0)),
        flag(ConfigKey.SERIES_BY_SALT),
        new NumberOptions(
            flag(ConfigKey.EARLY_DOUBLES),
            flag(ConfigKey.HELD_FIRST_RATE),
            flag(ConfigKey.POSITIVE_MIMMAX)),
        skipsDamage(),
        queryLimits(),
        (int) amount(ConfigKey.QUERY_THREADS, Runtime.getRuntime().availableProcessors()),
        amount(ConfigKey.QUERY_SLOW, 0));
  }

  private QueryLimits queryLimits() {
    long heap = Runtime.getRuntime().maxMemory();
    return new QueryLimits(
        amount(ConfigKey.QUERY_MAX_POINTS, 0),
        amount(ConfigKey.QUERY_MAX_BYTES, 0),
        amount(ConfigKey.QUERY_MAX_SERIES, 0),
        amount(ConfigKey.QUERY_TIMEOUT, 0),
        amount(ConfigKey.QUERY_HELD_BYTES, heap / 4),
        amount(ConfigKey.QUERY_TOTAL_HELD_BYTES, heap / 2),
        amount(ConfigKey.QUERY_REGEX_STEPS, 0));
  }

  private boolean skipsDamage() {
    return switch (text(ConfigKey.DAMAGED_ROWS)) {
      case "fail" -> false;
      case "skip" -> true;
      default ->
          throw new IllegalArgumentException(
              ConfigKey.DAMAGED_ROWS.key()
                  + "="
                  + text(ConfigKey.DAMAGED_ROWS)
                  + ": must be fail or skip");
    };
  }
}
