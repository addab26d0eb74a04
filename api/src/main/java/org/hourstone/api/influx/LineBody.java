package org.hourstone.api.influx;

import org.hourstone.api.door.DoorLines;
import org.hourstone.api.door.LineFault;
import org.hourstone.api.put.DoorPoints;

/** Writes the points of the lines of one body. For one thread. */
final class LineBody implements DoorLines {
  private final InfluxSeries series;
  private final DoorPoints points;
  private final Precision precision;
  private final long now;
  private final Line line = new Line();
  private long strings;

  /**
   * @param nowMillis the time of lines without one
   */
  LineBody(InfluxSeries series, DoorPoints points, Precision precision, long nowMillis) {
    this.series = series;
    this.points = points;
    this.precision = precision;
    this.now = precision.cutOff(nowMillis);
  }

  @Override
  public int endOfLine(byte[] text, int from, int to) {
    return LineText.endOfLine(text, from, to);
  }

  @Override
  public void add(byte[] text, int from, int to) throws LineFault {
    line.read(text, from, to);
    long millis = line.hasTimestamp() ? precision.toMillis(line.timestamp()) : now;
    boolean isChecked = false;
    int skipped = 0;
    for (int i = 0; i < line.fields(); i++) {
      if (line.type(i) == Line.Type.STRING) {
        skipped++;
        continue;
      }
      boolean isKnown =
          points.select(text, line.key(), line.keyEnd(), line.name(i), line.nameEnd(i));
      if (!isKnown && !isChecked) {
        series.check(text, line.key(), line.keyEnd());
        isChecked = true;
      }
      if (line.type(i) == Line.Type.INTEGER) {
        points.add(millis, line.integer(i));
      } else {
        points.add(millis, line.decimal(i));
      }
    }
    if (skipped == line.fields()) {
      series.check(text, line.key(), line.keyEnd());
    }
    strings += skipped;
  }

  /** How many fields were skipped since they are strings. */
  long strings() {
    return strings;
  }
}
