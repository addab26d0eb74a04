package org.hourstone.api.otlp;

import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;

/** Data points of gauges and sums: one value, which stays an integer or a decimal. */
final class NumberPoints implements PointKind {
  private static final int START = 2;
  private static final int TIME = 3;
  private static final int DECIMAL = 4;
  private static final int EXEMPLAR = 5;
  private static final int INTEGER = 6;
  private static final int ATTRIBUTE = 7;
  private static final int FLAGS = 8;

  private final ProtoReader fields = new ProtoReader();

  @Override
  public void read(byte[] body, int from, int to, DataPoint point) throws UnreadableException {
    int kind = 0;
    long value = 0;
    fields.of(body, from, to);
    while (fields.next()) {
      switch (fields.field()) {
        case ATTRIBUTE -> point.attribute(body, fields);
        case START -> point.startTime(fields);
        case TIME -> point.time(fields);
        case FLAGS -> point.flags(fields);
        case EXEMPLAR -> point.exemplar();
        case DECIMAL, INTEGER -> {
          kind = fields.field();
          value = fields.fixed();
        }
        default -> {} // of a later version
      }
    }
    if (!point.isStorable()) {
      return;
    }
    switch (kind) {
      case DECIMAL -> point.add(Part.VALUE, Double.longBitsToDouble(value));
      case INTEGER -> point.add(Part.VALUE, value);
      default -> point.refuse("the data point has no value");
    }
  }
}
