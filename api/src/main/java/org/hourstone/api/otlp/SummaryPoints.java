package org.hourstone.api.otlp;

import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;

/** Data points of summaries: a series for each quantile, the sum and the count. */
final class SummaryPoints implements PointKind {
  private static final int START = 2;
  private static final int TIME = 3;
  private static final int COUNT = 4;
  private static final int SUM = 5;
  private static final int QUANTILE = 6;
  private static final int ATTRIBUTE = 7;
  private static final int FLAGS = 8;
  private static final int OF = 1;
  private static final int VALUE = 2;

  private final ProtoReader fields = new ProtoReader();
  private final ProtoReader quantile = new ProtoReader();

  @Override
  public void read(byte[] body, int from, int to, DataPoint point) throws UnreadableException {
    long count = 0;
    double sum = 0;
    fields.of(body, from, to);
    while (fields.next()) {
      switch (fields.field()) {
        case ATTRIBUTE -> point.attribute(body, fields);
        case START -> point.startTime(fields);
        case TIME -> point.time(fields);
        case FLAGS -> point.flags(fields);
        case COUNT -> count = fields.fixed();
        case SUM -> sum = fields.decimal();
        default -> {} // of a later version, or a quantile
      }
    }
    if (!point.isStorable()) {
      return;
    }
    point.addCount(Part.COUNT, count);
    point.add(Part.SUM, sum);
    fields.of(body, from, to); // now that its time and its attributes are known
    while (fields.next()) {
      if (fields.field() == QUANTILE) {
        addQuantile(body, fields.from(), fields.to(), point);
      }
    }
  }

  private void addQuantile(byte[] body, int from, int to, DataPoint point)
      throws UnreadableException {
    double of = 0;
    double value = 0;
    quantile.of(body, from, to);
    while (quantile.next()) {
      if (quantile.field() == OF) {
        of = quantile.decimal();
      } else if (quantile.field() == VALUE) {
        value = quantile.decimal();
      }
    }
    if (of >= 0 && of <= 1) {
      point.addQuantile(of, value);
    } else {
      point.refuse("the quantile " + of + " is not from 0 to 1");
    }
  }
}
