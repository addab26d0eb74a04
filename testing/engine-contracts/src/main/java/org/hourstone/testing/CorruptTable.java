package org.hourstone.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.codec.Timestamps;
import org.hourstone.codec.Value;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Change;
import org.hourstone.kv.Family;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.RowMutation;

/**
 * A data table of random points in all sorts of cells, corrupted at random, and what may be read
 * from it once it is repaired: for each series and timestamp, the values that are allowed, and
 * whether there may be none.
 */
final class CorruptTable {
  private static final HexFormat HEX = HexFormat.of();
  private static final long FIRST_HOUR = 1_500_001_200;
  private static final long FIRST_WRITE = 1_600_000_000_000L;
  private static final byte[] APPEND = {5, 0, 0};

  /** The values that may be read at one timestamp of one series. */
  static final class Expected {
    final Set<Double> values = new HashSet<>();
    boolean mayVanish;
  }

  private record Point(int offset, boolean millis, int flags, long raw) {
    byte[] qualifier() {
      return millis
          ? Qualifier.encodeMillis(offset, flags)
          : Qualifier.encodeSeconds(offset / 1000, flags);
    }

    byte[] value() {
      return Value.encode(flags, raw);
    }

    double number() {
      return Value.toDouble(flags, raw);
    }
  }

  private record Stored(byte[] value, long writeTime) {}

  private final Random random;
  private final RowKey keys;
  private final Map<String, Map<Long, Expected>> series = new TreeMap<>();
  private final Map<Bytes, Map<Bytes, Stored>> rows = new TreeMap<>();
  private long writes = FIRST_WRITE;

  /**
   * @param metrics UIDs that have names
   * @param tagk one that has a name
   * @param tagvs UIDs that have names
   * @param nameless a UID of no name
   */
  CorruptTable(
      Random random,
      RowKey keys,
      List<byte[]> metrics,
      byte[] tagk,
      List<byte[]> tagvs,
      byte[] nameless) {
    this.random = random;
    this.keys = keys;
    for (byte[] metric : metrics) {
      for (byte[] tagv : tagvs) {
        byte[] tsuid = keys.tsuid(metric, List.of(new TagPair(tagk, tagv)));
        for (int hour = 0; hour < 3; hour++) {
          if (random.nextInt(4) > 0) {
            new RowBuilder(tsuid, FIRST_HOUR + hour * 3600L).build();
          }
        }
      }
      if (random.nextInt(3) == 0) {
        byte[] orphan = keys.tsuid(metric, List.of(new TagPair(tagk, nameless)));
        put(keys.rowKey(orphan, FIRST_HOUR), new byte[] {0, 0}, new byte[] {1});
      }
    }
    if (random.nextInt(3) == 0) {
      put(new byte[] {1, 2, 3}, new byte[] {0, 0}, new byte[] {1});
    }
    if (random.nextInt(3) == 0) {
      byte[] global = new byte[keys.schema().tagsOffset()];
      keys.setBaseTime(global, FIRST_HOUR);
      put(global, new byte[] {1, 0, 7}, new byte[] {'{', '}'});
      if (random.nextBoolean()) {
        put(global, new byte[] {0, 0}, new byte[] {1});
      }
    }
  }

  private void put(byte[] key, byte[] qualifier, byte[] value) {
    writes += 1 + random.nextInt(3);
    rows.computeIfAbsent(new Bytes(key), any -> new TreeMap<>())
        .put(new Bytes(qualifier), new Stored(value, writes));
  }

  /** Writes the table's cells, with their write times. */
  void writeTo(KeyValueStore store, Family family) {
    rows.forEach(
        (key, cells) -> {
          List<Change> changes = new ArrayList<>();
          cells.forEach(
              (qualifier, cell) ->
                  changes.add(
                      new Change.PutIfNewer(qualifier.array(), cell.value(), cell.writeTime())));
          store.mutate(family, List.of(new RowMutation(key.array(), changes)));
        });
  }

  /** The points that may be read, by TSUID in hex and milliseconds since the epoch. */
  Map<String, Map<Long, Expected>> expected() {
    return series;
  }

  /** One row while it is made. */
  private final class RowBuilder {
    private final byte[] tsuid;
    private final boolean unaligned = random.nextInt(12) == 0;
    private final long base;
    private final byte[] key;
    private final Map<Integer, Point> points = new TreeMap<>();
    private final Set<Integer> instants = new HashSet<>();

