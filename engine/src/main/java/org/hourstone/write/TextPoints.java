package org.hourstone.write;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.hourstone.internal.ByteSearch;
import org.hourstone.write.SeriesTexts.Form;

/**
 * Gathers points directly from the bytes of text, then sends them to the writer together. It
 * accepts only points of the usual form whose series is known by the same text; the methods of
 * {@link PointWriter} for strings accept or refuse all others. For one thread.
 */
public final class TextPoints {
  /** Where the metric begins, among the places of a point in a text; the next is where it ends. */
  public static final int METRIC = 0;

  /** The same of the timestamp. */
  public static final int TIMESTAMP = 2;

  /** The same of the value. */
  public static final int VALUE = 4;

  /** The same of all tags: the last words of a line, or the inside of an object of JSON. */
  public static final int TAGS = 6;

  /** How many places a point has. */
  public static final int PLACES = 8;

  private static final byte[] PUT = "put ".getBytes(StandardCharsets.US_ASCII);

  private final SeriesTable series;
  private final PointCheck check;
  private final TextOptions options;
  private final ByteNumber number;
  private final Condition condition;
  private final PointText point = new PointText();
  private final GatheredPoints gathered;

  /** Which points are taken. */
  @FunctionalInterface
  interface Condition {
    /** Called for a point that is added if this is true. */
    boolean takes(Series series, long timestamp);
  }

  TextPoints(
      PointIntake writer,
      SeriesTable series,
      PointCheck check,
      TextOptions options,
      ByteNumber.Width decimals,
      Condition condition) {
    this.series = series;
    this.check = check;
    this.options = options;
    this.number = new ByteNumber(decimals);
    this.condition = condition;
    this.gathered = new GatheredPoints(writer);
  }

  GatheredPoints gathered() {
    return gathered;
  }

  /** The number of points added since the last {@link #send}. */
  public int size() {
    return gathered.size();
  }

  /** Makes room for a number of points, which are added next; for more, arrays have to grow. */
  public void expect(int points) {
    gathered.expect(points);
  }

  /**
   * Adds the point of a telnet line, as {@link PointWriter#putTelnetLine} would put it.
   *
   * @param to the index of the line's end; a carriage return before it is dropped
   * @param token passed to the receipt with the outcome
   * @return false if it was left
   */
  public boolean addTelnetLine(byte[] text, int from, int to, long token) {
    int end = to > from && text[to - 1] == '\r' ? to - 1 : to;
    return startsWithPut(text, from, end)
        && addWords(options.lines().telnetForm(), text, from + PUT.length, end, token);
  }

  private static boolean startsWithPut(byte[] text, int from, int to) {
    return to - from > PUT.length
        && Arrays.equals(text, from, from + PUT.length, PUT, 0, PUT.length);
  }

  /**
   * Finds the series of telnet lines that are added next, and assigns UIDs to their new names in
   * few calls of the store: without it each line of an unknown series is left, and costs several
   * calls of its own. Lines that are not of the usual form are left out, and so are errors: {@link
   * PointWriter#putTelnetLine} reports them. Later lines may be looked at by a further call.
   *
   * @param from the index of the first line
   * @param to the index after the line feed of the last one
   * @param most how many lines are looked at, at most
   * @return the index after the last line that was looked at
   */
  public int prepareTelnetLines(byte[] text, int from, int to, int most) {
    NewSeries found = newSeries();
    int begin = from;
    for (int i = 0; i < most && begin < to; i++) {
      int end = ByteSearch.indexOf(text, begin, to, '\n');
      int last = end > begin && text[end - 1] == '\r' ? end - 1 : end;
      if (!startsWithPut(text, begin, last)) {
        break; // lines after a command need not be executed
      }
      point.line(options.lines().telnetForm(), text, begin + PUT.length, last);
      if (point.isWhole() && point.isAscii() && isNew(point)) {
        found.add(point);
      }
      begin = end + 1;
    }
    found.resolve();
    return Math.max(begin, from + 1);
  }

  /**
   * The series of points that are added next, to be resolved together: each alone costs several
   * calls of the store.
   */
  public NewSeries newSeries() {
    return new NewSeries(this, series);
  }

  /** Whether a point has a series that is not known, and everything else is valid. */
  boolean isNew(PointText read) {
    return read.known(series) == null && isValid(read);
  }

  /** Adds the point of an import line, its end excluded; false if it was not added. */
  boolean addImportLine(byte[] text, int from, int to, long token) {
    return (!options.lines().allowsPutInImports() || !startsWithPut(text, from, to))
        && addWords(Form.UTF8, text, from, to, token);
  }

  /**
   * Adds a point of JSON, as {@link PointWriter#putText} would put it; texts in it are ASCII
   * without escapes.
   *
   * @param places where its fields begin and end, such as {@link #METRIC}
   * @param first the index of its first place
   * @return false if it was left
   */
  public boolean addJson(byte[] text, int[] places, int first, long token) {
    return add(point.json(text, places, first), token);
  }

  /**
   * Lets a point of JSON be known as that of a series that was put.
   *
   * @param places as above
   */
  public void rememberJson(
      byte[] text, int[] places, int first, String metric, Map<String, String> tags) {
    Series resolved = series.resolved(metric, tags);
    if (resolved != null) {
      point.json(text, places, first).remember(series, resolved);
    }
  }

  private boolean addWords(Form form, byte[] text, int from, int to, long token) {
    return point.line(form, text, from, to).isWhole() && add(point, token);
  }

  /** Whether timestamp and value are of the usual form; sets the number to the value then. */
  private boolean isValid(PointText read) {
    long timestamp = timestamp(read);
    return timestamp > 0
        && check.passes(timestamp)
        && number.read(read.text, read.value, read.valueEnd);
  }

  private static long timestamp(PointText read) {
    return ByteNumber.digits(read.text, read.time, read.timeEnd);
  }

  private boolean add(PointText added, long token) {
    Series of = added.known(series);
    if (of == null || !isValid(added)) {
      return false;
    }
    long timestamp = timestamp(added);
    if (!condition.takes(of, timestamp)) {
      return false;
    }
    gathered.add(of, timestamp, number.flags(), number.raw(), token);
    return true;
  }

  /**
   * Sends the points to the writer, and empties the batch. Waits while the store is slow. The
   * receipt receives the outcome of each point with its token, also if the writer accepts no more
   * points.
   *
   * @param receipt not a {@link FutureReceipt}, which is for one point
   */
  public void send(Receipt receipt) {
    gathered.send(receipt);
  }
}
