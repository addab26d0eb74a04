package org.hourstone;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hourstone.annotation.AnnotationRanges;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.head.CellForm;
import org.hourstone.head.CellOptions;
import org.hourstone.head.HeadOptions;
import org.hourstone.head.WriterOptions;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.internal.HeapRoom;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Trait;
import org.hourstone.meta.TrackingMode;
import org.hourstone.query.FilterDialect;
import org.hourstone.query.FilterOptions;
import org.hourstone.query.QueryLimitException.Limit;
import org.hourstone.query.QueryLimits;
import org.hourstone.query.QueryOptions;
import org.hourstone.query.RollupDialect;
import org.hourstone.query.plan.RollupReading;
import org.hourstone.rewrite.CompactionOptions;
import org.hourstone.rewrite.CompactionOptions.Appends;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupOptions;
import org.hourstone.rollup.RollupPlan;
import org.hourstone.series.Aggregator;
import org.hourstone.series.NumberQuirk;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidOptions;
import org.hourstone.write.TextOptions;
import org.hourstone.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/**
 * The options of the engine's parts: the settings, where {@code auto} is replaced by what suits the
 * store and the heap.
 */
final class EngineOptions {
  private static final Duration FLUSH_INTERVAL = Duration.ofMinutes(1);
  private static final Duration WRITER_INTERVAL = Duration.ofSeconds(30);
  private static final Duration NAMES_NOTICED_AFTER = Duration.ofMinutes(1);

  /** Upper bounds for "auto", and the approximate memory of an element in bytes. */
  private static final int MOST_NAMED_SERIES = 200_000;

  private static final long LARGE_HEAP = 512 << 20;
  private static final int NAMED_SERIES_BYTES = 800;
  private static final int SERIES_BYTES = 256;
  private static final int REMEMBERED_ROW_BYTES = 400;
  private static final int MOST_POINTS_QUEUED = 32_768;
  private static final int QUEUED_BYTES = 160;
  private static final int MOST_ROWS_TO_COMPACT = 1_000_000;
  private static final int ROW_TO_COMPACT_BYTES = 150;

  private final TsdbOptions settings;
  private final boolean shared;
  private final boolean monotonic;
  private final long heap = HeapRoom.bytes();

  EngineOptions(TsdbOptions settings, Set<Trait> store) {
    this.settings = settings;
    this.shared = store.contains(Trait.SHARED);
    this.monotonic = store.contains(Trait.MONOTONIC_WRITE_TIMES);
  }

  private <T> T get(Setting<T> setting) {
    return settings.get(setting);
  }

  private boolean isStrict(StrictSubject subject) {
    return settings.isStrict(subject);
  }

  UidOptions uids() {
    Map<UidKind, Setting<Boolean>> autoCreate =
        Map.of(
            UidKind.METRIC, Settings.AUTO_CREATE_METRICS,
            UidKind.TAGK, Settings.AUTO_CREATE_TAGKS,
            UidKind.TAGV, Settings.AUTO_CREATE_TAGVS);
    Set<UidOptions.Rule> rules = EnumSet.noneOf(UidOptions.Rule.class);
    if (get(Settings.RANDOM_METRICS)) {
      rules.add(UidOptions.Rule.RANDOM_METRICS);
    }
    if (isStrict(StrictSubject.UIDS)) {
      rules.add(UidOptions.Rule.EXHAUSTION_MOVES_COUNTER);
      rules.add(UidOptions.Rule.SUGGEST_ONLY_ASCII);
    }
    return new UidOptions(
        enabled(autoCreate),
        rules,
        get(MemorySettings.UID_CACHE).orElse(0),
        get(MemorySettings.UID_CACHE_SECONDS).orElse(shared ? NAMES_NOTICED_AFTER : Duration.ZERO));
  }

