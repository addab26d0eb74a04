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
import org.hourstone.codec.Schema;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * The series of one metric in memory. Series are numbered in order of arrival and never removed.
 * Thread-safe; tests of names are called without holding the lock.
 */
final class MetricSeries {
  /** The number of unsorted series that is tolerated. */
  private static final int FEW = 4096;

  /**
   * Values are found by iterating over the series if there are this many times fewer series than
   * values.
   */
  private static final int FEWER = 4;

  private final byte[] metric;
  private final Schema schema;

  /** The part of a TSUID after the metric. */
  private final PackedKeys tags = new PackedKeys();

  private final Map<Long, TagColumn> columns = new TreeMap<>();
  private final Map<Integer, RoaringBitmap> byTagCount = new HashMap<>();

  /** For each position in a TSUID, the column of the last tag name at this position. */
  private TagColumn[] recent = new TagColumn[0];

  private long[] recentTagks = new long[0];
  private final KnownResults results = new KnownResults();

  /** The number of series at the beginning that are sorted by their bytes. */
  private int ordered;

  MetricSeries(byte[] metric, Schema schema) {
    this.metric = metric.clone();
    this.schema = schema;
  }

  /**
   * Adds a series unless it is present.
   *
   * @param from the start of the first tag in the array
   * @param to the end of the last tag
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
      column(tagk, pairs++).add(tagv, number);
    }
    byTagCount.computeIfAbsent(pairs, count -> new RoaringBitmap()).add(number);
  }

  /**
   * The column of a tag name. Its position in the TSUID is tried first, since most series have the
   * same names.
   */
  private TagColumn column(long tagk, int place) {
    if (place == recent.length) {
      recent = Arrays.copyOf(recent, place + 1);
      recentTagks = Arrays.copyOf(recentTagks, place + 1);
    } else if (recentTagks[place] == tagk) {
      return recent[place];
    }
    TagColumn column = columns.computeIfAbsent(tagk, key -> new TagColumn());
    recent[place] = column;
    recentTagks[place] = tagk;
    return column;
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

  /** Adds to another object the series that arrived after those it contains. */
  synchronized void addRestTo(MetricSeries other) {
    for (int number = other.size(); number < tags.size(); number++) {
      other.add(tags.bytes(), number == 0 ? 0 : tags.ends()[number - 1], tags.ends()[number]);
    }
  }

  /** Compresses the bitmaps. */
  synchronized void optimize() {
    columns.values().forEach(TagColumn::optimize);
    byTagCount.values().forEach(RoaringBitmap::runOptimize);
  }

  /** The approximate memory of this object without {@link #testMemory}. */
  synchronized long memory() {
    long memory = tags.memory();
    for (TagColumn column : columns.values()) {
      memory += column.memory() + KnownResults.memory(column.size());
    }
    for (RoaringBitmap bitmap : byTagCount.values()) {
      memory += bitmap.getLongSizeInBytes();
    }
    return memory;
  }

  /** The approximate memory of the cached tests of names. */
  long testMemory() {
    return results.memory();
  }

  /** The series that meet all conditions. */
  SeriesSet match(List<Condition> conditions) {
    RoaringBitmap result = having(conditions);
    // Tests of names come last, for the values that remain: they may be slow or read the store.
    for (Condition condition : conditions) {
      if (condition instanceof Condition.Matching matching) {
        result = having(matching, result);
      }
    }
    synchronized (this) {
      int size = tags.size();
      RoaringBitmap numbers = result == null ? RoaringBitmap.bitmapOfRange(0, size) : result;
      return new SeriesSet(metric, tags.bytes(), tags.ends(), size, ordered, numbers);
    }
  }

  /**
   * The series that meet all conditions other than tests of names, as a new set; null for all
   * series.
   */
  private synchronized @Nullable RoaringBitmap having(List<Condition> conditions) {
    RoaringBitmap result = null;
    for (Condition condition : conditions) {
      if (!(condition instanceof Condition.Matching)) {
        RoaringBitmap having = having(condition);
        if (result == null) {
          result = having;
        } else {
          result.and(having);
        }
      }
    }
    return result;
  }

  private RoaringBitmap having(Condition.Matching matching, @Nullable RoaringBitmap among) {
    TagColumn column;
    BitSet inQuestion;
    long[] values;
    synchronized (this) {
      column = column(matching.tagk());
      inQuestion = valuesAmong(among, matching.tagk(), column);
      values = column.values();
    }
    BitSet passed =
        results.passing(
            UidNumber.of(matching.tagk()),
            matching.test(),
            inQuestion,
            place -> UidNumber.bytes(values[place], schema.tagvWidth()));
    synchronized (this) {
      RoaringBitmap having = column.havingAny(passed);
      if (among != null) {
        having.and(among);
      }
      return having;
    }
  }

  /** The indices of the values that these series have. */
  private BitSet valuesAmong(@Nullable RoaringBitmap series, byte[] tagk, TagColumn column) {
    BitSet places = new BitSet(column.size());
    if (series == null) {
      places.set(0, column.size());
    } else if (series.getLongCardinality() < column.size() / FEWER) {
      series.forEach((int number) -> addValue(number, tagk, column, places));
    } else {
      column.addAmong(series, places);
    }
    return places;
  }

  private void addValue(int number, byte[] tagk, TagColumn column, BitSet places) {
    byte[] bytes = tags.bytes();
    int end = tags.ends()[number];
    for (int at = number == 0 ? 0 : tags.ends()[number - 1];
        at < end;
        at += schema.tagPairWidth()) {
      int value = at + schema.tagkWidth();
      if (Arrays.equals(bytes, at, value, tagk, 0, tagk.length)) {
        places.set(column.indexOf(UidNumber.of(bytes, value, schema.tagvWidth())));
      }
    }
  }

  /** The series that meet a condition, as a new set. */
  private RoaringBitmap having(Condition condition) {
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

  /** The number of distinct values of each tag name, and the most frequent values. */
  synchronized MetricCardinality cardinality(int top) {
    List<TagCardinality> tagks = new ArrayList<>();
    columns.forEach((tagk, column) -> tagks.add(cardinality(tagk, column, top)));
    return new MetricCardinality(tags.size(), tagks);
  }

  /** As {@link #cardinality(int)}, for one tag name; null if no series has it. */
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
