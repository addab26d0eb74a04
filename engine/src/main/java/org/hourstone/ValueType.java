package org.hourstone;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.hourstone.index.MetricLimits;
import org.hourstone.retention.RetentionRules;

/**
 * The values of a setting.
 *
 * @param description the values as a noun phrase in Markdown, for the documentation and for errors
 * @param parser from the text in a file of settings; throws an IllegalArgumentException or a
 *     DateTimeException if it is not a value
 */
record ValueType<T>(String description, Function<String, T> parser) {

  /** A text is not a value, for a reason that its user should know. */
  static final class ExplainedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    ExplainedException(String reason) {
      super(reason);
    }
  }

  private static final String AUTO = "auto";
  private static final String OR_AUTO = ", or `" + AUTO + "`";
  private static final String FLAG = "`true` or `false`";
  private static final Set<String> TRUE = Set.of("1", "true", "yes");
  private static final Set<String> FALSE = Set.of("", "0", "false", "no", "off");

  /** A boolean as in OpenTSDB: 1, true and yes are true, any other text is false. */
  static ValueType<Boolean> flag() {
    return new ValueType<>(FLAG, text -> TRUE.contains(word(text)));
  }

  /** Whether a text is false only because any text is. */
  boolean isMisspelt(String text) {
    return description.startsWith(FLAG)
        && !TRUE.contains(word(text))
        && !FALSE.contains(word(text))
        && !(hasAuto() && text.strip().equals(AUTO));
  }

  /** Whether this is {@linkplain #orAuto with "auto"}. */
  boolean hasAuto() {
    return description.endsWith(OR_AUTO);
  }

  private static String word(String text) {
    return text.strip().toLowerCase(Locale.ROOT);
  }

  static ValueType<String> text(String description) {
    return new ValueType<>(description, Function.identity());
  }

  static ValueType<String> oneOf(String... words) {
    return new ValueType<>(
        "`" + String.join("` or `", words) + "`",
        text -> {
          check(List.of(words).contains(text));
          return text;
        });
  }

  /** A time zone; empty for the system's. */
  static ValueType<Optional<ZoneId>> zone() {
    return new ValueType<>(
        "a time zone, such as `Europe/Berlin`; empty for the system's",
        text -> text.isEmpty() ? Optional.empty() : Optional.of(ZoneId.of(text)));
  }

  static ValueType<Set<StrictSubject>> subjects() {
    return new ValueType<>(
        "`all`, `none` or subjects, separated by commas: " + StrictSubject.words(),
        StrictSubject::parse);
  }

  /** Rules of how long values are kept. */
  static ValueType<RetentionRules> retention() {
    return new ValueType<>(
        "rules, separated by semicolons, such as `sys.*{dc=lga} raw 30d, 1h 10y; * raw 400d`",
        text -> {
          try {
            return RetentionRules.parse(text);
          } catch (IllegalArgumentException e) {
            throw new ExplainedException(String.valueOf(e.getMessage()));
          }
        });
  }

  /** Numbers of series by metric. */
  static ValueType<MetricLimits> metricLimits() {
    return new ValueType<>(
        "a number, or rules, separated by semicolons, such as `debug.* 100; * 10000`",
        text -> {
          try {
            return MetricLimits.parse(text);
          } catch (IllegalArgumentException e) {
            throw new ExplainedException(String.valueOf(e.getMessage()));
          }
        });
  }

  static ValueType<Integer> number(String unit, int least) {
    return new ValueType<>(
        "a number of " + unit + ", " + least + " or more",
        text -> integer(text, least, Integer.MAX_VALUE));
  }

  static ValueType<Integer> number(String unit, int least, int most) {
    return new ValueType<>(
        "a number of " + unit + ", " + least + " to " + most, text -> integer(text, least, most));
  }

  /** A TCP port; 0 for any that is free. */
  static ValueType<Integer> port() {
    return new ValueType<>("a port, 0 to 65535", text -> integer(text, 0, 65_535));
  }

  /** A number that can exceed {@link Integer#MAX_VALUE}. */
  static ValueType<Long> amount(String unit, long least) {
    return new ValueType<>(
        "a number of " + unit + ", " + least + " or more",
        text -> {
          long value = Long.parseLong(text.strip());
          check(value >= least);
          return value;
        });
  }

  static ValueType<Duration> seconds(int least) {
    return number("seconds", least).as(Duration::ofSeconds);
  }

  static ValueType<Duration> millis() {
    return amount("milliseconds", 0).as(Duration::ofMillis);
  }

  /** These values, and "auto", which is the empty one. */
  ValueType<Optional<T>> orAuto() {
    return new ValueType<>(
        description + OR_AUTO,
        text -> text.strip().equals(AUTO) ? Optional.empty() : Optional.of(parser.apply(text)));
  }

  private <U> ValueType<U> as(Function<? super T, U> conversion) {
    return new ValueType<>(description, text -> conversion.apply(parser.apply(text)));
  }

  private static int integer(String text, int least, int most) {
    int value = Integer.parseInt(text.strip());
    check(least <= value && value <= most);
    return value;
  }

  private static void check(boolean valid) {
    if (!valid) {
      throw new IllegalArgumentException("not in the range");
    }
  }
}
