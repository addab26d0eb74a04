package org.hourstone.expression;

import org.hourstone.expression.Arguments.Word;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;

/** Shifts points of an earlier range to later times. */
record TimeShift(long millis) implements EachSeries {
  static TimeShift of(Arguments arguments) {
    Word word =
        arguments.first("Need amount of timeshift to perform timeshift", "a span such as '10min'");
    arguments.dialect().checkShift(arguments, word);
    long millis = Window.millis(word.text());
    if (millis < 0) {
      throw arguments.wrong(
          word,
          "Invalid timeshift parameter: eg '10min'",
          "'" + word.text() + "' is not a time span such as '10min'");
    }
    return new TimeShift(millis);
  }

  @Override
  public long earlierMillis() {
    return millis;
  }

  @Override
  public ResultSeries apply(ResultSeries series, Evaluation evaluation) {
    SeriesBuilder shifted = SeriesBuilder.like(series);
    for (int i = 0; i < series.size(); i++) {
      long time = series.millis(i) + millis;
      if (series.isInteger(i)) {
        shifted.addLong(time, series.longValue(i));
      } else {
        shifted.addDouble(time, series.doubleValue(i));
      }
    }
    return shifted.build();
  }
}
