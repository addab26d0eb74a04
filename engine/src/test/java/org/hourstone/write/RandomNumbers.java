package org.hourstone.write;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;

/** Texts of numbers, many of them hard to round, and some that are none. */
final class RandomNumbers {
  /** More digits than decide about any double of these. */
  private static final int MOST_DIGITS = 50;

  private final Random random;

  RandomNumbers(long seed) {
    this.random = new Random(seed);
  }

  String next() {
    String text =
        switch (random.nextInt(13)) {
          case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
          case 1 -> Float.toString(Float.intBitsToFloat(random.nextInt()));
          case 2 -> Long.toString(random.nextLong() >> random.nextInt(64));
          case 3 -> String.format("%.2f", random.nextGaussian() * 1000);
          case 4 -> random.nextInt(100000) + "." + random.nextInt(1000);
          case 5 -> digits(20) + "." + digits(25);
          case 6 -> digits(25) + "e" + (random.nextInt(700) - 350);
          case 7 -> digits(4) + "." + digits(3) + "E" + random.nextInt(30);
          case 8 -> digits(30) + "." + digits(30) + "e" + (random.nextInt(700) - 350);
          case 9 -> Double.toString(subnormal());
          case 10 -> halfway(ordinary());
          case 11 -> halfway(random.nextBoolean() ? subnormal() : anyDouble());
          default -> random.nextBoolean() ? near(ordinary()) : near(anyDouble());
        };
    return random.nextInt(20) > 0 ? text : mutated(text);
  }

  private String digits(int most) {
    StringBuilder digits = new StringBuilder();
    for (int i = random.nextInt(most); i >= 0; i--) {
      digits.append((char) ('0' + random.nextInt(10)));
    }
    return digits.toString();
  }

  /** Whose halfway points have few digits: also integers above 2^53. */
  private double ordinary() {
    return Math.scalb(1 + random.nextDouble(), random.nextInt(150) - 20);
  }

  private double anyDouble() {
    double value = Double.longBitsToDouble(random.nextLong());
    return Math.abs(value) < Double.MAX_VALUE ? Math.abs(value) : 1;
  }

  /** A subnormal double, or a subnormal float, whose exponent is that of a usual double. */
  private double subnormal() {
    return random.nextBoolean()
        ? Double.longBitsToDouble(random.nextLong() >>> (12 + random.nextInt(52)))
        : Float.intBitsToFloat(random.nextInt() >>> (9 + random.nextInt(23)));
  }

  /** Halfway between two doubles or floats, and close to that: where rounding is decided. */
  private String halfway(double value) {
    boolean ofFloats = random.nextBoolean() && Math.abs(value) < Float.MAX_VALUE / 2;
    double from = ofFloats ? (float) value : value;
    double next = ofFloats ? Math.nextUp((float) value) : Math.nextUp(value);
    return rounded(
        new BigDecimal(from).add(new BigDecimal(next)).divide(BigDecimal.valueOf(2)),
        random.nextInt(4) == 0 ? 17 + random.nextInt(8) : MOST_DIGITS);
  }

  /** A double with more digits than are needed. */
  private String near(double value) {
    return rounded(new BigDecimal(value), 17 + random.nextInt(30));
  }

  /** As it is if it has few digits; else the digits just below or above. */
  private String rounded(BigDecimal exact, int digits) {
    BigDecimal value =
        exact.round(
            new MathContext(digits, random.nextBoolean() ? RoundingMode.DOWN : RoundingMode.UP));
    String text =
        value.scale() > -MOST_DIGITS && value.scale() < MOST_DIGITS && random.nextBoolean()
            ? value.toPlainString()
            : value.toString();
    boolean isDecimal = text.indexOf('.') >= 0 || text.indexOf('E') >= 0;
    return switch (random.nextInt(4)) {
      case 0 -> isDecimal ? text : text + ".";
      case 1 -> text.indexOf('E') >= 0 ? text : text + (isDecimal ? "" : ".") + random.nextInt(10);
      case 2 -> "-" + text;
      default -> isDecimal ? text : text + ".0";
    };
  }

  private String mutated(String text) {
    StringBuilder changed = new StringBuilder(text);
    changed.setCharAt(
        random.nextInt(text.length()), "0123456789.eE+-xdfpN \u00e9".charAt(random.nextInt(22)));
    return changed.toString();
  }
}