    RowBuilder(byte[] tsuid, long hour) {
      this.tsuid = tsuid;
      this.base = unaligned ? hour + 1 + random.nextInt(3599) : hour;
      this.key = keys.rowKey(tsuid, base);
      if (keys.schema().saltWidth() > 0 && random.nextInt(8) == 0) {
        key[0] = (byte) random.nextInt(keys.schema().saltBuckets());
      }
    }

    void build() {
      int count = 1 + random.nextInt(20);
      for (int i = 0; i < count; i++) {
        Point point = randomPoint();
        if (instants.add(point.offset())) {
          points.put(point.offset(), point);
          expect(point.offset(), point.number());
        }
      }
      List<Point> left = new ArrayList<>(points.values());
      while (!left.isEmpty()) {
        List<Point> some = take(left, 1 + random.nextInt(5));
        switch (random.nextInt(4)) {
          case 0 -> compacted(some);
          case 1 -> appended(some);
          default -> some.forEach(this::single);
        }
      }
      if (random.nextInt(6) == 0) {
        put(key, HEX.parseHex("aabb00cc00dd11"), new byte[] {1});
      }
      if (random.nextInt(6) == 0) {
        put(key, new byte[] {(byte) 0xAA, 0, 9}, new byte[] {1});
      }
      if (random.nextInt(4) == 0) {
        put(key, new byte[] {1, 0, 9}, new byte[] {'{', '}'});
      }
      if (random.nextInt(4) == 0) {
        repeat(points.values().iterator().next());
      }
      if (!unaligned && random.nextInt(8) == 0) {
        int seconds = 3600 + random.nextInt(240);
        byte[] qualifier = {(byte) (seconds >> 4), (byte) (seconds << 4)};
        put(key, qualifier, new byte[] {77});
        expect(seconds * 1000, 77);
      }
    }

    private Expected expect(int offset, double value) {
      Expected expected =
          series
              .computeIfAbsent(HEX.formatHex(tsuid), any -> new HashMap<>())
              .computeIfAbsent(base * 1000 + offset, any -> new Expected());
      expected.values.add(value);
      return expected;
    }

    private void vanishes(Point point) {
      expect(point.offset(), point.number()).mayVanish = true;
    }

    private List<Point> take(List<Point> left, int most) {
      List<Point> some = new ArrayList<>();
      while (!left.isEmpty() && some.size() < most) {
        some.add(left.remove(random.nextInt(left.size())));
      }
      some.sort((one, other) -> Integer.compare(one.offset(), other.offset()));
      return some;
    }

    private Point randomPoint() {
      boolean millis = random.nextInt(3) == 0;
      int offset = millis ? random.nextInt(Timestamps.ROW_MILLIS) : random.nextInt(3600) * 1000;
      return switch (random.nextInt(6)) {
        case 0 -> new Point(offset, millis, Value.FLOAT_FLAGS, Value.rawOf(random.nextFloat()));
        case 1 -> new Point(offset, millis, Value.DOUBLE_FLAGS, Value.rawOf(random.nextDouble()));
        case 2 -> integer(offset, millis, random.nextLong());
        case 3 -> integer(offset, millis, random.nextInt());
        default -> integer(offset, millis, random.nextInt(300) - 150);
      };
    }

    private static Point integer(int offset, boolean millis, long value) {
      return new Point(offset, millis, Value.flagsOf(value), value);
    }

    private void single(Point point) {
      byte[] qualifier = point.qualifier();
      byte[] value = point.value();
      int last = qualifier.length - 1;
      switch (random.nextInt(8)) {
        case 0 -> {
          if (point.flags() == Value.FLOAT_FLAGS) {
            byte[] padded = new byte[8];
            Arrays.fill(padded, 0, 4, (byte) (random.nextBoolean() ? 0xFF : 0));
            System.arraycopy(value, 0, padded, 4, 4);
            value = padded;
          }
        }
        case 1 -> {
          if (point.flags() < 8) {
            qualifier[last] = (byte) ((qualifier[last] & 0xF8) | random.nextInt(8));
          }
        }
        case 2 -> {
          value = new byte[random.nextBoolean() ? 3 : 9];
          vanishes(point);
        }
        case 3 -> {
          if (point.flags() < 8) {
            qualifier[last] = (byte) (qualifier[last] | 7);
            value = Value.encode(7, point.raw());
          }
        }
        default -> {}
      }
      put(key, qualifier, value);
    }

