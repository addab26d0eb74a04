package org.hourstone.retention;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.hourstone.rollup.RowSpan;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * Decides which rows have expired. A row expires as a whole, when the end of its hour, or of its
 * span in a table of rolled-up values, is as old as the rule of its series says. A row of a metric,
 * tag name or tag value that has no name is kept, as is a key that is not a series' row.
 * Thread-safe.
 */
final class Expiry {
  /** How many metrics, and how many series of rules with tags, are remembered. */
  private static final int REMEMBERED = 50_000;

  /**
   * A point that was admitted before its row expired may not be stored yet, nor its row be marked.
   */
  private static final long UNDER_WAY_SECONDS = 60;

  /** A name may be given to another UID. */
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /**
   * A table of values.
   *
   * @param values what rules call them
   * @param replaces what rules call the values that queries don't read where these should be: these
   *     are kept for as long
   * @param span of a row
   */
  record Table(Family family, String values, List<String> replaces, RowSpan span) {
    /** Rows of points. */
    static Table ofPoints(Family family) {
      return new Table(family, RetentionRule.RAW, List.of(), RowSpan.OF_POINTS);
    }
  }

  private final RetentionRules rules;

  /** In the order in which rows are deleted. */
  private final Map<Family, Table> tables = new LinkedHashMap<>();

  /** By any rule, so that most rows are known not to have expired by their time alone. */
  private final Map<Table, Long> least = new HashMap<>();

  private final RowKey keys;
  private final UidTable uids;
  private final InstantSource clock;
  private volatile Known known;

  /**
   * The rules of series by their names.
   *
   * @param changes how often names had changed
   * @param until when other processes may have changed names
   */
  private record Known(
      long changes,
      long until,
      Cache<Bytes, List<RetentionRule>> ofMetric,
      Cache<Bytes, Optional<RetentionRule>> ofSeries) {
    static Known of(UidTable uids) {
      return new Known(uids.changes(), uids.keptUntil(), cache(), cache());
    }

    private static <T> Cache<Bytes, T> cache() {
      return CacheBuilder.newBuilder().maximumSize(REMEMBERED).expireAfterWrite(LONGEST).build();
    }
  }

  Expiry(
      RetentionRules rules, List<Table> tables, RowKey keys, UidTable uids, InstantSource clock) {
    this.rules = rules;
    this.keys = keys;
    this.uids = uids;
    this.clock = clock;
    this.known = Known.of(uids);
    tables.forEach(
        table -> {
          this.tables.put(table.family(), table);
          least.put(table, least(rules.all(), table));
        });
  }

  /** The rule by which a row has expired; null if it has not. */
  @Nullable RetentionRule expiredBy(Family family, byte[] row) {
    return expiredBy(family, row, 0);
  }

  /** The rule by which a row may be deleted; null if no rule deletes it. */
  @Nullable RetentionRule deletableBy(Family family, byte[] row) {
    return expiredBy(family, row, UNDER_WAY_SECONDS);
  }

  private @Nullable RetentionRule expiredBy(Family family, byte[] row, long since) {
    Table table = tables.get(family);
    if (table == null || !keys.isSeriesRow(row)) {
      return null;
    }
    long age = age(table, keys.baseTime(row)) - since;
    if (age < least.getOrDefault(table, Long.MAX_VALUE)) {
      return null;
    }
    byte[] tsuid = keys.tsuid(row);
    Known now = known(); // once: a rename between two would mix rules of both names
    List<RetentionRule> some = ofMetric(now, keys.metricOfTsuid(tsuid));
    if (age < least(some, table)) {
      return null;
    }
    RetentionRule rule = ofSeries(now, some, tsuid);
    return rule != null && age >= kept(rule, table) ? rule : null;
  }

  /** Whether any row of a table with this base time may have expired. */
  boolean mayHaveExpired(Family family, long baseTime) {
    Table table = tables.get(family);
    return table != null && age(table, baseTime) >= least.getOrDefault(table, Long.MAX_VALUE);
  }

