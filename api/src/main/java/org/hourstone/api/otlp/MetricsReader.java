package org.hourstone.api.otlp;

import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.put.DoorPoints;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request of OTLP for metrics where it is, without an object for each data point, and adds
 * its values to the points. A message's fields may be in any order, so what concerns all of it is
 * looked for first. For one thread.
 */
final class MetricsReader {
  /** Of the request, of {@code ResourceMetrics} and {@code ScopeMetrics}, and of data. */
  private static final int RESOURCE_METRICS = 1;

  private static final int COMMON = 1;
  private static final int ELEMENTS = 2;
  private static final int DATA_POINTS = 1;
  private static final int TEMPORALITY = 2;

  /** Of {@code Metric}. */
  private static final int NAME = 1;

  private static final int DESCRIPTION = 2;
  private static final int UNIT = 3;
  private static final int GAUGE = 5;
  private static final int SUM = 7;
  private static final int HISTOGRAM = 9;
  private static final int EXPONENTIAL = 10;
  private static final int SUMMARY = 11;

  private final DoorPoints points;
  private final TagRules rules;
  private final Skipped skipped;
  private final DataPoint point;
  private final PointKind numbers = new NumberPoints();
  private final PointKind histograms = new HistogramPoints();
  private final PointKind exponentials = new ExponentialPoints();
  private final PointKind summaries = new SummaryPoints();
  private byte[] body = {};

  MetricsReader(DoorPoints points, TagRules rules, Skipped skipped) {
    this.points = points;
    this.rules = rules;
    this.skipped = skipped;
    this.point = new DataPoint(points, skipped);
  }

  /**
   * Adds all points of a request, or fewer if the store fails.
   *
   * @throws UnreadableException if it is not one; then some points may have been added
   */
  void read(byte[] request, int length) throws UnreadableException {
    body = request;
    ProtoReader fields = new ProtoReader(body, 0, length);
    while (fields.next()) {
      if (fields.field() == RESOURCE_METRICS) {
        readResource(fields.from(), fields.to());
      }
    }
  }

  private void readResource(int from, int to) throws UnreadableException {
    ByteBuilder resource = new ByteBuilder(); // of all its parts, which mostly is one
    ProtoReader fields = new ProtoReader(body, from, to);
    while (fields.next()) {
      if (fields.field() == COMMON) {
        resource.add(body, fields.from(), fields.to());
      }
    }
    ByteBuilder tags = new ByteBuilder();
    int others = rules.addResource(resource.bytes(), 0, resource.length(), tags);
    skipped.add(Skipped.Kind.RESOURCE_ATTRIBUTE, others);
    fields.of(body, from, to);
    while (fields.next()) {
      if (fields.field() == ELEMENTS) {
        readScope(fields.from(), fields.to(), tags);
      }
    }
  }

  /**
   * @param tags those of the resource, to which those of the scope are added for a while: a copy
   *     for each scope could take much more time than the request has bytes
   */
  private void readScope(int from, int to, ByteBuilder tags) throws UnreadableException {
    int ofResource = tags.length();
    ProtoReader fields = new ProtoReader(body, from, to);
    while (fields.next()) {
      if (fields.field() == COMMON) {
        int others = rules.addScope(body, fields.from(), fields.to(), tags);
        skipped.add(Skipped.Kind.SCOPE_ATTRIBUTE, others);
      }
    }
    fields.of(body, from, to);
    while (fields.next() && !points.hasFailed()) {
      if (fields.field() == ELEMENTS) {
        readMetric(fields.from(), fields.to(), tags);
      }
    }
    tags.shortenTo(ofResource);
  }

  private void readMetric(int from, int to, ByteBuilder tags) throws UnreadableException {
    int name = from;
    int nameEnd = from;
    int data = 0;
    PointKind kind = null;
    boolean areDeltas = false;
    ProtoReader fields = new ProtoReader(body, from, to);
    while (fields.next()) {
      PointKind known = kind(fields.field());
      if (known != null) {
        kind = known;
        data = fields.field();
        areDeltas |= isHistogram(data) && areDeltas(fields.from(), fields.to());
      } else if (fields.field() == NAME) {
        name = fields.from();
        nameEnd = fields.to();
      } else if (fields.field() == DESCRIPTION || fields.field() == UNIT) {
        skip(fields);
      }
    }
    if (kind == null) {
      return;
    }
    point.metric(body, name, nameEnd, tags);
    point.areDeltas(areDeltas);
    fields.of(body, from, to);
    while (fields.next()) {
      if (fields.field() == data) { // one of its parts, which mostly is all of it
        readPoints(fields.from(), fields.to(), kind);
      }
    }
  }

  private static boolean isHistogram(int field) {
    return field == HISTOGRAM || field == EXPONENTIAL;
  }

  private boolean areDeltas(int from, int to) throws UnreadableException {
    ProtoReader fields = new ProtoReader(body, from, to);
    boolean areDeltas = false;
    while (fields.next()) {
      if (fields.field() == TEMPORALITY) {
        areDeltas = fields.number() == Otlp.DELTA;
      }
    }
    return areDeltas;
  }

  private void readPoints(int from, int to, PointKind kind) throws UnreadableException {
    ProtoReader fields = new ProtoReader(body, from, to);
    while (!points.hasFailed() && fields.next()) {
      if (fields.field() == DATA_POINTS) {
        int begin = fields.from();
        point.begin();
        kind.read(body, begin, fields.to(), point);
      }
    }
  }

  private void skip(ProtoReader text) throws UnreadableException {
    if (text.from() < text.to()) {
      boolean isUnit = text.field() == UNIT;
      skipped.add(isUnit ? Skipped.Kind.UNIT : Skipped.Kind.DESCRIPTION, 1);
    }
  }

  /** That of the data in a field of a metric; null if it has none. */
  private @Nullable PointKind kind(int field) {
    return switch (field) {
      case GAUGE, SUM -> numbers;
      case HISTOGRAM -> histograms;
      case EXPONENTIAL -> exponentials;
      case SUMMARY -> summaries;
      default -> null;
    };
  }
}
