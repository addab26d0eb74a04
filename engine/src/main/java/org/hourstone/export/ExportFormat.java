package org.hourstone.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;
import org.hourstone.codec.Qualifier;
import org.hourstone.codec.RowPoints;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.internal.OwnComment;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesName;

/** How an export is written; each point is a line. See {@code docs/api.md#export}. */
public enum ExportFormat {
  /** What {@code import} reads. */
  LINES("text/plain; charset=UTF-8", "", " "),
  /** What {@code import --json} reads: in each line an object; {@code /api/put} takes points. */
  JSON("application/x-ndjson; charset=UTF-8", "", ",\"value\":"),
  /** What {@code import --csv} reads. */
  CSV("text/csv; charset=UTF-8", "metric,timestamp,value,tags\n", ",");

  private final String contentType;
  private final String head;
  private final String separator;

  ExportFormat(String contentType, String head, String separator) {
    this.contentType = contentType;
    this.head = head;
    this.separator = separator;
  }

  /** What each line of a series has before the time and after the value. */
  record Title(String before, String after) {}

  /**
   * The format of this name: {@code lines}, {@code json} or {@code csv}.
   *
   * @throws RequestException if there is none
   */
  public static ExportFormat of(String name) {
    return switch (name) {
      case "lines" -> LINES;
      case "json" -> JSON;
      case "csv" -> CSV;
      default -> throw new RequestException("'" + name + "' is not a format: lines, json or csv");
    };
  }

  /** Of HTTP. */
  public String contentType() {
    return contentType;
  }

  /** What precedes the first line of points. */
  String head() {
    return head;
  }

  /**
   * The beginning and end of each line of a series.
   *
   * @throws RequestException if {@code import} would refuse them; the message says why
   */
  Title title(SeriesName series, NameRules rules) {
    if (this == JSON) {
      JsonBuffer before = new JsonBuffer(64).raw("{\"metric\":").string(series.metric());
      return new Title(text(before.raw(",\"timestamp\":")), text(jsonTags(series)));
    }
    Map<String, String> tags = series.sortedTags();
    if (series.metric().indexOf(' ') >= 0
        || tags.entrySet().stream().anyMatch(tag -> isDivided(tag.getKey() + tag.getValue()))) {
      throw new RequestException("a name with a blank or = in it");
    }
    try {
      rules.checkSeries(series.metric(), tags);
    } catch (RequestException e) {
      throw new RequestException("import would refuse it: " + e.getMessage(), e);
    }
    String words =
        tags.entrySet().stream()
            .map(tag -> tag.getKey() + '=' + tag.getValue())
            .collect(Collectors.joining(" "));
    return this == CSV
        ? new Title(quoted(series.metric()) + ',', ',' + quoted(words) + '\n')
        : new Title(series.metric() + ' ', ' ' + words + '\n');
  }

  private static boolean isDivided(String tag) {
    return tag.indexOf(' ') >= 0 || tag.indexOf('=') >= 0;
  }

  private static String quoted(String field) {
    return field.indexOf(',') < 0 && field.indexOf('"') < 0
        ? field
        : '"' + field.replace("\"", "\"\"") + '"';
  }

  private static JsonBuffer jsonTags(SeriesName series) {
    JsonBuffer json = new JsonBuffer(64).raw(",\"tags\":{");
    String comma = "";
    for (Map.Entry<String, String> tag : series.sortedTags().entrySet()) {
      json.raw(comma).string(tag.getKey()).raw(':').string(tag.getValue());
      comma = ",";
    }
    return json.raw("}}\n");
  }

  private static String text(JsonBuffer json) {
    return new String(json.toByteArray(), UTF_8);
  }

  /**
   * Writes a point.
   *
   * @param time in its own resolution
   */
  void point(JsonBuffer to, Title title, long time, RowPoints points, int i) {
    to.raw(title.before()).number(time).raw(separator);
    if (points.isFloat(i)) {
      double value = points.toDouble(i);
      boolean wide = Qualifier.valueLength(points.flags(i)) == Double.BYTES;
      to.number(value);
      if (this == LINES && wide && (float) value == value) {
        to.raw('d'); // it is stored in 8 bytes, although it would fit in 4
      }
    } else {
      to.number(points.raw(i));
    }
    to.raw(title.after());
  }

  /** Writes that a cell has no line of its own. */
  void omission(JsonBuffer to, byte[] row, byte[] qualifier, String reason) {
    String key = HexFormat.of().formatHex(row);
    String cell = HexFormat.of().formatHex(qualifier);
    if (this == JSON) {
      to.raw("{\"omitted\":{\"row\":\"" + key + "\",\"cell\":\"" + cell + "\",\"reason\":");
      to.string(reason).raw("}}\n");
    } else {
      comment(to, OwnComment.OMITTED, "row " + key + " cell " + cell + ": " + reason);
    }
  }

  /** Writes from where an export that is cut off can continue. */
  void after(JsonBuffer to, String token) {
    if (this == JSON) {
      to.raw("{\"after\":\"" + token + "\"}\n");
    } else {
      comment(to, OwnComment.AFTER, token);
    }
  }

  /** Writes that nothing follows. */
  void end(JsonBuffer to, long points, long omitted) {
    if (this == JSON) {
      to.raw(
          Json.text(
              Json.object()
                  .set("end", Json.object().put("points", points).put("omitted", omitted))));
      to.raw('\n');
    } else {
      comment(to, OwnComment.END, points + " points; " + omitted + " cells omitted");
    }
  }

  /** A comment has no line end, and one that {@code import --csv} skips has no comma. */
  private static void comment(JsonBuffer to, OwnComment kind, String text) {
    to.raw(kind.line(text.replace(',', ';').replaceAll("\\p{Cntrl}", " "))).raw('\n');
  }
}
