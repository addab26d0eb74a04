package org.hourstone.write;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import org.hourstone.error.RequestException;
import org.hourstone.internal.ByteSearch;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a stream of text, one at a time, in bounded memory. A line truncated by an error of
 * the stream is not returned: half a number must not be read as a whole one. A byte order mark
 * before the first line is dropped.
 */
public final class LineSource {
  /** Longer lines are a problem unless the caller has another limit: no point has as many tags. */
  static final int MAX_LINE_BYTES = 64 * 1024;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private final InputStream in;
  private final int maxBytes;
  private final boolean utf8;

  /** Null if lines are read as they are. */
  private final @Nullable UnaryOperator<String> format;

  private final byte[] buffer = new byte[64 * 1024];
  private int at;
  private int end;

  /** Where the next newline is, if that is known; before {@link #at} if not. */
  private int newline = -1;

  /** The part of the present line that stood in earlier buffers. */
  private byte[] begun = new byte[0];

  private long lineNumber;
  private @Nullable String problem;
  private String original = "";

  private LineSource(
      InputStream in, int maxBytes, boolean utf8, @Nullable UnaryOperator<String> format) {
    this.in = in;
    this.maxBytes = maxBytes;
    this.utf8 = utf8;
    this.format = format;
  }

  /** Lines of an import file, in UTF-8. */
  public LineSource(InputStream in) {
    this(in, MAX_LINE_BYTES);
  }

  /**
   * Lines in UTF-8.
   *
   * @param maxBytes longer lines are a {@link #problem}
   */
  public LineSource(InputStream in, int maxBytes) {
    this(in, maxBytes, true, null);
  }

  /**
   * Lines in UTF-8 of another format than the reader's.
   *
   * @param format converts each line to the line to return; throws {@link RequestException} if it
   *     has a {@link #problem}
   */
  public static LineSource of(InputStream in, UnaryOperator<String> format) {
    return new LineSource(in, MAX_LINE_BYTES, true, format);
  }

  /** Lines as by telnet; longer ones than {@code maxBytes} are a {@link #problem}. */
  public static LineSource telnet(InputStream in, int maxBytes, LineDialect dialect) {
    boolean utf8 = dialect.telnetCharset().equals(StandardCharsets.UTF_8);
    return new LineSource(in, maxBytes, utf8, null);
  }

  /** The number of the line that was delivered last, from 1. */
  public long lineNumber() {
    return lineNumber;
  }

  /** The error in the last line returned, or null if it is valid text. */
  public @Nullable String problem() {
    return problem;
  }

  /** The line returned last as it is in the stream; empty if it is not text or too long. */
  public String original() {
    return original;
  }

  /**
   * The next line without its end, or null after the last one. If there is a {@link #problem} with
   * it, it is empty.
   */
  public @Nullable String next() throws IOException {
    problem = null;
    boolean tooLong = false;
    begun = new byte[0];
    while (true) {
      int newline = indexOfNewline();
      int stop = newline < 0 ? end : newline;
      tooLong |= begun.length + stop - at > maxBytes;
      if (newline >= 0) {
        String line = tooLong ? tooLong() : text(stop);
        at = newline + 1;
        lineNumber++;
        return line;
      }
      keep(tooLong);
      if (!fill()) {
        if (begun.length == 0 && !tooLong) {
          return null;
        }
        String line = tooLong ? tooLong() : text(at);
        lineNumber++;
        return line;
      }
    }
  }

  private String tooLong() {
    original = "";
    problem = "line of more than " + maxBytes + " bytes";
    return "";
  }

  /**
   * Whether the next line is there to its end, so that reading it takes no reading of the stream.
   */
  boolean isReady() {
    return indexOfNewline() >= 0;
  }

  /**
   * Whether {@link #bytes} has all of the next line, as it is read, from {@link #begin} to {@link
   * #lineEnd}: it can be read there, and skipped.
   */
  boolean hasBytes() {
    return mayHaveBytes() && isReady() && newline - at <= maxBytes;
  }

  /** Whether lines are read as they are in the stream. */
  boolean mayHaveBytes() {
    return format == null && utf8;
  }

