package org.hourstone.tsd.view;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import org.hourstone.Tsdb;
import org.hourstone.codec.CellFlaw;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DataCell;
import org.hourstone.codec.EventQualifier;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.histogram.Histogram;
import org.hourstone.histogram.HistogramCodecs;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.kv.Row;
import org.hourstone.tool.Admin;
import org.hourstone.tool.RowNames;
import org.hourstone.tsd.terminal.Plurals;
import org.hourstone.tsd.terminal.TextOutput;
import org.hourstone.write.SingleLine;

/**
 * Rows in their stored form: a line for the row, one for each cell, and one for each point of a
 * multi-point cell.
 */
public final class RawRowView implements RowView {
  private static final HexFormat HEX = HexFormat.of();

  private final TextOutput out;
  private final RowKey keys;
  private final RowNames names;
  private final HistogramCodecs histograms;
  private final boolean writeTime;

  public RawRowView(TextOutput out, Tsdb db, RowKey keys, boolean writeTime) {
    this.out = out;
    this.keys = keys;
    this.names = Admin.of(db).rowNames();
    this.histograms = db.histograms().codecs();
    this.writeTime = writeTime;
  }

  @Override
  public Row show(Row row) {
    boolean hasBaseTime = row.key().length >= keys.schema().tagsOffset();
    long base = hasBaseTime ? keys.baseTime(row.key()) : 0;
    String name = names.text(row.key());
    out.line(
        HEX.formatHex(row.key())
            + " "
            + (name.isEmpty() ? "(not a series' row)" : name)
            + (hasBaseTime ? " " + base + " " + Instant.ofEpochSecond(base) : ""));
    for (int i = 0; i < row.size(); i++) {
      show(base, row, i);
    }
    return row;
  }

  private void show(long base, Row row, int i) {
    DataCell cell = DataCell.of(row.qualifier(i), row.value(i));
    RowPoints points = cell.points();
    boolean single = points.size() == 1;
    StringBuilder line = new StringBuilder("  ");
    line.append(HEX.formatHex(row.qualifier(i))).append(' ');
    line.append(HEX.formatHex(row.value(i))).append(' ');
    line.append(cell.kind().name().toLowerCase(Locale.ROOT));
    if (writeTime) {
      line.append(" written ").append(row.writeTime(i));
    }
    line.append(
        switch (cell.kind()) {
          case POINT -> single ? " " + text(base, points, 0) : "";
          case COMPACTED, APPEND -> " " + Plurals.count(points.size(), "point");
          case ANNOTATION -> objectTime(base, row.qualifier(i)) + " " + text(row.value(i));
          case HISTOGRAM -> objectTime(base, row.qualifier(i)) + " " + histogram(row.value(i));
          case UNKNOWN -> "";
        });
    for (CellFlaw flaw : cell.flaws()) {
      line.append("; ").append(flaw.text());
    }
    out.line(line.toString());
    if (cell.kind() != CellKind.POINT) {
      for (int k = 0; k < points.size(); k++) {
        out.line("    " + text(base, points, k));
      }
    }
  }

  /** The point as in an import line, and the form of the stored value. */
  private static String text(long base, RowPoints points, int i) {
    long millis = base * 1000 + points.offset(i);
    int bytes = Qualifier.valueLength(points.flags(i));
    return (points.isMillis(i) ? millis + "" : millis / 1000 + "")
        + " "
        + (points.isFloat(i)
            ? bytes == Float.BYTES
                ? Float.toString((float) points.toDouble(i))
                : Double.toString(points.toDouble(i))
            : Long.toString(points.raw(i)))
        + (points.isFloat(i) ? " float/" : " integer/")
        + bytes;
  }

  private static String objectTime(long base, byte[] qualifier) {
    long millis = base * 1000 + EventQualifier.offsetMillis(qualifier);
    return " " + (EventQualifier.isMillis(qualifier) ? millis : millis / 1000);
  }

  /** As in OpenTSDB's telnet command, if the codec is the built-in one. */
  private String histogram(byte[] value) {
    try {
      Histogram histogram = histograms.decode(value);
      return histogram instanceof SimpleHistogram simple ? text(simple) : histogram.toString();
    } catch (CorruptDataException e) {
      return "(" + e.getMessage() + ")";
    }
  }

  private static String text(SimpleHistogram histogram) {
    StringBuilder text = new StringBuilder();
    text.append("u=").append(histogram.underflow()).append(":o=").append(histogram.overflow());
    histogram
        .buckets()
        .forEach(
            (bucket, count) ->
                text.append(':')
                    .append(bucket.lower())
                    .append(',')
                    .append(bucket.upper())
                    .append('=')
                    .append(count));
    return text.toString();
  }

  private static String text(byte[] json) {
    return SingleLine.of(new String(json, StandardCharsets.UTF_8));
  }

  @Override
  public boolean finish() {
    return true;
  }
}
