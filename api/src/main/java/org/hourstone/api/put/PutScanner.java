package org.hourstone.api.put;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.internal.ByteSearch;
import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;

/**
 * Finds the points in a put body of the usual shape: arrays of points or points, one after the
 * other, usually one; each has metric, timestamp, value and tags and nothing else, in any order;
 * texts are in ASCII and without escapes. Whatever else there is in a body, valid or not, ends the
 * scan, and {@link PutBody} reads the body. Not thread-safe.
 *
 * <p>The first points are added to a batch while they are scanned, up to one that it leaves. Tags
 * of these are not examined: the batch takes only what it knows byte by byte, which was examined
 * when it was put the first time.
 */
final class PutScanner {
  private static final int FIRST_POINTS = 64;

  /** Longer texts and numbers are left: parsers have limits of their own. */
  private static final int LONGEST = 512;

  private static final int MOST_DIGITS = 18;

  /** Points with more tags are left. */
  private static final int MOST_TAGS = 16;

  // The beginnings of the names of the fields, with their quotes, as words.

  private static final long METRIC = word("\"metric\"");
  private static final long TIMESTAMP = word("\"timestamp\"");
  private static final long VALUE = word("\"value\"");
  private static final long TAGS = word("\"tags\"");

  private static final int ALL_FIELDS =
      (1 << TextPoints.METRIC)
          | (1 << TextPoints.TIMESTAMP)
          | (1 << TextPoints.VALUE)
          | (1 << TextPoints.TAGS);

  private final byte[] text;
  private final int length;
  private int at;
  private int[] places = {};
  private int points;

  /** Where the names of the tags of a point begin and end. */
  private final int[] names = new int[2 * MOST_TAGS];

  /** What the points are added to; null once it has left one. */
  private @Nullable TextPoints batch;

  /** How many points the batch has. */
  private int taken;

  /** What was read last, quotes and braces excluded. */
  private int begin;

  private int end;

  private static long word(String begin) {
    return ByteSearch.word(Arrays.copyOf(begin.getBytes(US_ASCII), Long.BYTES), 0);
  }

  private PutScanner(byte[] text, int length, @Nullable TextPoints batch) {
    this.text = text;
    this.length = length;
    this.batch = batch;
  }

  /**
   * The points of a body; null if it is not of the usual shape.
   *
   * @param text not changed as long as the points are used
   * @param length of the body in it
   * @param batch empty; if the body is not of the usual shape, its points are not to be used
   */
  static @Nullable ScannedPuts scan(
      byte[] text, int length, @Nullable TextPoints batch, BodyDialect dialect) {
    PutScanner scanner = new PutScanner(text, length, batch);
    return scanner.body(dialect)
        ? new ScannedPuts(text, scanner.places, scanner.points, scanner.taken)
        : null;
  }

  private boolean body(BodyDialect dialect) {
    if (dialect.skipsMark() && length > 2 && isMark()) {
      at = 3;
    }
    boolean isUsual = points();
    skipBlanks();
    while (isUsual && at < length && !dialect.readsOnlyFirstValue()) {
      isUsual = points();
      skipBlanks();
    }
    return isUsual;
  }

  /** Whether the text begins with a byte order mark. */
  private boolean isMark() {
    return text[0] == (byte) 0xEF && text[1] == (byte) 0xBB && text[2] == (byte) 0xBF;
  }

  private boolean points() {
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
    int start = at;
    if (batch != null && fields() && add(batch)) {
      return true;
    }
    batch = null; // points are put in their order
    at = start;
    if (!fields()) {
      return false;
    }
    points++;
    return true;
  }

  private boolean add(TextPoints to) {
    int first = points * ScannedPuts.PLACES;
    if (points == 0) {
      to.expect(length / at + 1);
    }
    if (!to.addJson(text, places, first, points)) {
      return false;
    }
    points++;
    taken++;
    return true;
  }

  private boolean fields() {
    if (!take('{')) {
      return false;
    }
    int first = points * ScannedPuts.PLACES;
    if (first == places.length) {
      places = Arrays.copyOf(places, Math.max(FIRST_POINTS * ScannedPuts.PLACES, first * 2));
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
    return true;
  }

  /** Reads the name of a field; -1 if it is another. */
  private int field() {
    skipBlanks();
    if (at + Long.BYTES > length) {
      return -1; // nor could its value follow
    }
    long word = ByteSearch.word(text, at);
    if (word == METRIC) {
      at += Long.BYTES;
      return TextPoints.METRIC;
    }
    if (word == TIMESTAMP && take(at + 8, 'm') && take(at + 8, 'p') && take(at + 8, '"')) {
      at += Long.BYTES;
      return TextPoints.TIMESTAMP;
    }
    if ((word & 0xFF_FFFF_FFFF_FFFFL) == VALUE) {
      at += 7;
      return TextPoints.VALUE;
    }
    if ((word & 0xFFFF_FFFF_FFFFL) == TAGS) {
      at += 6;
      return TextPoints.TAGS;
    }
    return -1;
  }

  private boolean value(int field) {
    return switch (field) {
      case TextPoints.METRIC -> string();
      case TextPoints.TIMESTAMP -> stringOrNumber() && areDigits();
      case TextPoints.VALUE -> stringOrNumber();
      default -> tags();
    };
  }

  private boolean stringOrNumber() {
    skipBlanks();
    boolean quoted = at < length && text[at] == '"';
    return quoted ? string() : number();
  }

  /** Reads the tags; they are what stands between the braces. */
  private boolean tags() {
    if (!take('{')) {
      return false;
    }
    int first = at;
    if (batch != null) {
      at = ByteSearch.indexOf(text, at, length, '}');
      if (!take('}')) {
        return false;
      }
    } else if (!take('}')) {
      int names = 0;
      do {
        if (!string() || isRepeated(names++) || !take(':') || !string()) {
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

  /**
   * Whether the name of a tag that was read last is that of one before, or there are too many.
   *
   * @param before how many names were read before
   */
  private boolean isRepeated(int before) {
    if (before == MOST_TAGS) {
      return true;
    }
    names[2 * before] = begin;
    names[2 * before + 1] = end;
    for (int i = 0; i < before; i++) {
      if (Arrays.equals(text, begin, end, text, names[2 * i], names[2 * i + 1])) {
        return true;
      }
    }
    return false;
  }

  /** What ends it but for a quote is left to the parser: it may be valid. */
  private boolean string() {
    if (!take('"')) {
      return false;
    }
    begin = at;
    end = ByteSearch.endOfPlain(text, at, Math.min(length, begin + LONGEST), '"', '\\');
    at = end + 1;
    return end < length && text[end] == '"';
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
    while (at < length && text[at] >= '0' && text[at] <= '9') {
      at++;
    }
    return at > first;
  }

  /** Whether only digits were read, and few enough that no number gets too large. */
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
    skipBlanks();
    return take(at, expected);
  }

  private void skipBlanks() {
    while (at < length
        && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) {
      at++;
    }
  }

  private boolean take(int place, char expected) {
    if (place >= length || text[place] != expected) {
      return false;
    }
    at++;
    return true;
  }
}
