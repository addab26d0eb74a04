package org.hourstone.api;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the points in a put body of the usual shape: each has metric, timestamp, value and tags and
 * nothing else, in any order; texts are in ASCII and without escapes. Whatever else there is in a
 * body, valid or not, ends the scan, and {@link PutBody} reads the body. Not thread-safe.
 */
final class PutScanner {
  private static final int FIRST_POINTS = 64;

  /** Longer texts and numbers are left: parsers have limits of their own. */
  private static final int LONGEST = 512;

  private static final int MOST_DIGITS = 18;

  private static final byte[] METRIC = "metric".getBytes(US_ASCII);
  private static final byte[] TIMESTAMP = "timestamp".getBytes(US_ASCII);
  private static final byte[] VALUE = "value".getBytes(US_ASCII);
  private static final byte[] TAGS = "tags".getBytes(US_ASCII);

  private static final int ALL_FIELDS =
      (1 << ScannedPuts.METRIC)
          | (1 << ScannedPuts.TIMESTAMP)
          | (1 << ScannedPuts.VALUE)
          | (1 << ScannedPuts.TAGS);

  private final byte[] text;
  private int at;
  private int[] places = new int[FIRST_POINTS * ScannedPuts.PLACES];
  private int points;

  /** What was read last, quotes and braces excluded. */
  private int begin;

  private int end;

  private PutScanner(byte[] text) {
    this.text = text;
  }

  /** The points of a body; null if it is not of the usual shape. */
  static @Nullable ScannedPuts scan(String body) {
    PutScanner scanner = new PutScanner(body.getBytes(UTF_8));
    return scanner.body() ? new ScannedPuts(scanner.text, scanner.places, scanner.points) : null;
  }

  private boolean body() {
    if (!take('[')) {
      return point();
    }
    do {
      if (!point()) {
        return false;
      }
    } while (take(','));
    return take(']');
  }

  private boolean point() {
    if (!take('{')) {
      return false;
    }
    int first = points * ScannedPuts.PLACES;
    if (first == places.length) {
      places = Arrays.copyOf(places, first * 2);
    }
    places[first + ScannedPuts.POINT] = at - 1;
    int fields = 0;
    do {
      int field = field();
      if (field < 0 || (fields & (1 << field)) != 0 || !take(':') || !value(field)) {
        return false;
      }
      fields |= 1 << field;
      places[first + field] = begin;
      places[first + field + 1] = end;
    } while (take(','));
    if (fields != ALL_FIELDS || !take('}')) {
      return false;
    }
    places[first + ScannedPuts.POINT + 1] = at;
    points++;
    return true;
  }

  /** Reads the name of a field; -1 if it is another. */
  private int field() {
    if (!string()) {
      return -1;
    }
    return switch (end - begin) {
      case 4 -> isRead(TAGS) ? ScannedPuts.TAGS : -1;
      case 5 -> isRead(VALUE) ? ScannedPuts.VALUE : -1;
      case 6 -> isRead(METRIC) ? ScannedPuts.METRIC : -1;
      case 9 -> isRead(TIMESTAMP) ? ScannedPuts.TIMESTAMP : -1;
      default -> -1;
    };
  }

  private boolean isRead(byte[] name) {
    return Arrays.equals(text, begin, end, name, 0, name.length);
  }

  private boolean value(int field) {
    return switch (field) {
      case ScannedPuts.METRIC -> string();
      case ScannedPuts.TIMESTAMP -> (string() || number()) && areDigits();
      case ScannedPuts.VALUE -> string() || number();
      default -> tags();
    };
  }

  /** Reads the tags; they are what stands between the braces. */
  private boolean tags() {
    if (!take('{')) {
      return false;
    }
    int first = at;
    if (!take('}')) {
      do {
        if (!string() || !take(':') || !string()) {
          return false;
        }
      } while (take(','));
      if (!take('}')) {
        return false;
      }
    }
    begin = first;
    end = at - 1;
    return true;
  }

  private boolean string() {
    if (!take('"')) {
      return false;
    }
    begin = at;
    int last = Math.min(text.length, begin + LONGEST);
    while (at < last && text[at] != '"') {
      // Escapes, control characters, what is not ASCII, and what may stand for a lone surrogate.
      if (text[at] < ' ' || text[at] == '\\' || text[at] == '?') {
        return false;
      }
      at++;
    }
    end = at++;
    return end < last;
  }

  private boolean number() {
    begin = at;
    take(at, '-');
    if (!take(at, '0') && !digits()) {
      return false;
    }
    if (take(at, '.') && !digits()) {
      return false;
    }
    if (take(at, 'e') || take(at, 'E')) {
      if (!take(at, '-')) {
        take(at, '+');
      }
      if (!digits()) {
        return false;
      }
    }
    end = at;
    return end - begin <= LONGEST;
  }

  private boolean digits() {
    int first = at;
    while (at < text.length && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    return at > first;
  }

  /** Whether so many digits were read that no number gets too large. */
  private boolean areDigits() {
    for (int i = begin; i < end; i++) {
      if (text[i] < '0' || text[i] > '9') {
        return false;
      }
    }
    return end > begin && end - begin <= MOST_DIGITS;
  }

  /** Goes on beyond blanks and a character, if that is next. */
  private boolean take(char expected) {
    while (at < text.length
        && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
      at++;
    }
    return take(at, expected);
  }

  private boolean take(int place, char expected) {
    if (place >= text.length || text[place] != expected) {
      return false;
    }
    at++;
    return true;
  }
}
