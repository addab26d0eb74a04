package org.hourstone.index;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.error.RequestException;

/**
 * A pattern for series. It matches the series of a metric that have all of these tags, and possibly
 * more. Tags with the same name are alternatives, and so are values with {@code |} between them. A
 * star in a value matches any text, ignoring case, as in the filters of queries.
 *
 * @param metric {@code *} or empty for any
 */
public record SeriesPattern(String metric, List<Tag> tags) {
  private static final String ANY = "*";

  public SeriesPattern {
    tags = List.copyOf(tags);
  }

  /**
   * A tag.
   *
   * @param name {@code *} or empty for any
   * @param value {@code *} or empty for any
   */
  public record Tag(String name, String value) {
    /** Whether it matches any name. */
    public boolean anyName() {
      return isAny(name);
    }

    /** Whether it matches any value. */
    public boolean anyValue() {
      return isAny(value);
    }

    /** Whether its value is a pattern. */
    boolean hasStar() {
      return value.indexOf('*') >= 0;
    }

    /** Whether its value is a pattern with stars or has alternatives, as in queries. */
    boolean isPattern() {
      return !anyValue() && (hasStar() || value.indexOf('|') >= 0);
    }

    /**
     * Reads {@code name=value}.
     *
     * @throws RequestException if it is not of this form
     */
    public static Tag parse(String text) {
      int equals = text.indexOf('=');
      if (equals < 1 || equals == text.length() - 1) {
        throw new RequestException("invalid tag: " + text);
      }
      return new Tag(text.substring(0, equals), text.substring(equals + 1));
    }
  }

  /**
   * Reads {@code metric{name=value,name=*,*=value}}, or a metric alone, or tags alone in braces.
   *
   * @throws RequestException if it is not of this form
   */
  public static SeriesPattern parse(String text) {
    int open = text.indexOf('{');
    if (open < 0) {
      return new SeriesPattern(text, List.of());
    }
    if (!text.endsWith("}")) {
      throw new RequestException("Missing '}' at the end of: " + text);
    }
    List<Tag> tags = new ArrayList<>();
    String list = text.substring(open + 1, text.length() - 1);
    for (String tag : list.isEmpty() ? new String[0] : list.split(",", -1)) {
      tags.add(Tag.parse(tag));
    }
    return new SeriesPattern(text.substring(0, open), tags);
  }

  boolean anyMetric() {
    return isAny(metric);
  }

  private static boolean isAny(String text) {
    return text.isEmpty() || text.equals(ANY);
  }
}
