package org.hourstone.api.prometheus;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.put.DoorPoints;
import org.hourstone.api.request.DoorCounts;

/**
 * The samples of one request of remote write, or of a text, as they are stored; what has no place
 * here is counted by its kind. For one thread.
 */
final class WrittenSamples {
  /** The NaN that Prometheus sends when a series has ended. */
  static final long STALE = 0x7ff0000000000002L;

  private static final byte[] NO_LABELS = {};

  private final DoorPoints points;
  private final DoorCounts counts;
  private final Map<Skipped, Long> skipped = new EnumMap<>(Skipped.class);

  /** The series that is selected with its first point: a series without any costs nothing. */
  private byte[] text = NO_LABELS;

  private int from;
  private int to;
  private boolean isSelected;

  /** Why samples of the selected series are refused; empty if they are not. */
  private String refusal = "";

  /** What is not stored. */
  enum Skipped {
    /** Says that a series has ended. */
    STALE_MARKER,
    /** Not a number, other than a stale marker. */
    NAN,
    INFINITY,
    EXEMPLAR,
    NATIVE_HISTOGRAM,
    METADATA
  }

  WrittenSamples(DoorPoints points, DoorCounts counts) {
    this.points = points;
    this.counts = counts;
  }

  /** As {@link DoorPoints#expect}. */
  void expect(int samples) {
    points.expect(samples);
  }

  /**
   * Selects the series of the samples that follow, by the bytes of its labels.
   *
   * @param fields not changed before the request ends, or {@link #flush} is called
   */
  void select(byte[] fields, int begin, int end) {
    text = fields;
    from = begin;
    to = end;
    isSelected = false;
    refusal = "";
  }

  /** Refuses the samples that follow, up to the next series. */
  void refuse(String why) {
    select(NO_LABELS, 0, 0);
    refusal = why;
  }

  /** Reads a sample of the selected series: the message that is entered. */
  void sample(ProtoReader in) throws UnreadableException {
    long bits = 0;
    long millis = 0;
    int outer = in.enter();
    while (in.next()) {
      switch (in.field()) {
        case 1 -> bits = in.fixed();
        case 2 -> millis = in.number();
        default -> {}
      }
    }
    in.leave(outer);
    if (bits == STALE) {
      skip(Skipped.STALE_MARKER);
    } else {
      add(millis, Double.longBitsToDouble(bits));
    }
  }

  /** Adds a sample to the selected series, unless it is not finite. */
  void add(long millis, double value) {
    if (Double.isFinite(value)) {
      if (!isSelected) {
        points.select(text, from, to, 0, 0);
        isSelected = true;
      }
      if (refusal.isEmpty()) {
        points.add(millis, value);
      } else {
        points.refuse(millis, refusal);
      }
    } else {
      skip(Double.isNaN(value) ? Skipped.NAN : Skipped.INFINITY);
    }
  }

  /** Counts something that is not stored. */
  void skip(Skipped kind) {
    skipped.merge(kind, 1L, Long::sum);
  }

  /** Whether all of it will be sent again: then it is of no use to read the rest. */
  boolean hasFailed() {
    return points.hasFailed();
  }

  /** Writes what was added; then no series is selected. */
  void flush() {
    points.flush();
  }

  /** Writes what is left; nothing may be added later. */
  DoorPoints.Outcome end() {
    skipped.forEach(
        (kind, count) ->
            counts.skipped(
                DoorCounts.Door.PROMETHEUS, kind.name().toLowerCase(Locale.ROOT), count));
    DoorPoints.Outcome outcome = points.end();
    counts.stored(DoorCounts.Door.PROMETHEUS, outcome.stored());
    return outcome;
  }

  /**
   * How many series have ended: that is known of their last samples, and nothing is to be stored.
   */
  long staleMarkers() {
    return skipped.getOrDefault(Skipped.STALE_MARKER, 0L);
  }

  /** How many samples of a request were not stored. */
  static String unstored(DoorPoints.Outcome of) {
    return of.refused() + " of " + (of.stored() + of.refused()) + " samples were not stored";
  }
}
