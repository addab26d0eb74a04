package org.hourstone.export;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.RowPoints;
import org.hourstone.error.RequestException;
import org.hourstone.export.ExportFormat.Title;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.kv.Row;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.SeriesName;
import org.hourstone.uid.SeriesNames;

/**
 * Writes the points of rows as lines. Series, timestamp, resolution and value are preserved, in
 * {@link ExportFormat#LINES} also the width of decimals; integers are stored again in their
 * shortest form. Every stored point has a line, in the order of time. Of points that share a
 * timestamp, the one that queries return is last. Series whose names {@code import} refuses have
 * lines only in {@link ExportFormat#JSON}, and so have annotations and histograms. Thread-safe.
 */
public final class RowText {
  private static final int PIECE = 1 << 15;

  private final ExportFormat format;
  private final RowKey keys;
  private final SeriesNames names;
  private final NameRules rules;
  private final long fromMillis;
  private final long toMillis;

  /**
   * What was written of a row.
   *
   * @param points how many points
   * @param cells the cells of which all points have lines, ascending
   * @param omitted the cells that have none, or not for each point
   */
  public record Written(long points, List<Integer> cells, List<Omission> omitted) {}

  /**
   * A cell for which some or all points have no line.
   *
   * @param cell its index in the row
   * @param corrupt whether it is a corrupt cell of points; otherwise it is of another kind
   * @param reason the reason
   */
  public record Omission(int cell, boolean corrupt, String reason) {}

  /**
   * Of all points.
   *
   * @param rules the rules for names of the importing database
   */
  public RowText(ExportFormat format, RowKey keys, SeriesNames names, NameRules rules) {
    this(format, keys, names, rules, Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /**
   * @param fromMillis the first time that has lines
   * @param toMillis the last one
   */
  RowText(
      ExportFormat format,
      RowKey keys,
      SeriesNames names,
      NameRules rules,
      long fromMillis,
      long toMillis) {
    this.format = format;
    this.keys = keys;
    this.names = names;
    this.rules = rules;
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
  }

  /**
   * Writes a row.
   *
   * @param text receives the text; passes it on when it is long
   */
  public Written write(Row row, JsonBuffer text, OutputStream out) throws IOException {
    boolean isGlobal = keys.isGlobalRow(row.key());
    if (!isGlobal && !keys.isSeriesRow(row.key())) {
      return nothing(row, true, "not a series' row: odd length");
    }
    if (isGlobal && !EventText.isOf(format)) {
      return nothing(row, false, "a row of global annotations");
    }
    SeriesName series = null;
    Title title = new Title("", "");
    if (!isGlobal) {
      try {
        series = names.of(keys.tsuid(row.key()));
        title = format.title(series, rules);
      } catch (NoSuchUidException | RequestException e) {
        return nothing(row, true, String.valueOf(e.getMessage()));
      }
    }
    long base = keys.baseTime(row.key());
    RowContent content = RowContent.of(row, base);
    List<Omission> omitted = new ArrayList<>(content.omitted());
    EventText events = new EventText(series, base, fromMillis, toMillis);
    for (int cell : content.events()) {
      if (EventText.isOf(format)) {
        Omission failure = events.write(row, cell, text);
        if (failure != null) {
          omitted.add(failure);
        }
        passOnIfLong(text, out);
      } else if (events.isWithin(row, cell)) {
        omitted.add(new Omission(cell, false, EventText.kind(row, cell)));
      }
    }
    long points = isGlobal ? 0 : points(base, content.points(), title, text, out);
    return new Written(points, content.cells(), omitted);
  }

  private static Written nothing(Row row, boolean corrupt, String reason) {
    List<Omission> omitted = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      omitted.add(new Omission(i, corrupt, reason));
    }
    return new Written(0, List.of(), omitted);
  }

  private long points(long base, RowPoints points, Title title, JsonBuffer text, OutputStream out)
      throws IOException {
    long written = 0;
    for (int i = 0; i < points.size(); i++) {
      long millis = base * 1000 + points.offset(i);
      if (millis >= fromMillis && millis <= toMillis) {
        format.point(text, title, RowContent.time(base, points, i), points, i);
        written++;
        passOnIfLong(text, out);
      }
    }
    return written;
  }

  private static void passOnIfLong(JsonBuffer text, OutputStream out) throws IOException {
    if (text.size() >= PIECE) {
      text.drainTo(out);
    }
  }
}
