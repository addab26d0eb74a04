package org.hourstone.write;

import java.util.Map;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.EventQualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.histogram.Histogram;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.histogram.HistogramText;
import org.hourstone.histogram.UnreadableHistogramException;
import org.hourstone.kv.Family;

/**
 * Accepts histograms, as {@link PointWriter} accepts points: an invalid one is refused immediately
 * by an exception, the outcome of an accepted one is reported through its receipt. Histograms are
 * neither appended nor compacted. Thread-safe.
 */
public final class HistogramWriter {
  private static final String COMMAND = "histogram ";
  private static final int LEAST_WORDS = 4;

  private final PointWriter writer;
  private final Family family;
  private final RowKey keys;
  private final HistogramCodecs codecs;
  private final LineParser parser;
  private final boolean strict;
  private final PointCheck check;

  /**
   * @param family the data table's
   * @param strict whether lines are read as by OpenTSDB, see {@link HistogramText#add} and {@link
   *     HistogramCodecs#decode(int, byte[], boolean)}
   */
  public HistogramWriter(
      PointWriter writer,
      Family family,
      RowKey keys,
      HistogramCodecs codecs,
      LineParser parser,
      boolean strict,
      PointCheck check) {
    this.writer = writer;
    this.family = family;
    this.keys = keys;
    this.codecs = codecs;
    this.parser = parser;
    this.strict = strict;
    this.check = check;
  }

  /** The codecs that are configured. */
  public HistogramCodecs codecs() {
    return codecs;
  }

  /**
   * Writes a histogram. Also throws as {@link PointWriter#series} does.
   *
   * @param codecId of the codec that encodes it
   * @param timestamp seconds if it fits 32 bits, else milliseconds; at least 1
   * @throws RequestException if the timestamp is out of range, no codec has this id, or it can't
   *     encode this histogram in a cell
   */
  public void put(
      int codecId,
      String metric,
      Map<String, String> tags,
      long timestamp,
      Histogram histogram,
      Receipt receipt,
      long token) {
    checkEnabled();
    if (timestamp < 1 || !check.passes(timestamp)) {
      throw new RequestException(
          "bad timestamp="
              + timestamp
              + " when trying to add a histogram to metric="
              + metric
              + ", tags="
              + tags);
    }
    byte[] value = codecs.encode(codecId, histogram);
    byte[] tsuid = writer.series(metric, tags).tsuid();
    byte[] row = keys.rowKey(tsuid, Timestamps.baseTime(timestamp));
    byte[] qualifier = EventQualifier.encode(EventQualifier.HISTOGRAM, timestamp);
    writer.putCell(family, row, qualifier, value, receipt, token);
  }

  /**
   * The histogram that is given as the bytes of its codec without the id. They are decoded before
   * they are written, so that only readable bytes are.
   *
   * @param strict as in {@link HistogramCodecs#decode(int, byte[], boolean)}
   * @throws UnreadableHistogramException if they can't be decoded
   * @throws RequestException if no codec has this id
   */
  public Histogram decode(int codecId, byte[] bytes, boolean strict) {
    try {
      return codecs.decode(codecId, bytes, strict);
    } catch (CorruptDataException e) {
      throw new UnreadableHistogramException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Writes the histogram of a telnet line: {@code histogram metric timestamp codec-id base64
   * tag=value …} or {@code histogram metric timestamp u=1:o=2:0,1.75=12 tag=value …}.
   *
   * @param line without its end
   * @throws UnreadableHistogramException if the value can't be decoded
   * @throws RequestException if anything else in the line is wrong
   */
  public void putTelnetLine(String line, Receipt receipt, long token) {
    checkEnabled();
    PointText point = parser.telnetPoint(line, COMMAND.length(), LEAST_WORDS);
    boolean coded = point.value().chars().allMatch(Character::isDigit);
    String tags = point.tags();
    int codecId;
    Histogram histogram;
    try {
      if (coded) {
        int space = tags.indexOf(' ');
        String base64 = space < 0 ? tags : tags.substring(0, space);
        tags = space < 0 ? "" : tags.substring(space + 1);
        codecId = Integer.parseInt(point.value());
        histogram = decode(codecId, HistogramText.bytes(base64), strict);
      } else {
        codecId = codecs.simpleId();
        histogram = HistogramText.parse(point.value(), strict);
      }
    } catch (RequestException | NumberFormatException e) {
      throw new UnreadableHistogramException(String.valueOf(e.getMessage()), e);
    }
    put(
        codecId,
        point.metric(),
        LineParser.tags(tags),
        point.timestamp(),
        histogram,
        receipt,
        token);
  }

  /**
   * @throws RequestException if no codec is configured
   */
  public void checkEnabled() {
    if (codecs.isEmpty()) {
      throw HistogramCodecs.noneConfigured();
    }
  }
}