    private void compacted(List<Point> some) {
      if (some.size() < 2) {
        some.forEach(this::single);
        return;
      }
      List<Point> ordered = new ArrayList<>(some);
      int corruption = random.nextInt(10);
      if (corruption == 0) {
        Collections.shuffle(ordered, random);
      }
      if (corruption == 1) {
        ordered.add(ordered.get(ordered.size() - 1));
      }
      byte[] qualifier = joined(ordered, true, false);
      byte[] values = joined(ordered, false, true);
      byte[] value = Arrays.copyOf(values, values.length + 1);
      boolean mixed =
          ordered.stream().anyMatch(Point::millis) && !ordered.stream().allMatch(Point::millis);
      value[value.length - 1] = (byte) (mixed ? 1 : 0);
      switch (corruption) {
        case 2 -> value = Arrays.copyOf(value, value.length - 1);
        case 3 -> value[value.length - 1] ^= 1;
        case 4 -> value[value.length - 1] = 9;
        case 5 -> {
          value = Arrays.copyOf(value, random.nextInt(value.length - 1));
          cut(ordered, value.length, false);
        }
        case 6 -> value = Arrays.copyOf(value, value.length + 2);
        default -> {}
      }
      put(key, qualifier, value);
    }

    private void appended(List<Point> some) {
      if (rows.getOrDefault(new Bytes(key), Map.of()).containsKey(new Bytes(APPEND))) {
        some.forEach(this::single);
        return;
      }
      List<Point> arrived = new ArrayList<>(some);
      Collections.shuffle(arrived, random);
      if (random.nextInt(3) == 0) {
        Point first = arrived.get(0);
        Point again = integer(first.offset(), first.millis(), 1234);
        Expected expected = expect(first.offset(), 1234);
        expected.values.remove(first.number());
        arrived.add(again);
      }
      byte[] value = joined(arrived, true, true);
      switch (random.nextInt(5)) {
        case 0 -> {
          value = Arrays.copyOf(value, 1 + random.nextInt(value.length));
          cut(arrived, value.length, true);
          for (Point point : arrived) {
            expect(point.offset(), point.number()); // the one that superseded it may be cut off
          }
        }
        case 1 -> {
          value = Arrays.copyOf(value, value.length + 1);
          value[value.length - 1] = (byte) 0xF0;
        }
        default -> {}
      }
      put(key, APPEND, value);
    }

    /** Those points vanish whose bytes are not all within the length. */
    private void cut(List<Point> all, int length, boolean withQualifiers) {
      int at = 0;
      for (Point point : all) {
        at += point.value().length + (withQualifiers ? point.qualifier().length : 0);
        if (at > length) {
          vanishes(point);
        }
      }
    }

    private static byte[] joined(List<Point> points, boolean qualifiers, boolean values) {
      byte[] all = new byte[0];
      for (Point point : points) {
        if (qualifiers) {
          all = concat(all, point.qualifier());
        }
        if (values) {
          all = concat(all, point.value());
        }
      }
      return all;
    }

    private static byte[] concat(byte[] one, byte[] other) {
      byte[] both = Arrays.copyOf(one, one.length + other.length);
      System.arraycopy(other, 0, both, one.length, other.length);
      return both;
    }

    /** The same timestamp in a cell of its own, in the other resolution or of another type. */
    private void repeat(Point point) {
      boolean millis = point.offset() % 1000 == 0 ? !point.millis() : point.millis();
      boolean same = random.nextBoolean() && millis != point.millis();
      Point other =
          same
              ? new Point(point.offset(), millis, point.flags(), point.raw())
              : new Point(point.offset(), millis, Value.DOUBLE_FLAGS, Value.rawOf(4321.5));
      byte[] qualifier = other.qualifier();
      boolean isFree =
          !rows.getOrDefault(new Bytes(key), Map.of()).containsKey(new Bytes(qualifier))
              && CellKind.of(qualifier) == CellKind.POINT;
      if (isFree) {
        put(key, qualifier, other.value());
        expect(point.offset(), other.number());
      }
    }
  }
}
