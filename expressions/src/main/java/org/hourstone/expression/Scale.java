package org.hourstone.expression;

import java.util.regex.Pattern;
import org.hourstone.expression.Arguments.Word;
import org.hourstone.internal.NumberText;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;

/**
 * Multiplies by a factor. An integer stays one if the factor is whole and the product fits in 64
 * bits.
 *
 * @param wraps whether it stays one if the product does not fit
 */
record Scale(double factor, boolean wraps) implements EachSeries {
  private static final Pattern FACTOR = Pattern.compile("-?(\\d+\\.?\\d*|\\.\\d+)");
  private static final Pattern DIGITS = Pattern.compile("[-0-9.]+");

  static Scale of(Arguments arguments) {
    Word word = arguments.first("Missing scaling factor", "a factor, such as 2 or 0.5");
    if (!FACTOR.matcher(word.text()).matches() || !arguments.dialect().readsNumber(word)) {
      throw arguments.wrong(
          word,
          !word.quoted() && DIGITS.matcher(word.text()).matches()
              ? "Invalid parameter, must be an integer or floating point"
              : "Unparseable scale factor value: 0.0",
          "'" + word.text() + "' is not a factor such as 2 or 0.5");
    }
    double factor = Double.parseDouble(word.text());
    boolean wraps = arguments.dialect().wrapsIntegers();
    if (!wraps && !NumberText.isHeld(word.text(), factor)) {
      throw arguments.wrong(
          word, "", "'" + word.text() + "' is not a factor that a double can hold");
    }
    return new Scale(factor, wraps);
  }

  @Override
  public ResultSeries apply(ResultSeries series, Evaluation evaluation) {
    boolean whole = factor == Math.rint(factor) && !Double.isInfinite(factor);
    boolean isInteger = whole && (wraps || Math.abs(factor) < 0x1p63);
    SeriesBuilder scaled = SeriesBuilder.like(series);
    for (int i = 0; i < series.size(); i++) {
      if (isInteger && series.isInteger(i) && (wraps || fits(series.longValue(i)))) {
        scaled.addLong(series.millis(i), series.longValue(i) * (long) factor);
      } else {
        scaled.addDouble(series.millis(i), series.doubleValue(i) * factor);
      }
    }
    return scaled.build();
  }

  private boolean fits(long value) {
    long product = value * (long) factor;
    return Math.multiplyHigh(value, (long) factor) == product >> (Long.SIZE - 1);
  }
}
