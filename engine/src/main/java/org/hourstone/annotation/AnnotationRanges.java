package org.hourstone.annotation;

import java.util.function.Supplier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;

/**
 * Which annotations a range contains ({@code hourstone.annotation.opentsdb_ranges}). See {@code
 * docs/format/annotation.md}.
 */
public enum AnnotationRanges {
  /** Those that start in it. */
  HOURSTONE,
  OPENTSDB {
    /** OpenTSDB takes any time for seconds when it chooses the rows of global annotations. */
    @Override
    long seconds(long time) {
      return time;
    }

    /** OpenTSDB compares times as given, whether seconds or milliseconds, and the end, too. */
    @Override
    boolean contains(Annotation annotation, long from, long to) {
      return annotation.startTime() >= from && annotation.endTime() <= to;
    }

    /** OpenTSDB deletes by the time in the cell's key. */
    @Override
    boolean deletes(long keyMillis, Supplier<Annotation> stored, long from, long to) {
      return keyMillis >= from && keyMillis <= to;
    }

    /** OpenTSDB looks for the rows of series without their salt. */
    @Override
    boolean deletesSaltedRows() {
      return false;
    }

    /** OpenTSDB only splits off the metric. */
    @Override
    boolean isSeries(RowKey keys, byte[] tsuid) {
      return tsuid.length >= keys.schema().metricWidth();
    }

    /** OpenTSDB takes the low 32 bits of a row's time. */
    @Override
    boolean wrapsAround() {
      return true;
    }
  };

  /** The seconds of a bound by which rows of global annotations are selected. */
  long seconds(long time) {
    return Timestamps.toSeconds(time);
  }

  /** Whether a global annotation is in a range of seconds or milliseconds, both inclusive. */
  boolean contains(Annotation annotation, long from, long to) {
    // A range that ends in seconds contains all of its last one.
    long toMillis = Timestamps.isMillis(to) ? to : to * 1000 + 999;
    return startsIn(annotation, Timestamps.toMillis(from), toMillis);
  }

  /**
   * Whether an annotation is deleted with a range.
   *
   * @param keyMillis the time in its cell's key
   * @param stored reads it
   * @param from in milliseconds
   * @param to inclusive
   */
  boolean deletes(long keyMillis, Supplier<Annotation> stored, long from, long to) {
    return startsIn(stored.get(), from, to);
  }

  /** Whether annotations of a range are deleted if their series has a salt. */
  boolean deletesSaltedRows() {
    return true;
  }

  /** Whether annotations may have this TSUID. */
  boolean isSeries(RowKey keys, byte[] tsuid) {
    return keys.isTsuid(tsuid);
  }

  /** Whether the row after the last hour that a key can contain is the first one. */
  boolean wrapsAround() {
    return false;
  }

  static boolean startsIn(Annotation annotation, long fromMillis, long toMillis) {
    return annotation.startMillis() >= fromMillis && annotation.startMillis() <= toMillis;
  }
}
