package org.hourstone.api.prometheus;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

  /** A letter that is escaped, but a backslash or what separates alternatives. */
  private static final java.util.regex.Pattern ESCAPED =
      java.util.regex.Pattern.compile("\\\\([!-/:-@\\[\\]^_`{}~])");

  /** As Prometheus has it. Compiling an expression takes time by the square of it. */
  static final int MOST_DEPTH = 1000;

  /** More values are not looked up one by one. */
  private static final int MOST_LITERALS = 1000;

  private final Type type;
  private final String name;
  private final String value;

  /** All values that it describes; null if it has a pattern. */
  private final @Nullable Set<String> values;

  private volatile @Nullable Pattern pattern;

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

  LabelMatcher(Type type, String name, String value) {
    this.type = type;
    this.name = name;
    this.value = value;
    if (!type.isRegex()) {
      this.values = Set.of(value);
    } else if (isList(value)) {
      this.values = Set.copyOf(List.of(unescaped(value).split("\\|", -1)));
    } else {
      this.values = null;
    }
  }

  /**
   * Compiles the regular expression, if there is one; else that is done when a value is tested.
   *
   * @throws RequestException if the value is not a regular expression where it should be one
   */
  void compile() {
    if (values == null && pattern == null) {
      pattern = compile(value);
    }
  }

  /** Whether a regular expression is only a list of values, which takes no compiling. */
  static boolean isList(String regex) {
    return LITERALS.matcher(ESCAPED.matcher(inner(regex)).replaceAll("_")).matches();
  }

  private static String unescaped(String regex) {
    return ESCAPED.matcher(inner(regex)).replaceAll("$1");
  }

  /** Without the parentheses around all of it, as Grafana writes lists. */
  private static String inner(String regex) {
    int begin = regex.startsWith("(?:") ? 3 : regex.startsWith("(") ? 1 : 0;
    return begin > 0 && regex.length() > begin && regex.endsWith(")")
        ? regex.substring(begin, regex.length() - 1)
        : regex;
  }

  private static Pattern compile(String regex) {
    RegexShape shape = RegexShape.of(regex, MOST_DEPTH);
    if (shape.depth() > MOST_DEPTH) {
      throw nestedTooDeeply(regex);
    }
    if (shape.isEndless()) {
      throw new RequestException(
          "the regular expression ignores the case of letters from U+1C80 to U+1C88, which is not"
              + " supported: "
              + ShortText.of(regex, MOST_TEXT));
    }
    try {
      return Pattern.compile(regex, Pattern.DOTALL);
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
    if (values != null) {
      return values.contains(label);
    }
    compile();
    try {
      return Objects.requireNonNull(pattern).matches(label);
    } catch (StackOverflowError e) {
      throw nestedTooDeeply(value);
    }
  }

  /** The only values that it describes; empty if there are others, many, or an empty one. */
  List<String> literals() {
    return values == null || values.size() > MOST_LITERALS || values.contains("")
        ? List.of()
        : List.copyOf(values);
  }

  /** The regular expression; empty if the matcher has none. */
  String regex() {
    return type.isRegex() ? value : "";
  }

  @Override
  public String toString() {
    return name + type.sign + '"' + ShortText.of(value, MOST_TEXT) + '"';
  }
}