  byte[] bytes() {
    return buffer;
  }

  int begin() {
    return at;
  }

  /** Where the line ends, without a carriage return. */
  int lineEnd() {
    return newline > at && buffer[newline - 1] == '\r' ? newline - 1 : newline;
  }

  /** Goes on to the line after one that {@linkplain #hasBytes has bytes}. */
  void skipLine() {
    problem = null;
    at = newline + 1;
    lineNumber++;
  }

  /**
   * Adds the points of the next telnet lines that are complete in the buffer, each with its line
   * number as its token, up to a line that it can't add: {@link #next} returns that one.
   *
   * @param most how many lines at most
   * @return how many were added
   */
  public int addTelnetLines(TextPoints points, int most) {
    int added = 0;
    while (added < most
        && format == null
        && isReady()
        && newline - at <= maxBytes
        && points.addTelnetLine(buffer, at, newline, lineNumber + 1)) {
      skipLine();
      added++;
    }
    return added;
  }

  private int indexOfNewline() {
    if (newline >= at) {
      return newline;
    }
    newline = findNewline();
    return newline;
  }

  private int findNewline() {
    int found = ByteSearch.indexOf(buffer, at, end, '\n');
    return found < end ? found : -1;
  }

  private void keep(boolean tooLong) {
    if (!tooLong) {
      int length = begun.length;
      begun = Arrays.copyOf(begun, length + end - at);
      System.arraycopy(buffer, at, begun, length, end - at);
    }
    at = end;
  }

  private boolean fill() throws IOException {
    newline = -1;
    at = 0;
    end = Math.max(0, in.read(buffer));
    return end > 0;
  }

  /** The line that ends before {@code stop}, including the part kept of it. */
  private String text(int stop) {
    if (begun.length == 0) {
      return decode(buffer, at, stop - at);
    }
    byte[] whole = Arrays.copyOf(begun, begun.length + stop - at);
    System.arraycopy(buffer, at, whole, begun.length, stop - at);
    return decode(whole, 0, whole.length);
  }

  private String decode(byte[] bytes, int from, int length) {
    int stop = length > 0 && bytes[from + length - 1] == '\r' ? from + length - 1 : from + length;
    boolean marked = lineNumber == 0 && startsWithMark(bytes, from, stop);
    original = text(bytes, marked ? from + BYTE_ORDER_MARK.length : from, stop);
    if (lineNumber == 0 && utf8) {
      problem = firstProblem(bytes, from, stop, problem);
    }
    try {
      if (problem != null) {
        return "";
      }
      return format == null ? original : format.apply(original);
    } catch (RequestException e) {
      problem = e.getMessage();
      return "";
    }
  }

  /** The error in the first line, which shows of what kind the file is. */
  private static @Nullable String firstProblem(
      byte[] bytes, int from, int to, @Nullable String found) {
    if (to - from < 2) {
      return found;
    }
    int first = Byte.toUnsignedInt(bytes[from]);
    int second = Byte.toUnsignedInt(bytes[from + 1]);
    if (first == 0x1f && second == 0x8b) {
      return "not text, but gzip: decompress it, or give a file whose name ends in .gz";
    }
    boolean marked = (first == 0xff && second == 0xfe) || (first == 0xfe && second == 0xff);
    return marked || first == 0 || second == 0 ? "not UTF-8 text, but UTF-16: convert it" : found;
  }

  private static boolean startsWithMark(byte[] bytes, int from, int to) {
    int length = BYTE_ORDER_MARK.length;
    return to - from >= length
        && Arrays.equals(bytes, from, from + length, BYTE_ORDER_MARK, 0, length);
  }

  private String text(byte[] bytes, int from, int to) {
    for (int i = from; i < to && utf8; i++) {
      if (bytes[i] < 0) {
        return decodeUtf8(bytes, from, to - from);
      }
    }
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private String decodeUtf8(byte[] bytes, int from, int length) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, from, length))
          .toString();
    } catch (CharacterCodingException e) {
      problem = "not UTF-8 text";
      return "";
    }
  }
}
