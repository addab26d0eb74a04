package org.hourstone.annotation;

import java.util.function.Supplier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;

/**
 * The rules by which a range contains annotations ({@code hourstone.strict=annotations}). See
 * {@code docs/format/annotation.md}.
 */
public enum AnnotationRanges {
  /** A range contains the annotations that start in it. */
  HOURSTONE,
  OPENTSDB {
    /** OpenTSDB interprets any time as seconds when it selects the rows of global annotations. */
    @Override
    long seconds(long time) {
      return time;
    }

    /**
     * OpenTSDB compares times as given, whether in seconds or milliseconds, and also compares the
     * end.
     */
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

    /** OpenTSDB stores any. */
    @Override
    void checkEnd(Annotation annotation) {}

    /** OpenTSDB only separates the metric. */
    @Override
    boolean isSeries(RowKey keys, byte[] tsuid) {
      return tsuid.length >= keys.schema().metricWidth();
    }

    /** OpenTSDB uses the low 32 bits of a row's time. */
    @Override
    boolean wrapsAround() {
      return true;
    }
  };

  /** The time in seconds of a bound, by which rows of global annotations are selected. */
  long seconds(long time) {
    return Timestamps.toSeconds(time);
  }

  /** Whether a global annotation is in a range of seconds or milliseconds, both inclusive. */
  boolean contains(Annotation annotation, long from, long to) {
    // A range that ends in seconds includes its whole last second.
    long toMillis = Timestamps.isMillis(to) ? to : to * 1000 + 999;
    return startsIn(annotation, Timestamps.toMillis(from), toMillis);
  }

  /**
   * Whether an annotation is deleted if a range is deleted.
   *
   * @param keyMillis the time in its cell's key
   * @param stored reads the annotation
   * @param from in milliseconds
   * @param to inclusive
   */
  boolean deletes(long keyMillis, Supplier<Annotation> stored, long from, long to) {
    return startsIn(stored.get(), from, to);
  }

  /**
   * Whether the annotations of a range are also deleted if the row keys of their series have a
   * salt.
   */
  boolean deletesSaltedRows() {
    return true;
  }

  /**
   * @throws RequestException if an annotation ends before it starts
   */
  void checkEnd(Annotation annotation) {
    if (annotation.endTime() != 0
        && Timestamps.toMillis(annotation.endTime()) < annotation.startMillis()) {
      throw new RequestException(
          "endTime: "
              + annotation.endTime()
              + " is before the startTime "
              + annotation.startTime());
    }
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
