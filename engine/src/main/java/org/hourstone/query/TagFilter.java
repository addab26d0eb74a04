package org.hourstone.query;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.BoundedRegex;
import org.hourstone.internal.Glob;

/**
 * A condition on the values of a tag. Filters on different tags must all match, and so must several
 * on one tag. See {@code docs/query.md#filters}.
 *
 * @param type how the text is interpreted
 * @param tagk the tag's name
 * @param text values with {@code |} between them, patterns with {@code *}, or a regular expression;
 *     empty for {@link Type#NOT_KEY}
 * @param groupBy whether series with different values of the tag are in different groups
 */
public record TagFilter(Type type, String tagk, String text, boolean groupBy) {

  /** The interpretation of a filter's text. */
  public enum Type {
    /** The tag is there with one of the values. */
    LITERAL_OR("literal_or"),
    /** As literal_or, upper and lower case alike. */
    ILITERAL_OR("iliteral_or"),
    /** The tag has none of the values, or is absent. */
    NOT_LITERAL_OR("not_literal_or"),
    /** As not_literal_or, ignoring case. */
    NOT_ILITERAL_OR("not_iliteral_or"),
    /**
     * The tag is present, and its value is one of the texts with anything in place of each star.
     */
    WILDCARD("wildcard"),
    /** As wildcard, upper and lower case alike. */
    IWILDCARD("iwildcard"),
    /** The tag is present, and the regular expression is found in its value. */
    REGEXP("regexp"),
    /** The tag is absent. */
    NOT_KEY("not_key");

    private final String requestName;

    Type(String requestName) {
      this.requestName = requestName;
    }

    /** The name used in requests, such as {@code literal_or}. */
    public String requestName() {
      return requestName;
    }

    boolean isPattern() {
      return this == WILDCARD || this == IWILDCARD;
    }

    /** Whether series without the tag pass. */
    public boolean passesAbsent() {
      return this == NOT_LITERAL_OR || this == NOT_ILITERAL_OR || this == NOT_KEY;
    }

    /**
     * The type with this name.
     *
     * @throws RequestException if the name is unknown
     */
    public static Type parse(String name) {
      return Arrays.stream(values())
          .filter(type -> type.requestName.equals(name))
          .findFirst()
          .orElseThrow(() -> unknown(name));
    }

    static RequestException unknown(String name) {
      return new RequestException("Could not find a tag value filter of the type: " + name);
    }
  }

  /**
   * @throws RequestException if the text can't be of this type; the message has the reason
   */
  public TagFilter {
    if (tagk.isEmpty()) {
      throw new RequestException("The tagk cannot be null or empty");
    }
    if (type == Type.NOT_KEY) {
      if (!text.isEmpty()) {
        throw new RequestException("Filter value must be null or empty");
      }
    } else if (text.isEmpty()) {
      throw new RequestException("Filter cannot be null or empty");
    }
    if (type.isPattern() && text.indexOf('*') < 0) {
      throw new RequestException("Filter must contain an asterisk");
    }
    if (type == Type.REGEXP) {
      try {
        Pattern unused = BoundedRegex.compile(text);
      } catch (PatternSyntaxException e) {
        throw new RequestException(String.valueOf(e.getMessage()), e); // it says where it is wrong
      }
    }
    if (type.requestName.endsWith("literal_or") && literals(text).isEmpty()) {
      throw new RequestException("Filter must contain more than just a pipe");
    }
  }

  /** The filter as in braces, with its type, such as {@code wildcard(*)}. */
  public String expression() {
    return type.requestName + "(" + text + ")";
  }

  /** The values of a filter that lists some. */
  public List<String> literals() {
    return literals(text);
  }

  private static List<String> literals(String text) {
    if (!text.isEmpty() && text.indexOf('|') < 0) {
      return List.of(text); // most have one, and each query asks several times
    }
    return Glob.alternatives(text);
  }

  /** Whether every value passes. */
  public boolean passesAll() {
    return type.isPattern() && text.chars().allMatch(c -> c == '*');
  }

  /**
   * Parses a filter as written in braces: {@code *}, {@code a|b}, a value with {@code *} in it
   * (matched regardless of case), a plain value, or {@code type(…)} with one of the {@link Type}s.
   *
   * @throws RequestException if it is malformed; the message says how
   */
  public static TagFilter parse(String tagk, String text, boolean groupBy) {
    if (tagk.isEmpty()) {
      throw new RequestException("The tagk cannot be null or empty");
    }
    if (text.isEmpty()) {
      throw new RequestException("Filter cannot be null or empty");
    }
    int open = text.indexOf('(');
    if (open > 0 && !text.endsWith(")")) {
      throw new RequestException("Filter must end with a ')': " + text);
    }
    if (open > 0) {
      Type type = Type.parse(text.substring(0, open));
      return new TagFilter(type, tagk, text.substring(open + 1, text.length() - 1), groupBy);
    }
    if (text.equals("*")) {
      return new TagFilter(Type.WILDCARD, tagk, text, groupBy);
    }
    return new TagFilter(
        text.indexOf('*') < 0 ? Type.LITERAL_OR : Type.IWILDCARD, tagk, text, groupBy);
  }
}
