package org.hourstone.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.hourstone.codec.Schema;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * The series of one metric in memory. Series are numbered in order of arrival and never removed.
 * Thread-safe; predicates on values are called without the lock.
 */
final class MetricSeries {
  /** The number of unsorted series that is tolerated. */
  private static final int FEW = 4096;

  private final byte[] metric;
  private final Schema schema;

  /** The part of a TSUID after the metric. */
  private final PackedKeys tags = new PackedKeys();

  private final Map<Long, TagColumn> columns = new TreeMap<>();
  private final Map<Integer, RoaringBitmap> byTagCount = new HashMap<>();

  /** So many of the first are in the order of their bytes. */
  private int ordered;

  MetricSeries(byte[] metric, Schema schema) {
    this.metric = metric.clone();
    this.schema = schema;
  }

  /**
   * Adds a series unless it is there.
   *
   * @param from where in the array the first tag begins
   * @param to where the last one ends
   */
  synchronized void add(byte[] source, int from, int to) {
    int number = tags.add(source, from, to);
    if (number < 0) {
      return;
    }
    if (ordered == number && (number == 0 || isAfter(number - 1, number))) {
      ordered++;
    }
    int pairs = 0;
    for (int at = from; at < to; at += schema.tagPairWidth()) {
      long tagk = UidNumber.of(source, at, schema.tagkWidth());
      long tagv = UidNumber.of(source, at + schema.tagkWidth(), schema.tagvWidth());
      columns.computeIfAbsent(tagk, key -> new TagColumn()).add(tagv, number);
      pairs++;
    }
    byTagCount.computeIfAbsent(pairs, count -> new RoaringBitmap()).add(number);
  }

  private boolean isAfter(int earlier, int later) {
    int[] ends = tags.ends();
    int start = earlier == 0 ? 0 : ends[earlier - 1];
    int middle = ends[earlier];
    byte[] bytes = tags.bytes();
    return Arrays.compareUnsigned(bytes, start, middle, bytes, middle, ends[later]) < 0;
  }

  synchronized int size() {
    return tags.size();
  }

  synchronized boolean contains(byte[] tsuid) {
    return tags.contains(tsuid, schema.metricWidth(), tsuid.length);
  }

  /** Whether there are enough unsorted series that sorting all is worthwhile. */
  synchronized boolean isMessy() {
    return tags.size() - ordered > Math.max(FEW, ordered);
  }

  /** The same series in order. */
  MetricSeries inOrder() {
    MetricSeries same = new MetricSeries(metric, schema);
    int from = schema.metricWidth();
    match(List.of()).forEach(tsuid -> same.add(tsuid, from, tsuid.length));
    same.optimize();
    return same;
  }

  /** Brings the bitmaps into their smallest form. */
  synchronized void optimize() {
    columns.values().forEach(TagColumn::optimize);
    byTagCount.values().forEach(RoaringBitmap::runOptimize);
  }

  /** About how much memory this takes. */
  synchronized long memory() {
    long memory = tags.memory();
    for (TagColumn column : columns.values()) {
      memory += column.memory();
    }
    for (RoaringBitmap bitmap : byTagCount.values()) {
      memory += bitmap.getLongSizeInBytes();
    }
    return memory;
  }

  /** The series that meet all conditions. */
  SeriesSet match(List<Condition> conditions) {
    // Values are tested first, without the lock: that may be slow, or read the store.
    List<BitSet> passed = new ArrayList<>(conditions.size());
    for (Condition condition : conditions) {
      passed.add(
          condition instanceof Condition.Matching matching
              ? passing(values(matching.tagk()), matching.passes())
              : new BitSet(0));
    }
    return match(conditions, passed);
  }

  private synchronized long[] values(byte[] tagk) {
    TagColumn column = columns.get(UidNumber.of(tagk));
    return column == null ? new long[0] : column.values();
  }

