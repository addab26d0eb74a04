package org.hourstone.api.otlp;

import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;

/**
 * Data points of histograms with explicit bounds: a series for each bound, which counts all values
 * up to it, and those of count, sum, minimum and maximum.
 */
final class HistogramPoints implements PointKind {
  private static final int START = 2;
  private static final int TIME = 3;
  private static final int COUNT = 4;
  private static final int SUM = 5;
  private static final int COUNTS = 6;
  private static final int BOUNDS = 7;
  private static final int EXEMPLAR = 8;
  private static final int ATTRIBUTE = 9;
  private static final int FLAGS = 10;
  private static final int MIN = 11;
  private static final int MAX = 12;

  private final ProtoReader fields = new ProtoReader();
  private final Totals totals = new Totals();
  private final ByteBuilder counts = new ByteBuilder();
  private final ByteBuilder bounds = new ByteBuilder();
  private final CountSum all = new CountSum();

  @Override
  public void read(byte[] body, int from, int to, DataPoint point) throws UnreadableException {
    totals.clear();
    counts.clear();
    bounds.clear();
    fields.of(body, from, to);
    while (fields.next()) {
      switch (fields.field()) {
        case ATTRIBUTE -> point.attribute(body, fields);
        case START -> point.startTime(fields);
        case TIME -> point.time(fields);
        case FLAGS -> point.flags(fields);
        case EXEMPLAR -> point.exemplar();
        case COUNT -> totals.count = fields.fixed();
        case SUM -> totals.sum(fields.decimal());
        case MIN -> totals.min(fields.decimal());
        case MAX -> totals.max(fields.decimal());
        case COUNTS -> counts.addPacked(fields, true);
        case BOUNDS -> bounds.addPacked(fields, true);
        default -> {} // of a later version
      }
    }
    if (!point.isStorable()) {
      return;
    }
    String fault = fault();
    if (!fault.isEmpty()) {
      point.refuse(fault);
      return;
    }
    totals.addTo(point);
    long below = 0;
    for (int i = 0; i < counts.length(); i += Long.BYTES) {
      below += ByteBuilder.longAt(counts.bytes(), i);
      point.bucket(i < bounds.length() ? bound(i) : Double.POSITIVE_INFINITY, below);
    }
    point.addBuckets();
  }

  private double bound(int at) {
    return Double.longBitsToDouble(ByteBuilder.longAt(bounds.bytes(), at));
  }

  /** What is wrong with its buckets; empty if nothing is. */
  private String fault() {
    int numbers = counts.length() / Long.BYTES;
    int limits = bounds.length() / Long.BYTES;
    if (numbers == 0 ? limits != 0 : numbers != limits + 1) {
      return "the histogram has " + numbers + " bucket counts for " + limits + " bounds";
    }
    double last = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < bounds.length(); i += Long.BYTES) {
      double next = bound(i);
      if (!(next > last) || next == Double.POSITIVE_INFINITY) {
        return "the bounds of the histogram are not finite numbers in ascending order";
      }
      last = next;
    }
    all.clear();
    for (int i = 0; i < counts.length(); i += Long.BYTES) {
      all.add(ByteBuilder.longAt(counts.bytes(), i));
    }
    return all.isTooMany() ? CountSum.TOO_MANY : "";
  }
}