  private long age(Table table, long baseTime) {
    return clock.millis() / 1000 - table.span().next(baseTime);
  }

  /**
   * The base time before which a metric's rows may have expired, in seconds; 0 if none can have.
   *
   * @param metric its UID
   */
  long mayHaveExpiredBefore(Table table, byte[] metric) {
    return before(least(ofMetric(known(), metric), table));
  }

  /** As {@link #mayHaveExpiredBefore(Table, byte[])}, of any metric. */
  long mayHaveExpiredBefore(Table table) {
    return before(least(rules.all(), table));
  }

  private long before(long least) {
    return least == Long.MAX_VALUE ? 0 : Math.max(0, clock.millis() / 1000 - least);
  }

  /** Whether rows of a metric may have expired, of any table. */
  boolean mayHaveExpired(byte[] metric) {
    return tables.values().stream().anyMatch(table -> mayHaveExpiredBefore(table, metric) > 0);
  }

  private static long kept(RetentionRule rule, Table table) {
    long kept = kept(rule, table.values());
    for (String replaced : table.replaces()) {
      kept = Math.max(kept, kept(rule, replaced));
    }
    return kept;
  }

  private static long kept(RetentionRule rule, String values) {
    return rule.seconds().getOrDefault(values, Long.MAX_VALUE);
  }

  private static long least(List<RetentionRule> some, Table table) {
    return some.stream().mapToLong(rule -> kept(rule, table)).min().orElse(Long.MAX_VALUE);
  }

  /** Without what has been renamed since: its old name may have had another rule. */
  private Known known() {
    Known now = known;
    if (!uids.isCurrent(now.changes(), now.until())) {
      now = Known.of(uids);
      known = now;
    }
    return now;
  }

  /** The rules that may apply to series of a metric; only the last one may be without tags. */
  private List<RetentionRule> ofMetric(Known now, byte[] metric) {
    Bytes key = new Bytes(metric);
    Cache<Bytes, List<RetentionRule>> cache = now.ofMetric();
    List<RetentionRule> rulesOf = cache.getIfPresent(key);
    if (rulesOf == null) {
      rulesOf = name(UidKind.METRIC, metric).map(this::matching).orElse(List.of());
      cache.put(key, rulesOf);
    }
    return rulesOf;
  }

  private Optional<String> name(UidKind kind, byte[] uid) {
    return uids.names(kind, List.of(uid)).get(0);
  }

  private List<RetentionRule> matching(String metric) {
    List<RetentionRule> matching = new ArrayList<>();
    for (RetentionRule rule : rules.all()) {
      if (rule.matchesMetric(metric)) {
        matching.add(rule);
        if (rule.tags().isEmpty()) {
          break;
        }
      }
    }
    return List.copyOf(matching);
  }

  private @Nullable RetentionRule ofSeries(Known now, List<RetentionRule> some, byte[] tsuid) {
    if (some.get(0).tags().isEmpty()) {
      return some.get(0);
    }
    Bytes key = new Bytes(tsuid);
    Cache<Bytes, Optional<RetentionRule>> cache = now.ofSeries();
    Optional<RetentionRule> rule = cache.getIfPresent(key);
    if (rule == null) {
      rule = first(some, tsuid);
      cache.put(key, rule);
    }
    return rule.orElse(null);
  }

  private Optional<RetentionRule> first(List<RetentionRule> some, byte[] tsuid) {
    Map<String, String> tags = new HashMap<>();
    for (TagPair tag : keys.tagsOfTsuid(tsuid)) {
      Optional<String> name = name(UidKind.TAGK, tag.tagk());
      Optional<String> value = name(UidKind.TAGV, tag.tagv());
      if (name.isEmpty() || value.isEmpty()) {
        return Optional.empty();
      }
      tags.put(name.get(), value.get());
    }
    return some.stream().filter(rule -> rule.matchesTags(tags::get)).findFirst();
  }

  List<Table> tables() {
    return List.copyOf(tables.values());
  }
}