  private BitSet passing(long[] values, Predicate<byte[]> passes) {
    BitSet passed = new BitSet(values.length);
    for (int i = 0; i < values.length; i++) {
      if (passes.test(UidNumber.bytes(values[i], schema.tagvWidth()))) {
        passed.set(i);
      }
    }
    return passed;
  }

  private synchronized SeriesSet match(List<Condition> conditions, List<BitSet> passed) {
    int size = tags.size();
    RoaringBitmap result = null;
    for (int i = 0; i < conditions.size(); i++) {
      RoaringBitmap having = having(conditions.get(i), passed.get(i));
      if (result == null) {
        result = having;
      } else {
        result.and(having);
      }
    }
    if (result == null) {
      result = RoaringBitmap.bitmapOfRange(0, size);
    }
    return new SeriesSet(metric, tags.bytes(), tags.ends(), size, ordered, result);
  }

  /** A set of its own. */
  private RoaringBitmap having(Condition condition, BitSet passed) {
    if (condition instanceof Condition.AnyOf any) {
      TagColumn column = column(any.tagk());
      RoaringBitmap set = new RoaringBitmap();
      any.tagvs().forEach(tagv -> column.addTo(set, UidNumber.of(tagv)));
      return set;
    }
    if (condition instanceof Condition.NoneOf none) {
      TagColumn column = column(none.tagk());
      BitSet others = new BitSet(column.size());
      others.set(0, column.size());
      for (byte[] tagv : none.tagvs()) {
        int i = column.indexOf(UidNumber.of(tagv));
        if (i >= 0) {
          others.clear(i);
        }
      }
      return column.havingAny(others);
    }
    if (condition instanceof Condition.Matching matching) {
      return column(matching.tagk()).havingAny(passed);
    }
    if (condition instanceof Condition.Present present) {
      return column(present.tagk()).present().clone();
    }
    if (condition instanceof Condition.Absent absent) {
      return RoaringBitmap.flip(column(absent.tagk()).present(), 0L, tags.size());
    }
    if (condition instanceof Condition.ExactlyKeys keys) {
      return havingExactly(keys);
    }
    RoaringBitmap set = new RoaringBitmap();
    long tagv = UidNumber.of(((Condition.Value) condition).tagv());
    columns.values().forEach(column -> column.addTo(set, tagv));
    return set;
  }

  private TagColumn column(byte[] tagk) {
    TagColumn column = columns.get(UidNumber.of(tagk));
    return column == null ? new TagColumn() : column;
  }

  private RoaringBitmap havingExactly(Condition.ExactlyKeys keys) {
    Set<Long> tagks = new HashSet<>();
    keys.tagks().forEach(tagk -> tagks.add(UidNumber.of(tagk)));
    RoaringBitmap set = byTagCount.getOrDefault(tagks.size(), new RoaringBitmap()).clone();
    for (long tagk : tagks) {
      TagColumn column = columns.get(tagk);
      set.and(column == null ? new RoaringBitmap() : column.present());
    }
    return set;
  }

  /** How many different values each tag name has, with the most frequent ones. */
  synchronized MetricCardinality cardinality(int top) {
    List<TagCardinality> tagks = new ArrayList<>();
    columns.forEach((tagk, column) -> tagks.add(cardinality(tagk, column, top)));
    return new MetricCardinality(tags.size(), tagks);
  }

  /** As {@link #cardinality(int)}, of one tag name; null if no series has it. */
  synchronized @Nullable TagCardinality cardinality(byte[] tagk, int top) {
    long number = UidNumber.of(tagk);
    TagColumn column = columns.get(number);
    return column == null ? null : cardinality(number, column, top);
  }

  private TagCardinality cardinality(long tagk, TagColumn column, int top) {
    return new TagCardinality(
        UidNumber.bytes(tagk, schema.tagkWidth()),
        column.present().getCardinality(),
        column.size(),
        TopValues.of(column, top, schema.tagvWidth()));
  }
}
