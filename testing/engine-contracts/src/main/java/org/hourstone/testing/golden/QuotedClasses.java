package org.hourstone.testing.golden;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where OpenTSDB's error messages quote classes: its own, Jackson's or Java's, by name, by the text
 * of an object or by the whole message of an exception. There our messages have their own words,
 * and only the text before is compared.
 */
public final class QuotedClasses {
  private static final Pattern QUOTED =
      Pattern.compile(
          "\\b(java|com\\.fasterxml|net\\.opentsdb)\\.[\\w.]*[A-Z]"
              + "| in this SpanGroup\\.Iterator\\(|TSQuery\\("
              + "|^(When trying rename\\(.* on UniqueId\\(|String index out of range: "
              + "|begin \\d+, end \\d+, length |An internal null pointer exception)");

  private QuotedClasses() {}

  /** Where the first class is quoted in a text; -1 if none is. */
  public static int firstIn(String text) {
    Matcher quoted = QUOTED.matcher(text);
    return quoted.find() ? quoted.start() : -1;
  }
}
