package org.hourstone.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * A snapshot of some series of a metric. Immutable and thread-safe; it uses little memory in
 * addition to that of the metric.
 */
public final class SeriesSet {
  /** The number of series sampled per part to determine the starts of the parts. */
  private static final int SAMPLES = 16;

  private final byte[] metric;
  private final byte[] bytes;
  private final int[] ends;
  private final int ofMetric;
  private final int ordered;
  private final RoaringBitmap numbers;
  private final int size;

  /**
   * @param bytes the tags of the metric's series, one after the other
   * @param ends the end of each in {@code bytes}
   * @param ordered the number of series at the beginning that are sorted by their bytes
   * @param numbers the numbers of the series in this set; not copied
   */
  SeriesSet(
      byte[] metric, byte[] bytes, int[] ends, int ofMetric, int ordered, RoaringBitmap numbers) {
    this.metric = metric;
    this.bytes = bytes;
    this.ends = ends;
    this.ofMetric = ofMetric;
    this.ordered = ordered;
    this.numbers = numbers;
    this.size = numbers.getCardinality();
  }

  /** The number of series in this set. */
  public int size() {
    return size;
  }

  /** The total number of series of the metric. */
  public int ofMetric() {
    return ofMetric;
  }

  /**
   * The TSUIDs at which parts of about equal size begin, ascending, without the first part's.
   *
   * @param parts the number of parts; there are fewer if there are fewer series
   */
  public List<byte[]> cuts(int parts) {
    List<byte[]> sample = new ArrayList<>();
    int count = Math.min(size, SAMPLES * parts);
    for (int i = 0; i < count; i++) {
      sample.add(tsuid(numbers.select((int) ((long) size * i / count))));
    }
    sample.sort(Arrays::compareUnsigned);
    List<byte[]> cuts = new ArrayList<>();
    int most = Math.min(parts, count);
    for (int part = 1; part < most; part++) {
      cuts.add(sample.get((int) ((long) count * part / most)));
    }
    return cuts;
  }

  /**
   * Passes the TSUID of each series to the consumer, ascending by unsigned bytes, each in a new
   * array.
   */
  public void forEach(Consumer<byte[]> action) {
    Cursor cursor = cursor();
    for (byte[] tsuid = cursor.next(); tsuid != null; tsuid = cursor.next()) {
      action.accept(tsuid);
    }
  }

  /** A new cursor over the series. */
  public Cursor cursor() {
    return new Cursor();
  }

  private byte[] tsuid(int number) {
    int start = start(number);
    byte[] tsuid = Arrays.copyOf(metric, metric.length + ends[number] - start);
    System.arraycopy(bytes, start, tsuid, metric.length, ends[number] - start);
    return tsuid;
  }

  private int start(int number) {
    return number == 0 ? 0 : ends[number - 1];
  }

  private int compare(int one, int other) {
    return Arrays.compareUnsigned(bytes, start(one), ends[one], bytes, start(other), ends[other]);
  }

  /** The series that arrived out of order, sorted. */
  private int[] latecomers() {
    if (numbers.isEmpty() || numbers.last() < ordered) {
      return new int[0];
    }
    RoaringBitmap late = numbers.clone();
    late.remove(0L, ordered);
    return Arrays.stream(late.toArray())
        .boxed()
        .sorted(this::compare)
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Iterates over the series, ascending by unsigned bytes of their TSUIDs. For one thread. */
  public final class Cursor {
    private final PeekableIntIterator inOrder = numbers.getIntIterator();
    private final int[] latecomers = latecomers();
    private int late;

    private Cursor() {}

    /** The next series' TSUID, a new array; null after the last. */
    public byte @Nullable [] next() {
      boolean more = inOrder.hasNext() && inOrder.peekNext() < ordered;
      if (late < latecomers.length
          && (!more || compare(latecomers[late], inOrder.peekNext()) < 0)) {
        return tsuid(latecomers[late++]);
      }
      return more ? tsuid(inOrder.next()) : null;
    }
  }
}
