package org.hourstone.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The words of a text, in one line: lines of a paragraph or comment and parts of a string are
 * joined, and names such as {@code held_points} and {@code heldPoints} are split. Words of
 * different paragraphs are two spaces apart.
 */
final class Prose {
  private static final Pattern JOINT =
      Pattern.compile(
          "\"\\s*\\+\\s*\"" // of a string
              + "|(?<space>[ \\t]*\\n[ \\t]*(\\*(?!/)|//|#)?[ \\t]*" // of lines
              + "|_|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]))"); // of a name's words

  private final StringBuilder words = new StringBuilder();

  /** Where each line but the first begins in the words. */
  private final List<Integer> lines = new ArrayList<>();

  Prose(String text) {
    Matcher joint = JOINT.matcher(text);
    int done = 0;
    while (joint.find()) {
      words.append(text, done, joint.start());
      if (joint.group("space") != null) {
        words.append(' ');
      }
      joint.group().chars().filter(c -> c == '\n').forEach(c -> lines.add(words.length()));
      done = joint.end();
    }
    words.append(text, done, text.length());
  }

  /** Where the pattern is found: line number and text around. */
  Stream<String> uses(Pattern pattern) {
    return pattern.matcher(words).results().map(use -> place(use.start(), use.end()));
  }

  private String place(int from, int to) {
    long line = 1 + lines.stream().filter(start -> start <= from).count();
    int start = Math.max(0, from - 40);
    int end = Math.min(words.length(), to + 40);
    return line + ": …" + words.substring(start, end) + "…";
  }
}
