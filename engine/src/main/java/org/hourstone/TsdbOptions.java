package org.hourstone;

import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Schema;
import org.hourstone.error.RequestException;
import org.hourstone.index.IndexOptions;
import org.hourstone.index.LookupDialect;
import org.hourstone.index.SeriesIndex;
import org.hourstone.internal.Backoff;
import org.hourstone.internal.HeapRoom;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.Trait;
import org.hourstone.query.QueryDialect;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupPlan;
import org.hourstone.uid.NameRules;
import org.hourstone.write.ImportOptions;
import org.hourstone.write.LineDialect;
import org.jspecify.annotations.Nullable;

/** The values of all {@link Settings}, and the clock. Immutable. */
public final class TsdbOptions {
  /** Its name can't be set: a wrong setting would hide the record. */
  static final Family RECORD_FAMILY = new Family("tsdb-store", "s");

  /** A setting's text, and what its own parser returned for it. */
  private record Value(String text, Object parsed) {}

  private final Map<Setting<?>, Value> values;

  private final InstantSource clock;

  private TsdbOptions(Map<Setting<?>, Value> values, InstantSource clock) {
    this.values = values;
    this.clock = clock;
  }

  /** Hourstone's defaults: OpenTSDB's, except for those that would surprise a new user. */
  public static TsdbOptions defaults() {
    return of(Setting::defaultValue);
  }

  /** Strict mode: every default of OpenTSDB 2.4, its quirks included. */
  public static TsdbOptions openTsdbDefaults() {
    return of(Setting::openTsdbDefault);
  }

  private static TsdbOptions of(Function<Setting<?>, String> text) {
    Map<Setting<?>, Value> values = new HashMap<>();
    for (Setting<?> setting : Settings.all()) {
      values.put(setting, value(setting, text.apply(setting)));
    }
    return new TsdbOptions(values, Clock.systemUTC());
  }

  /**
   * These options with one changed.
   *
   * @param value as in a file of settings, such as {@code true}, {@code 30} or {@code auto}
   * @throws IllegalArgumentException if the setting can't have the value; the message has both
   */
  public TsdbOptions with(Setting<?> setting, String value) {
    Map<Setting<?>, Value> more = new HashMap<>(values);
    more.put(setting, value(setting, value));
    return new TsdbOptions(more, clock);
  }

  private static Value value(Setting<?> setting, String text) {
    return new Value(text, setting.parse(text));
  }

  /** These options with another clock, used by stores and for relative times. */
  public TsdbOptions withClock(InstantSource other) {
    return new TsdbOptions(values, other);
  }

  public InstantSource clock() {
    return clock;
  }

  /** The value of a setting. */
  @SuppressWarnings("unchecked") // each value is from the parser of its setting
  public <T> T get(Setting<T> setting) {
    return (T) Objects.requireNonNull(values.get(setting)).parsed();
  }

  /** The value of a setting as it was given, or its default. */
  public String text(Setting<?> setting) {
    return Objects.requireNonNull(values.get(setting)).text();
  }

  /** The time zone of dates in requests: {@code tsd.core.timezone}, or the system's. */
  public ZoneId timeZone() {
    return get(QuerySettings.TIMEZONE).orElseGet(ZoneId::systemDefault);
  }

