package org.hourstone.api.prometheus;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import org.hourstone.error.RequestException;
import org.hourstone.internal.ShortText;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a label, as Prometheus has it: one that is absent has an empty value, and a
 * regular expression must match all of a value. Thread-safe.
 */
final class LabelMatcher {
  private static final int MOST_TEXT = 500;

  /**
   * Alternatives of letters that mean themselves in a regular expression. Without a group, which
   * would need the more of the stack the longer an expression is.
   */
  private static final java.util.regex.Pattern LITERALS =
      java.util.regex.Pattern.compile("[\\w:/ ,;=@%&~#<>!'\"|-]+");

  /** As Prometheus has it. Compiling an expression takes time by the square of it. */
  static final int MOST_DEPTH = 1000;

  /** More values are not looked up one by one. */
  private static final int MOST_LITERALS = 1000;

  private final Type type;
  private final String name;
  private final String value;
  private final @Nullable Pattern pattern;

  /** How the value is meant. */
  enum Type {
    EQ(0, "="),
    NEQ(1, "!="),
    RE(2, "=~"),
    NRE(3, "!~");

    private final int number;
    private final String sign;

    Type(int number, String sign) {
      this.number = number;
      this.sign = sign;
    }

    /** The number in requests. */
    int number() {
      return number;
    }

    /** The type of a number in requests; null if the number is unknown. */
    static @Nullable Type of(long number) {
      for (Type each : values()) {
        if (each.number == number) {
          return each;
        }
      }
      return null;
    }

    boolean isRegex() {
      return this == RE || this == NRE;
    }
  }

  /**
   * @throws RequestException if the value is not a regular expression where it should be one
   */
  LabelMatcher(Type type, String name, String value) {
    this.type = type;
    this.name = name;
    this.value = value;
    this.pattern = type.isRegex() ? compile(value) : null;
  }

  private static Pattern compile(String regex) {
    if (RegexShape.of(regex, MOST_DEPTH).depth() > MOST_DEPTH) {
      throw nestedTooDeeply(regex);
    }
    try {
      return Pattern.compile("^(?s:" + regex + ")$");
    } catch (PatternSyntaxException e) {
      throw new RequestException(
          "not a regular expression: " + ShortText.of(regex, MOST_TEXT) + ": " + e.getMessage(), e);
    } catch (StackOverflowError e) {
      throw nestedTooDeeply(regex);
    }
  }

  private static RequestException nestedTooDeeply(String regex) {
    return new RequestException(
        "the regular expression is nested too deeply: " + ShortText.of(regex, MOST_TEXT));
  }

  /** The label's name. */
  String name() {
    return name;
  }

  /** Whether it is one on the metric. */
  boolean isOfMetric() {
    return name.equals(LabelSets.METRIC);
  }

  /** Whether it excludes what its value describes. */
  boolean isNegative() {
    return type == Type.NEQ || type == Type.NRE;
  }

  /**
   * Whether a label with this value passes.
   *
   * @throws RequestException if the regular expression is nested too deeply to tell
   */
  boolean passes(String label) {
    return isDescribed(label) != isNegative();
  }

  /** As {@link #passes}, for a label that has two values, either of which may be meant. */
  boolean passes(String label, String other) {
    return (isDescribed(label) || isDescribed(other)) != isNegative();
  }

  private boolean isDescribed(String label) {
    if (pattern == null) {
      return label.equals(value);
    }
    try {
      return pattern.matcher(label).find();
    } catch (StackOverflowError e) {
      throw nestedTooDeeply(value);
    }
  }

  /** The only values that it describes; empty if there are others, many, or an empty one. */
  List<String> literals() {
    if (pattern == null) {
      return value.isEmpty() ? List.of() : List.of(value);
    }
    if (!LITERALS.matcher(value).matches()) {
      return List.of();
    }
    List<String> literals = List.of(value.split("\\|", -1));
    return literals.size() > MOST_LITERALS || literals.contains("") ? List.of() : literals;
  }

  /** The regular expression; empty if the matcher has none. */
  String regex() {
    return pattern == null ? "" : value;
  }

  @Override
  public String toString() {
    return name + type.sign + '"' + ShortText.of(value, MOST_TEXT) + '"';
  }
}