  /** Those whose setting is true. */
  private <K> Set<K> enabled(Map<K, Setting<Boolean>> settings) {
    return settings.entrySet().stream()
        .filter(entry -> get(entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  TrackingMode tracking() {
    return TrackingMode.of(
        get(Settings.META_TRACKING),
        get(Settings.META_REALTIME_TS),
        get(Settings.META_INCREMENTING));
  }

  WriteOptions writing() {
    int threads = get(MemorySettings.WRITE_THREADS);
    return new WriteOptions(
        new WriteOptions.Batching(
            threads,
            elements(
                MemorySettings.WRITE_QUEUE, MOST_POINTS_QUEUED, heap / threads / 64, QUEUED_BYTES),
            get(MemorySettings.WRITE_BATCH)),
        cached(),
        get(MemorySettings.WRITE_CLOSE));
  }

  /** Where append cells may be merged into others, and the newest of repeated points is read. */
  private boolean ordersAppends() {
    return compaction().appends() == Appends.MERGED
        && monotonic
        && settings.duplicatePolicy() == DuplicatePolicy.NEWEST_WINS;
  }

  /** Large heaps are for many series, and for open rows of them. */
  private long heapOfSeries() {
    return heap / 8 + Math.max(0, heap - LARGE_HEAP) / 8;
  }

  private int remembered() {
    return elements(
        MemorySettings.SERIES_CACHE, MOST_NAMED_SERIES, heap / 32, REMEMBERED_ROW_BYTES);
  }

  private WriteOptions.Cached cached() {
    return new WriteOptions.Cached(
        elements(MemorySettings.SERIES_CACHE, Integer.MAX_VALUE, heapOfSeries(), SERIES_BYTES),
        elements(MemorySettings.SERIES_CACHE, MOST_NAMED_SERIES, heap / 32, NAMED_SERIES_BYTES));
  }

  HeadOptions head() {
    int threads = get(MemorySettings.WRITE_THREADS);
    return new HeadOptions(
        get(MemorySettings.HEAD_BYTES).orElse(heapOfSeries()),
        get(MemorySettings.HEAD_JOURNAL_BYTES),
        new HeadOptions.Buffering(
            flushInterval(),
            get(MemorySettings.BUFFERED_POINTS),
            Math.max(1, get(MemorySettings.BUFFERED_BYTES).orElse(heap / 8) / threads)),
        new HeadOptions.Sealing(
            get(MemorySettings.WRITE_BATCH), get(MemorySettings.WRITE_ATTEMPTS), remembered()),
        new CellOptions(
            cellForm(),
            settings.duplicatePolicy(),
            Math.min(maxCellBytes(), Limits.QUALIFIER),
            ordersAppends()));
  }

  private CellForm cellForm() {
    if (get(Settings.ENABLE_APPENDS)) {
      return CellForm.APPENDED;
    }
    // A packed point does not replace an older cell of its timestamp: readers must choose.
    boolean permitted = settings.duplicatePolicy() == DuplicatePolicy.NEWEST_WINS;
    boolean wanted = get(Settings.WRITE_PACKS).orElse(!flushInterval().isZero() || !shared);
    return permitted && wanted ? CellForm.PACKED : CellForm.SINGLE;
  }

  /** The writer that has a journal; empty unless other processes use the store. */
  Optional<WriterOptions> writer() {
    String name = get(Settings.HEAD_WRITER);
    boolean wanted = shared && !name.isEmpty() && get(Settings.HEAD).orElse(true);
    return wanted
        ? Optional.of(new WriterOptions(name, get(Settings.HEAD_LEASE)))
        : Optional.empty();
  }

  /** How long points are buffered without a head, or rows are open with a writer's journal. */
  private Duration flushInterval() {
    Duration unlessSet =
        !shared ? FLUSH_INTERVAL : writer().isPresent() ? WRITER_INTERVAL : Duration.ZERO;
    return get(Settings.FLUSH_INTERVAL).orElse(unlessSet);
  }

  private int maxCellBytes() {
    int bytes = get(Settings.MAX_CELL_BYTES);
    return bytes == 0 ? Integer.MAX_VALUE : bytes;
  }

  /** The value of a setting, or for "auto" as many elements as fit into the given bytes. */
  private int elements(Setting<Optional<Integer>> setting, int most, long bytes, int bytesEach) {
    return get(setting).orElse((int) Math.max(1, Math.min(most, bytes / bytesEach)));
  }

  TextOptions text() {
    return new TextOptions(
        get(Settings.EXACT_IMPORT),
        settings.lineDialect(),
        settings.timeZone(),
        isStrict(StrictSubject.POINTS),
        isStrict(StrictSubject.POINTS));
  }

  CompactionOptions compaction() {
    Appends appends = get(Settings.REPAIR_APPENDS) ? Appends.REPAIRED : Appends.LEFT;
    return new CompactionOptions(
        settings.duplicatePolicy(),
        isStrict(StrictSubject.ROWS),
        get(Settings.COMPACT_APPENDS) && !shared ? Appends.MERGED : appends,
        maxCellBytes(),
        get(Settings.COMPACTION_QUIET));
  }

  /** How many rows wait to be compacted at most. */
  int compactionQueue() {
    return elements(
        Settings.COMPACTION_QUEUE, MOST_ROWS_TO_COMPACT, heap / 16, ROW_TO_COMPACT_BYTES);
  }

  HistogramCodecs histogramCodecs() {
    return settings.named(Settings.HISTOGRAMS_CONFIG, HistogramCodecs::of);
  }

  RollupOptions rollupWriting(@Nullable RollupPlan plan) {
    return new RollupOptions(
        get(Settings.ROLLUPS_AGG_TAG_KEY),
        get(Settings.ROLLUPS_TAG_RAW) ? get(Settings.ROLLUPS_RAW_AGG_TAG_VALUE) : null,
        get(Settings.ROLLUPS_BLOCK_DERIVED),
        isStrict(StrictSubject.ROLLUPS),
        isStrict(StrictSubject.ROLLUPS) ? Set.of() : groupBys(),
        plan == null ? Set.of() : plan.names());
  }

  private static Set<String> groupBys() {
    return Aggregator.names().stream()
        .map(name -> name.toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  RollupReading rollupReading(RollupConfig config) {
    return new RollupReading(
        config,
        get(Settings.ROLLUPS_AGG_TAG_KEY),
        get(Settings.ROLLUPS_SPLIT),
        settings.dialect(StrictSubject.ROLLUPS, RollupDialect.HOURSTONE, RollupDialect.OPENTSDB));
  }

  AnnotationRanges annotationRanges() {
    return settings.dialect(
        StrictSubject.ANNOTATIONS, AnnotationRanges.HOURSTONE, AnnotationRanges.OPENTSDB);
  }

  long maxAnnotationBytes() {
    int bytes = get(Settings.MAX_ANNOTATION_BYTES);
    return bytes == 0 ? Long.MAX_VALUE : bytes;
  }

  QueryOptions queries() {
    return new QueryOptions(
        new QueryOptions.Cells(
            settings.duplicatePolicy(), isStrict(StrictSubject.ROWS), skipsCorruption()),
        new FilterOptions(
            settings.dialect(
                StrictSubject.FILTERS, FilterDialect.HOURSTONE, FilterDialect.OPENTSDB),
            get(QuerySettings.SKIP_UNRESOLVED_TAGVS),
            get(QuerySettings.FILTER_EXPANSION)),
        isStrict(StrictSubject.SALT),
        isStrict(StrictSubject.HOURS),
        numberQuirks(),
        queryLimits(),
        new QueryOptions.Work(
            get(QuerySettings.QUERY_THREADS).orElse(Runtime.getRuntime().availableProcessors()),
            get(QuerySettings.QUERY_SLICE_ROWS),
            get(QuerySettings.DECODED_BYTES).orElse(heap / 16),
            get(QuerySettings.QUERY_SLOW).toMillis()));
  }

  private Set<NumberQuirk> numberQuirks() {
    Set<NumberQuirk> quirks = EnumSet.noneOf(NumberQuirk.class);
    if (isStrict(StrictSubject.DOUBLES)) {
      quirks.add(NumberQuirk.EARLY_DOUBLES);
    }
    if (isStrict(StrictSubject.AGGREGATION)) {
      quirks.add(NumberQuirk.HELD_FIRST_RATE);
      quirks.add(NumberQuirk.POSITIVE_MIMMAX);
      quirks.add(NumberQuirk.WRAPPED_INTEGERS);
    }
    return quirks;
  }

  boolean skipsCorruption() {
    return get(QuerySettings.CORRUPT_ROWS).equals("skip");
  }

  private QueryLimits queryLimits() {
    return QueryLimits.NONE
        .with(Limit.POINTS, get(QuerySettings.QUERY_MAX_POINTS))
        .with(Limit.BYTES, get(QuerySettings.QUERY_MAX_BYTES))
        .with(Limit.SERIES, get(QuerySettings.QUERY_MAX_SERIES))
        .with(Limit.TIME, get(QuerySettings.QUERY_TIMEOUT).toMillis())
        .with(Limit.MEMORY, get(QuerySettings.QUERY_MEMORY_BYTES).orElse(heap / 4))
        .with(Limit.REGEX, get(QuerySettings.QUERY_REGEX_STEPS))
        .with(Limit.QUERIES, get(QuerySettings.QUERY_MAX_QUERIES))
        .with(Limit.VALUES, get(QuerySettings.EXPRESSION_MAX_VALUES))
        .withTotalMemoryBytes(get(QuerySettings.QUERY_TOTAL_MEMORY_BYTES).orElse(heap / 4));
  }
}
