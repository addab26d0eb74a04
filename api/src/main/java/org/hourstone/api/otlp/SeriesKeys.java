package org.hourstone.api.otlp;

import org.hourstone.api.door.NameBytes;
import org.hourstone.api.put.DoorPoints;

/**
 * Selects the series of data points by bytes that denote it. The first range has the metric's name
 * and the attributes of its resource and scope that are tags, the second has what part of a data
 * point it is and the attributes of that: each as the protobuf message that was received, after its
 * length, so a known series costs a copy of them. {@link OtlpNames} reads them. For one thread.
 */
final class SeriesKeys {
  /**
   * The bytes of the attributes of a data point, at most: they are copied for each of its series.
   */
  private static final int LONGEST = 8192;

  private static final int FEW = 1 << 15;
  private static final int MANY = 1 << 20;

  private final DoorPoints points;

  /** Those of points that are not written yet; replaced by a larger one, or overwritten. */
  private byte[] keys = new byte[FEW];

  private int end;

  /** That of the current metric in {@link #keys}; none before its first point. */
  private int first = -1;

  /**
   * Where the current metric's name is, and the tags of its series: copied with its first point.
   */
  private byte[] body = {};

  private int name;
  private int nameEnd;
  private ByteBuilder tags = new ByteBuilder();
  private final ByteBuilder nameLength = new ByteBuilder();
  private final ByteBuilder attributes = new ByteBuilder();

  SeriesKeys(DoorPoints points) {
    this.points = points;
  }

  /**
   * Begins the data points of a metric.
   *
   * @param common as {@link TagRules} gives them; not changed before the next metric
   */
  void metric(byte[] from, int begin, int end, ByteBuilder common) {
    body = from;
    name = begin;
    nameEnd = end;
    tags = common;
    nameLength.clear();
    nameLength.addVarint(end - begin);
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
   * @return why it can't be stored, as its names are too long; then one without any is selected.
   *     Empty if they are not.
   */
  String select(Part part, byte[] more) {
    int common = nameLength.length() + (nameEnd - name) + tags.length();
    int length = 1 + attributes.length() + 1 + more.length;
    String fault =
        common > OtlpNames.LONGEST_COMMON
            ? NameBytes.tooLong(OtlpNames.COMMON_HAS, common, OtlpNames.LONGEST_COMMON)
            : length > LONGEST ? NameBytes.tooLong("the attributes have", length, LONGEST) : "";
    if (!fault.isEmpty()) {
      points.select(keys, 0, 0, 0, 0);
      return fault;
    }
    if ((first < 0 ? common : 0) + length > keys.length - end) {
      makeRoom();
    }
    if (first < 0) {
      first = end;
      append(nameLength.bytes(), 0, nameLength.length());
      append(body, name, nameEnd - name);
      append(tags.bytes(), 0, tags.length());
    }
    int second = end;
    keys[end++] = part.code();
    append(attributes.bytes(), 0, attributes.length());
    if (more.length > 0) {
      keys[end++] = (byte) more.length;
      append(more, 0, more.length);
    }
    points.select(keys, first, first + common, second, end);
    return "";
  }

  private void append(byte[] from, int begin, int length) {
    System.arraycopy(from, begin, keys, end, length);
    end += length;
  }

  private void makeRoom() {
    if (keys.length == MANY) {
      points.flush();
    } else {
      keys = new byte[Math.min(MANY, 2 * keys.length)];
    }
    end = 0;
    first = -1;
  }
}
