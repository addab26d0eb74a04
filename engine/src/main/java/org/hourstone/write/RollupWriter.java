package org.hourstone.write;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.codec.Value;
import org.hourstone.error.RequestException;
import org.hourstone.kv.Family;
import org.hourstone.rollup.NoSuchRollupException;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupInterval;
import org.hourstone.rollup.RollupKind;
import org.hourstone.rollup.RollupOptions;
import org.jspecify.annotations.Nullable;

/**
 * Accepts rolled-up and pre-aggregated values, as {@link PointWriter} accepts points: an invalid
 * value is refused immediately by an exception, the outcome of an accepted one is reported through
 * its receipt. They are neither appended nor compacted. Thread-safe.
 */
public final class RollupWriter {
  private static final String COMMAND = "rollup ";
  private static final int LEAST_WORDS = 5;
  private static final String FAMILY = "t";

  private final PointWriter writer;
  private final RowKey keys;
  private final @Nullable RollupConfig config;
  private final RollupOptions options;
  private final LineParser parser;
  private final PointCheck check = PointCheck.ofSeconds();

  /**
   * @param config null if rollups are off: everything is refused
   */
  public RollupWriter(
      PointWriter writer,
      RowKey keys,
      @Nullable RollupConfig config,
      RollupOptions options,
      LineParser parser) {
    this.writer = writer;
    this.keys = keys;
    this.config = config;
    this.options = options;
    this.parser = parser;
  }

  /** The configured intervals; empty if rollups are off. */
  public Optional<RollupConfig> config() {
    return Optional.ofNullable(config);
  }

  /**
   * Writes a value. Throws as {@link PointWriter#series} does, too.
   *
   * @param tags of the series or the group
   * @param timestamp in seconds, anywhere in the interval
   * @throws NoSuchRollupException if no such interval is configured
   * @throws RequestException if anything else is wrong
   */
  public void put(
      RollupKind kind,
      String metric,
      Map<String, String> tags,
      long timestamp,
      PointValue value,
      Receipt receipt,
      long token) {
    if (config == null) {
      throw new RequestException("No rollup or aggregations were configured");
    }
    if (!kind.hasInterval() && !kind.isGroup()) {
      throw new RequestException(
          "Neither an interval nor a group-by aggregator is given (metric="
              + metric
              + ", tags="
              + tags
              + ")");
    }
    if (!kind.hasInterval() && !kind.aggregator().isEmpty() && !options.groupBys().isEmpty()) {
      throw new RequestException(
          "The aggregator " + kind.aggregator() + " has no effect without an interval");
    }
    check.check(metric, tags, timestamp, value);
    Map<String, String> tagged = tagged(kind, tags);
    Destination to = kind.hasInterval() ? rollup(config, kind) : preAggregate(config);
    byte[] row = keys.rowKey(writer.series(metric, tagged).tsuid(), to.baseTime(timestamp));
    writer.putCell(
        to.family(),
        row,
        to.qualifier(timestamp, value.flags()),
        Value.encode(value.flags(), value.raw()),
        receipt,
        token);
  }

  /**
   * Writes the value of a telnet line: {@code rollup kind metric timestamp value tag=value …}, see
   * {@link RollupKind#parse}. Decimals are stored in 4 bytes if that is exact.
   *
   * @param line without its end
   */
  public void putTelnetLine(String line, Receipt receipt, long token) {
    int kindEnd = line.indexOf(' ', COMMAND.length());
    PointText point = parser.telnetPoint(line, kindEnd < 0 ? -1 : kindEnd + 1, LEAST_WORDS);
    put(
        RollupKind.parse(line.substring(COMMAND.length(), kindEnd)),
        point.metric(),
        LineParser.tags(point.tags()),
        point.timestamp(),
        writer.resolver().telnetValue(point.value()),
        receipt,
        token);
  }

  /**
   * The tags the value is stored with: in a HashMap if one is added, whose order is that in which
   * OpenTSDB gives new names their UIDs.
   */
  private Map<String, String> tagged(RollupKind kind, Map<String, String> tags) {
    String given = tags.get(options.tagKey());
    if (kind.isGroup()) {
      if (given != null && !given.equalsIgnoreCase(kind.groupBy())) {
        throw new RequestException(
            "The tag "
                + options.tagKey()
                + "="
                + given
                + " contradicts the group-by aggregator "
                + kind.groupBy());
      }
      checkNotDerived("group-by", kind.groupBy());
      checkKnown(kind.groupBy());
      return with(tags, kind.groupBy().toUpperCase(Locale.ROOT));
    }
    String raw = options.rawTagValue();
    return raw != null && given == null ? with(tags, raw) : tags;
  }

  private Map<String, String> with(Map<String, String> tags, String aggregation) {
    Map<String, String> more = new HashMap<>();
    tags.forEach(more::put); // one by one: a copied map would be smaller, and its order another
    more.put(options.tagKey(), aggregation);
    return more;
  }

  private void checkNotDerived(String what, String aggregator) {
    String name = aggregator.toLowerCase(Locale.ROOT);
    if (options.blockDerived() && (name.equals("avg") || name.equals("dev"))) {
      throw new RequestException(
          "Derived "
              + what
              + " aggregations are not allowed: "
              + aggregator
              + " (tsd.rollups.block_derived)");
    }
  }

  /** A value of another one would be stored where no query finds it, as after a typing error. */
  private void checkKnown(String groupBy) {
    Set<String> known = options.groupBys();
    if (!known.isEmpty() && !known.contains(groupBy.toLowerCase(Locale.ROOT))) {
      throw new RequestException("No such group-by aggregator: " + groupBy);
    }
  }

  /** The table and cell that a value is written to. */
  private interface Destination {
    Family family();

    long baseTime(long timestamp);

    byte[] qualifier(long timestamp, int flags);
  }

  private Destination rollup(RollupConfig rollups, RollupKind kind) {
    RollupInterval interval = rollups.interval(kind.interval());
    int id = rollups.idOf(kind.aggregator());
    checkNotDerived("rollup", kind.aggregator());
    if (options.computed().contains(interval.name())) {
      throw new RequestException(
          "values of the interval "
              + interval.name()
              + " are computed by this database (hourstone.rollups.auto)");
    }
    if (interval.isDefault() && !options.writeDefaultInterval()) {
      throw new RequestException(
          "The interval "
              + interval.name()
              + " is that of raw points: readers of its table would misread rolled-up values"
              + " (hourstone.strict=rollups)");
    }
    return new RollupDestination(
        interval, id, kind.isGroup() ? interval.preAggregationTable() : interval.table());
  }

  private static Destination preAggregate(RollupConfig rollups) {
    return new PointDestination(rollups.defaultInterval().preAggregationTable());
  }

  private record RollupDestination(RollupInterval interval, int id, String table)
      implements Destination {
    @Override
    public Family family() {
      return new Family(table, FAMILY);
    }

    @Override
    public long baseTime(long timestamp) {
      return interval.baseTime(timestamp);
    }

    @Override
    public byte[] qualifier(long timestamp, int flags) {
      return RollupQualifier.encode(id, interval.index(timestamp), flags);
    }
  }

  private record PointDestination(String table) implements Destination {
    @Override
    public Family family() {
      return new Family(table, FAMILY);
    }

    @Override
    public long baseTime(long timestamp) {
      return Timestamps.baseTime(timestamp);
    }

    @Override
    public byte[] qualifier(long timestamp, int flags) {
      return Qualifier.encode(timestamp, flags);
    }
  }
}
