package org.hourstone.api.request;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.internal.NumberText;

/**
 * How series are drawn.
 *
 * @param width in pixels, {@link #MIN_PIXELS} to {@link #MAX_PIXELS}, as the height
 * @param zone of the times
 * @param title above the plot; empty for none
 * @param axis that of the values
 * @param legend whether it names the series
 */
public record PlotStyle(
    int width, int height, ZoneId zone, String title, Axis axis, boolean legend) {
  /**
   * The axis of the values.
   *
   * @param label beside it; empty for none
   * @param least its bottom, below its top, and above 0 if it is logarithmic; empty for that of the
   *     values, as its top
   */
  public record Axis(
      String label, OptionalDouble least, OptionalDouble greatest, boolean logarithmic) {}

  public static final int WIDTH = 1024;
  public static final int HEIGHT = 576;
  public static final int MIN_PIXELS = 100;
  public static final int MAX_PIXELS = 4096;

  private static final Pattern SIZE = Pattern.compile("(\\d{1,5})x(\\d{1,5})");
  private static final Pattern RANGE = Pattern.compile("\\[([^:\\]]*):([^:\\]]*)]");

  /** A plot of values as they are, with a legend. */
  public static PlotStyle of(int width, int height, ZoneId zone) {
    OptionalDouble any = OptionalDouble.empty();
    return new PlotStyle(width, height, zone, "", new Axis("", any, any, false), true);
  }

  /**
   * By OpenTSDB's parameters {@code wxh}, {@code title}, {@code ylabel}, {@code yrange}, {@code
   * ylog}, {@code nokey} and {@code tz}.
   *
   * @throws ApiException if one of them is malformed
   */
  public static PlotStyle of(ApiCall call) {
    String size = call.parameter("wxh").orElse(WIDTH + "x" + HEIGHT);
    Matcher pixels = matched("wxh", SIZE, size);
    Matcher range = matched("yrange", RANGE, call.parameter("yrange").orElse("[:]"));
    OptionalDouble least = bound(range.group(1));
    OptionalDouble greatest = bound(range.group(2));
    boolean logarithmic = call.has("ylog");
    if (logarithmic && (least.orElse(1) <= 0 || greatest.orElse(1) <= 0)) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "with ylog yrange must be above 0: '" + range.group() + "'");
    }
    if (least.isPresent() && least.getAsDouble() >= greatest.orElse(Double.MAX_VALUE)) {
      throw malformed("yrange", range.group());
    }
    return new PlotStyle(
        pixels(size, pixels.group(1)),
        pixels(size, pixels.group(2)),
        zone(call.parameter("tz").orElse("UTC")),
        call.parameter("title").orElse(""),
        new Axis(call.parameter("ylabel").orElse(""), least, greatest, logarithmic),
        !call.has("nokey"));
  }

  private static Matcher matched(String parameter, Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw malformed(parameter, text);
    }
    return matcher;
  }

  private static int pixels(String size, String text) {
    int pixels = Integer.parseInt(text);
    if (pixels < MIN_PIXELS || pixels > MAX_PIXELS) {
      throw new ApiException(
          ApiException.BAD_REQUEST,
          "wxh=" + size + ": must be " + MIN_PIXELS + " to " + MAX_PIXELS + " pixels each");
    }
    return pixels;
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text, ZoneId.SHORT_IDS);
    } catch (DateTimeException e) {
      throw malformed("tz", text);
    }
  }

  private static OptionalDouble bound(String text) {
    String number = text.strip();
    if (number.isEmpty() || number.equals("*")) {
      return OptionalDouble.empty();
    }
    try {
      double bound = Double.parseDouble(number);
      if (Double.isFinite(bound) && NumberText.isHeld(number, bound)) {
        return OptionalDouble.of(bound);
      }
    } catch (NumberFormatException e) {
      // as one that is not finite
    }
    throw malformed("yrange", text);
  }

  private static ApiException malformed(String parameter, String text) {
    return new ApiException(ApiException.BAD_REQUEST, parameter + " is malformed: '" + text + "'");
  }
}
