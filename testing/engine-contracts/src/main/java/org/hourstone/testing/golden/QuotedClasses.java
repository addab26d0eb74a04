package org.hourstone.testing.golden;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where OpenTSDB's error messages quote classes: its own, Jackson's or Java's, by name or by the
 * text of an object. There our messages have their own words, and only what precedes is compared.
 */
public final class QuotedClasses {
  private static final Pattern QUOTED =
      Pattern.compile(
          "\\b(java|com\\.fasterxml|net\\.opentsdb)\\.[\\w.]*[A-Z]"
              + "| in this SpanGroup\\.Iterator\\(|TSQuery\\(");

  private QuotedClasses() {}

  /** Where the first class is quoted in a text; -1 if none is. */
  public static int firstIn(String text) {
    Matcher quoted = QUOTED.matcher(text);
    return quoted.find() ? quoted.start() : -1;
  }
}
