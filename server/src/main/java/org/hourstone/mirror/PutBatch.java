package org.hourstone.mirror;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.Value;

/** Points as JSON of {@code /api/put}, of which one range after the other is sent. */
final class PutBatch {
  /** More bytes than a timestamp, a value and what is between them have. */
  private static final int REST = 80;

  private byte[] text = new byte[1 << 17];
  private int bytes;

  private QueuedPoint[] points = new QueuedPoint[64];

  /** Where the text of each point ends, with a comma. */
  private int[] ends = new int[64];

  private int size;

  void clear() {
    bytes = 0;
    size = 0;
  }

  int size() {
    return size;
  }

  int bytes() {
    return bytes;
  }

  /**
   * Adds a point: its value has all digits, so a float is the same decimal as a double.
   *
   * @param series its text, as of {@link MirroredSeries}
   */
  void add(byte[] series, QueuedPoint point) {
    if (bytes + series.length + REST > text.length) {
      text = Arrays.copyOf(text, 2 * (bytes + series.length + REST));
    }
    System.arraycopy(series, 0, text, bytes, series.length);
    bytes += series.length;
    append(Long.toString(point.timestamp()));
    append(",\"value\":");
    append(
        Qualifier.isFloat(point.flags())
            ? Double.toString(Value.toDouble(point.flags(), point.raw()))
            : Long.toString(point.raw()));
    append("},");
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
      points = Arrays.copyOf(points, 2 * size);
    }
    points[size] = point;
    ends[size++] = bytes;
  }

  private void append(String ascii) {
    for (int i = 0; i < ascii.length(); i++) {
      text[bytes++] = (byte) ascii.charAt(i);
    }
  }

  QueuedPoint point(int index) {
    return points[index];
  }

  private int begin(int point) {
    return point == 0 ? 0 : ends[point - 1];
  }

  /**
   * The end of the longest range that begins with a point and has at most this size; at least one
   * point.
   */
  int rangeEnd(int from, int maxPoints, int maxBytes) {
    int to = from + 1;
    while (to < size && to - from < maxPoints && ends[to] - begin(from) < maxBytes) {
      to++;
    }
    return to;
  }

  /** The size of a range of points, as it is written. */
  int length(int from, int to) {
    return ends[to - 1] - begin(from) + 1;
  }

  /** Writes a range of points as an array. */
  void writeTo(OutputStream out, int from, int to) throws IOException {
    out.write('[');
    out.write(text, begin(from), ends[to - 1] - 1 - begin(from));
    out.write(']');
  }

  /** A point, for the log. */
  String text(int point) {
    return new String(text, begin(point), ends[point] - 1 - begin(point), StandardCharsets.UTF_8);
  }
}
