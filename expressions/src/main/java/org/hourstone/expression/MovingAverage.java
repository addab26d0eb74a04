package org.hourstone.expression;

import org.hourstone.expression.Arguments.Word;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;

/**
 * The mean of the last values, as a double; 0 until there are enough of them. NaN values and points
 * before the range are ignored.
 *
 * @param points the number of values; 0 for a time span
 * @param millis the length of the time span; points have no mean until one point lies at least this
 *     long before them
 */
record MovingAverage(int points, long millis) implements EachSeries {
  private static final int POINTS_PER_CHECK = 64; // each may add up 1024 values

  static MovingAverage of(Arguments arguments) {
    Word word =
        arguments.first(
            "Missing moving average window size", "a number of points or a span such as '10min'");
    String text = word.text();
    boolean number = text.matches("\\d{1,9}");
    if (number && !word.quoted()) {
      int points = Integer.parseInt(text);
      if (points == 0) {
        throw arguments.wrong(
            word,
            "Moving average window must be an integer greater than zero",
            "a mean of 0 points");
      }
      return new MovingAverage(points, 0);
    }
    long millis = arguments.dialect().readsSpan(word) ? Window.millis(text) : -1;
    if (millis <= 0) {
      throw arguments.wrong(
          word,
          word.quoted()
              ? "Unknown time unit=" + Window.unit(text) + " in window='" + text + "'"
              : "Unparseable window size: " + text,
          "'" + text + "' is neither a number of points nor a span such as '10min'");
    }
    return new MovingAverage(0, millis);
  }

  @Override
  public ResultSeries apply(ResultSeries series, Evaluation evaluation) {
    ResultSeries visible = evaluation.trimmed(series);
    SeriesBuilder means = SeriesBuilder.like(visible);
    WindowSum window = new WindowSum(visible::doubleValue);
    for (int i = 0; i < visible.size(); i++) {
      if (i % POINTS_PER_CHECK == 0) {
        evaluation.budget().check();
      }
      window.enter();
      while (points > 0
          ? window.count() > points
          : visible.millis(i) - visible.millis(window.from()) >= millis) {
        window.leave();
      }
      boolean isFull = points > 0 ? window.count() == points : window.from() > 0;
      means.addDouble(visible.millis(i), isFull ? window.sum() / window.count() : 0);
    }
    return means.build();
  }
}
