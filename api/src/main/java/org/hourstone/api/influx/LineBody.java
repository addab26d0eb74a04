package org.hourstone.api.influx;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.hourstone.api.door.DoorLines;
import org.hourstone.api.door.LineFault;
import org.hourstone.api.put.DoorPoints;

/** Writes the points of the lines of one body. For one thread. */
final class LineBody implements DoorLines {
  private static final int MOST_SHOWN = 200;

  private final InfluxSeries series;
  private final DoorPoints points;
  private final Precision precision;
  private final long now;
  private final Line line = new Line();
  private long strings;
  private String firstString = "";

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
        if (strings == 0 && skipped == 0) {
          firstString =
              shown(text, line.name(i), line.nameEnd(i))
                  + " of "
                  + shown(text, line.key(), line.keyEnd());
        }
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

  private static String shown(byte[] text, int from, int to) {
    int end = Math.min(to, from + MOST_SHOWN);
    return new String(text, from, end - from, UTF_8);
  }

  /** The name of the first field that was skipped, and its line's measurement and tags. */
  String firstString() {
    return firstString;
  }

  /** How many fields were skipped since they are strings. */
  long strings() {
    return strings;
  }
}