  /**
   * The widths of the stored format.
   *
   * @throws IllegalArgumentException if the salt can't number its buckets
   */
  public Schema schema() {
    Schema schema =
        new Schema(
            get(Settings.UID_WIDTH_METRIC),
            get(Settings.UID_WIDTH_TAGK),
            get(Settings.UID_WIDTH_TAGV),
            get(Settings.SALT_WIDTH),
            get(Settings.SALT_BUCKETS),
            get(Settings.MAX_TAGS));
    if (schema.truncatesSalt() && !isStrict(StrictSubject.SALT)) {
      throw new IllegalArgumentException(
          Settings.SALT_BUCKETS.key()
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
        get(Settings.DATA_TABLE),
        get(Settings.UID_TABLE),
        get(Settings.META_TABLE),
        get(Settings.TREE_TABLE));
  }

  /** The family of the series index. */
  public Family indexFamily() {
    return new Family(get(Settings.INDEX_TABLE), "i");
  }

  /** The family in which a store records its settings. Its name can't be set. */
  public Family recordFamily() {
    return RECORD_FAMILY;
  }

  /** The family of the head's journal. */
  public Family journalFamily() {
    return new Family(get(Settings.JOURNAL_TABLE), "j");
  }

  /**
   * The series index of a store; writers without a {@link Tsdb} must write through it.
   *
   * @param mode whether its table is created if it is missing
   */
  public SeriesIndex seriesIndex(KeyValueStore store, SchemaMode mode) {
    RollupConfig rollups = storedRollups();
    List<Family> rows =
        new ArrayList<>(tables().pointsAndRollups(rollups == null ? List.of() : rollups.tables()));
    if (mode == SchemaMode.VERIFY) {
      // Without the tables of intervals to which nothing was rolled up yet.
      List<Family> present = store.families();
      rows.removeIf(family -> !present.contains(family) && !family.equals(tables().points()));
    }
    long indexMemory = get(Settings.INDEX_MEMORY).orElse(HeapRoom.bytes() / 8);
    return new SeriesIndex(
        store,
        indexFamily(),
        rows,
        tables().uidIds(),
        tables().uidNames(),
        new RowKey(schema()),
        new IndexOptions(
            keepsIndex(store, mode),
            indexMemory,
            get(Settings.MAX_SERIES) == 0 ? Long.MAX_VALUE : get(Settings.MAX_SERIES),
            get(Settings.MAX_SERIES_PER_METRIC)),
        clock,
        Backoff.exponential());
  }

  private boolean keepsIndex(KeyValueStore store, SchemaMode mode) {
    return get(Settings.INDEX_ENABLE)
        .orElseGet(
            () ->
                !store.traits().contains(Trait.SHARED)
                    && (mode == SchemaMode.CREATE || store.families().contains(indexFamily())));
  }

  /** The rules for names that don't belong to a point. */
  public NameRules nameRules() {
    return new NameRules(
        get(Settings.ALLOW_SPECIALCHARS), get(Settings.ALLOW_NON_LATIN1), get(Settings.MAX_TAGS));
  }

  /** The import options by the settings. */
  public ImportOptions importOptions(boolean skipErrors) {
    // Where names may contain a #, a point may begin with one.
    boolean comments =
        lineDialect().allowsComments() && get(Settings.ALLOW_SPECIALCHARS).indexOf('#') < 0;
    return new ImportOptions(skipErrors, get(Settings.OUT_OF_ORDER_IMPORT), comments);
  }

  /** The intervals values are rolled up to; null if rollups are off. */
  public @Nullable RollupConfig rollupConfig() {
    return get(Settings.ROLLUPS_ENABLE) ? named(Settings.ROLLUPS_CONFIG, RollupConfig::of) : null;
  }

  /** The intervals that the database rolls up to itself; null if there are none. */
  @Nullable RollupPlan rollupPlan() {
    String text = get(RollupSettings.AUTO).strip();
    return text.isEmpty() ? null : named(RollupSettings.AUTO, unused -> rollupPlan(text));
  }

  private RollupPlan rollupPlan(String text) {
    List<String> names = Stream.of(text.split(",", -1)).map(String::strip).distinct().toList();
    boolean configured = get(Settings.ROLLUPS_ENABLE) || !get(Settings.ROLLUPS_CONFIG).isEmpty();
    return RollupPlan.of(
        configured
            ? named(Settings.ROLLUPS_CONFIG, RollupConfig::of)
            : RollupPlan.configuration(names, get(Settings.DATA_TABLE)),
        names);
  }

  /** The rolled-up values that are stored, by programs or by the database; null if none are. */
  public @Nullable RollupConfig storedRollups() {
    RollupPlan plan = rollupPlan();
    return plan == null ? rollupConfig() : plan.config();
  }

  /**
   * A store that marks rows of points which are rolled up before they change; writers without a
   * {@link Tsdb} must write through it.
   *
   * @param guarded by the {@linkplain #seriesIndex series index}
   */
  public KeyValueStore marking(KeyValueStore guarded) {
    return EngineRollups.marking(guarded, guarded, this);
  }

  /** The families that the settings name, and those of rolled-up values. */
  public List<FamilySpec> families() {
    RollupConfig rollups = storedRollups();
    return tables().withRollups(rollups == null ? List.of() : rollups.tables());
  }

  /** The family of the state of rollups. */
  public Family rollupStateFamily() {
    return new Family(get(RollupSettings.TABLE), "r");
  }

  /** As parsed from the text of a setting; errors name the setting. */
  <T> T named(Setting<String> setting, Function<String, T> parser) {
    try {
      return parser.apply(get(setting));
    } catch (IllegalArgumentException | RequestException e) {
      throw new IllegalArgumentException(setting.key() + ": " + e.getMessage(), e);
    }
  }

  /** How queries in requests are read. */
  public QueryDialect queryDialect() {
    return dialect(StrictSubject.REQUESTS, QueryDialect.HOURSTONE, QueryDialect.OPENTSDB);
  }

  /** How lines with points are read. */
  public LineDialect lineDialect() {
    return dialect(StrictSubject.POINTS, LineDialect.HOURSTONE, LineDialect.OPENTSDB);
  }

  /** How lookups of series are answered. */
  public LookupDialect lookupDialect() {
    return dialect(StrictSubject.LOOKUPS, LookupDialect.HOURSTONE, LookupDialect.OPENTSDB);
  }

  /** Whether Hourstone behaves as OpenTSDB in a subject. */
  public boolean isStrict(StrictSubject subject) {
    return get(Settings.STRICT).contains(subject);
  }

  /** The dialect of a subject. */
  public <D> D dialect(StrictSubject subject, D ours, D openTsdb) {
    return isStrict(subject) ? openTsdb : ours;
  }

  DuplicatePolicy duplicatePolicy() {
    if (get(Settings.USE_OTSDB_TIMESTAMP)) {
      return get(QuerySettings.USE_MAX_VALUE)
          ? DuplicatePolicy.LARGEST_WINS
          : DuplicatePolicy.SMALLEST_WINS;
    }
    return get(QuerySettings.FIX_DUPLICATES) ? DuplicatePolicy.NEWEST_WINS : DuplicatePolicy.FAIL;
  }
}
