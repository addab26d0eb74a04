package org.hourstone.api.otlp;

import org.hourstone.api.put.DoorPoints;

/**
 * Selects the series of data points by bytes that denote it. The first range has the metric's name
 * and the attributes of its resource and scope that are tags, the second has what part of a data
 * point it is and the attributes of that: each as the protobuf message that was received, after its
 * length, so a known series costs a copy of them. {@link OtlpNames} reads them. For one thread.
 */
final class SeriesKeys {
  /** No series whose names can be stored has more. */
  private static final int LONGEST = 1 << 16;

  private static final int FEW = 1 << 14;
  private static final int MANY = 1 << 20;

  private final DoorPoints points;

  /** Those of points that are not written yet; replaced by a larger one, or overwritten. */
  private byte[] keys = new byte[FEW];

  private int end;

  /** That of the current metric in {@link #keys}; none before its first point. */
  private int first = -1;

  private final ByteBuilder metric = new ByteBuilder();
  private final ByteBuilder attributes = new ByteBuilder();

  SeriesKeys(DoorPoints points) {
    this.points = points;
  }

  /**
   * Begins the data points of a metric.
   *
   * @param tags as {@link TagRules} gives them
   */
  void metric(byte[] body, int name, int nameEnd, ByteBuilder tags) {
    metric.clear();
    metric.addVarint(nameEnd - name);
    metric.add(body, name, nameEnd);
    metric.add(tags.bytes(), 0, tags.length());
    first = -1;
  }

  /** Begins a data point. */
  void point() {
    attributes.clear();
  }

  /** Adds an attribute of the data point, a message. */
  void attribute(byte[] body, int from, int to) {
    addAttribute(attributes, body, from, to);
  }

  static void addAttribute(ByteBuilder to, byte[] body, int begin, int end) {
    to.addVarint(end - begin);
    to.add(body, begin, end);
  }

  /**
   * Selects a series of the data point.
   *
   * @param more an attribute in addition; may be empty
   * @return false if it has too long names; then one without any is selected
   */
  boolean select(Part part, byte[] more) {
    int length = 1 + attributes.length() + 1 + more.length;
    if (metric.length() + length > LONGEST) {
      points.select(keys, 0, 0, 0, 0);
      return false;
    }
    if ((first < 0 ? metric.length() : 0) + length > keys.length - end) {
      makeRoom();
    }
    if (first < 0) {
      first = end;
      append(metric.bytes(), metric.length());
    }
    int second = end;
    keys[end++] = part.code();
    append(attributes.bytes(), attributes.length());
    if (more.length > 0) {
      keys[end++] = (byte) more.length;
      append(more, more.length);
    }
    points.select(keys, first, first + metric.length(), second, end);
    return true;
  }

  private void append(byte[] from, int length) {
    System.arraycopy(from, 0, keys, end, length);
    end += length;
  }

  private void makeRoom() {
    if (keys.length == MANY) {
      points.flush();
    } else {
      keys = new byte[Math.min(MANY, Math.max(2 * keys.length, 2 * LONGEST))];
    }
    end = 0;
    first = -1;
  }
}
