package org.hourstone.write;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.internal.IsoTime;
import org.hourstone.write.SeriesTexts.Form;

/**
 * How the points of lines are read ({@code hourstone.strict=points}). See {@code
 * docs/format/text-input.md}.
 */
public enum LineDialect {
  HOURSTONE,

  /** That of OpenTSDB 2.4. */
  OPENTSDB {
    /** OpenTSDB takes each byte for a character. */
    @Override
    public Charset telnetCharset() {
      return StandardCharsets.ISO_8859_1;
    }

    @Override
    Form telnetForm() {
      return Form.LATIN1;
    }

    /** OpenTSDB drops every dot, and knows no dates. */
    @Override
    long telnetTime(String text, ZoneId zone) {
      return ByteNumber.parseLong(withoutDots(text));
    }

    /** OpenTSDB knows neither dots nor dates here. */
    @Override
    long importTime(String text, ZoneId zone) {
      return ByteNumber.parseLong(text);
    }

    /** OpenTSDB takes it for the metric. */
    @Override
    boolean allowsPutInImports() {
      return false;
    }

    /** OpenTSDB takes them for points. */
    @Override
    public boolean allowsComments() {
      return false;
    }

    /** OpenTSDB doesn't say that it is the value. */
    @Override
    InvalidNumberException invalidValue(InvalidNumberException e, String text) {
      return e;
    }
  };

  /** Up to three digits; zeros after them change nothing. */
  private static final Pattern FRACTION = Pattern.compile("(\\d{1,3})0*");

  /** The charset of telnet lines and of the replies to them: that of JSON and of import files. */
  public Charset telnetCharset() {
    return StandardCharsets.UTF_8;
  }

  /** The form of metric and tags in telnet lines. */
  Form telnetForm() {
    return Form.UTF8;
  }

  /**
   * The text of a telnet line.
   *
   * @throws RequestException if it is not text
   */
  public String telnetText(byte[] bytes, int from, int to) {
    try {
      return telnetCharset()
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, to - from))
          .toString();
    } catch (CharacterCodingException e) {
      throw new RequestException("not " + telnetCharset() + " text", e);
    }
  }

  /**
   * The timestamp of a telnet line.
   *
   * @param zone of dates
   * @throws InvalidNumberException if it is not a number
   * @throws RequestException if anything else is wrong
   */
  long telnetTime(String text, ZoneId zone) {
    return timestamp(text, zone);
  }

  /** The timestamp of an import line. Throws as {@link #telnetTime} does. */
  long importTime(String text, ZoneId zone) {
    return timestamp(text, zone);
  }

  /** Whether a line of an import may begin with {@code put}, as for telnet. */
  boolean allowsPutInImports() {
    return true;
  }

  /** Whether a line of an import that begins with {@code #} is skipped. */
  public boolean allowsComments() {
    return true;
  }

  /** The error of a value that is not a number. */
  InvalidNumberException invalidValue(InvalidNumberException e, String text) {
    return e.of("value", text);
  }

  /**
   * The timestamp of a point as text, by the rule of all doors in default mode: seconds or
   * milliseconds since the epoch, seconds with a fraction, or a date.
   *
   * @param zone of dates
   * @throws InvalidNumberException if it is not a number
   * @throws RequestException if it is finer than a millisecond, or can't be stored
   */
  public static long timestamp(String text, ZoneId zone) {
    if (IsoTime.isMeant(text)) {
      long millis = IsoTime.parseMillis(text, zone);
      return millis % 1000 == 0 ? checkedSeconds(text, millis / 1000) : checkedMillis(text, millis);
    }
    int dot = text.indexOf('.');
    return dot < 0 ? number(text, text) : withFraction(text, dot);
  }

  private static long withFraction(String text, int dot) {
    Matcher fraction = FRACTION.matcher(text.substring(dot + 1));
    if (dot == 0 || !fraction.matches()) {
      throw new RequestException(
          "invalid timestamp: "
              + text
              + " (after a dot there must be one to three digits, a fraction of a second)");
    }
    long whole = number(text, text.substring(0, dot));
    String digits = fraction.group(1);
    int part = Integer.parseInt((digits + "00").substring(0, 3));
    if (whole < 0 || (part == 0 && digits.length() < 3)) {
      return whole;
    }
    if (Timestamps.isMillis(whole)) {
      throw new RequestException("invalid timestamp: " + text + " (finer than a millisecond)");
    }
    return checkedMillis(text, whole * 1000 + part);
  }

  private static long checkedSeconds(String text, long seconds) {
    if (seconds > Timestamps.MAX_SECONDS) {
      throw new RequestException("invalid timestamp: " + text + " (after the year 2106)");
    }
    return seconds;
  }

  private static long checkedMillis(String text, long millis) {
    if (!Timestamps.isMillis(millis)) {
      throw new RequestException(
          "invalid timestamp: "
              + text
              + " (too early for milliseconds: it would be read as seconds)");
    }
    return millis;
  }

  private static long number(String text, String digits) {
    try {
      return ByteNumber.parseLong(digits);
    } catch (InvalidNumberException e) {
      throw e.of("timestamp", text);
    }
  }

  private static String withoutDots(String text) {
    return text.indexOf('.') < 0 ? text : text.replace(".", "");
  }
}
