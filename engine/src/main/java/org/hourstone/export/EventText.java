package org.hourstone.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import org.hourstone.codec.CellKind;
import org.hourstone.codec.EventQualifier;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.export.RowText.Omission;
import org.hourstone.internal.Json;
import org.hourstone.internal.JsonBuffer;
import org.hourstone.kv.Row;
import org.hourstone.uid.SeriesName;
import org.jspecify.annotations.Nullable;

/**
 * The annotations and histograms of a row as lines of JSON: an annotation as it is stored, a
 * histogram as {@code /api/histogram} takes it. Other formats have no lines for them.
 *
 * @param series null for global annotations
 * @param base the base time of the row, in seconds
 */
record EventText(@Nullable SeriesName series, long base, long fromMillis, long toMillis) {
  /** Whether a format has lines for them. */
  static boolean isOf(ExportFormat format) {
    return format == ExportFormat.JSON;
  }

  static String kind(Row row, int cell) {
    return CellKind.of(row.qualifier(cell)).name().toLowerCase(Locale.ROOT);
  }

  /** Whether the time of one is in the range. */
  boolean isWithin(Row row, int cell) {
    if (CellKind.of(row.qualifier(cell)) == CellKind.HISTOGRAM) {
      return isWithin(base * 1000 + EventQualifier.offsetMillis(row.qualifier(cell)));
    }
    try {
      return isWithin(Json.read(row.value(cell)));
    } catch (RequestException e) {
      return true; // it can't be read: that is said rather once too often
    }
  }

  private boolean isWithin(JsonNode annotation) {
    long start = annotation.path("startTime").asLong(0); // the qualifier may have another time
    return start <= 0 || isWithin(Timestamps.toMillis(start));
  }

  private boolean isWithin(long millis) {
    return millis >= fromMillis && millis <= toMillis;
  }

  /** Writes one if it is in the range; returns why it can't be written. */
  @Nullable Omission write(Row row, int cell, JsonBuffer to) {
    boolean isHistogram = CellKind.of(row.qualifier(cell)) == CellKind.HISTOGRAM;
    byte[] value = row.value(cell);
    if (isHistogram && (value.length == 0 || series == null)) {
      return new Omission(cell, true, "a histogram without a codec or a series");
    }
    try {
      if (isHistogram && isWithin(row, cell)) {
        to.raw(Json.text(histogram(row.qualifier(cell), value))).raw('\n');
      } else if (!isHistogram) {
        JsonNode annotation = Json.read(value);
        if (isWithin(annotation)) {
          to.raw(Json.text(named(Json.object()).set("annotation", annotation))).raw('\n');
        }
      }
      return null;
    } catch (RequestException e) {
      return new Omission(cell, true, "an annotation that is " + e.getMessage());
    }
  }

  private ObjectNode histogram(byte[] qualifier, byte[] value) {
    long millis = base * 1000 + EventQualifier.offsetMillis(qualifier);
    return named(Json.object())
        .put("timestamp", EventQualifier.isMillis(qualifier) ? millis : millis / 1000)
        .put("id", value[0] & 0xFF)
        .put(
            "value",
            Base64.getEncoder().encodeToString(Arrays.copyOfRange(value, 1, value.length)));
  }

  private ObjectNode named(ObjectNode json) {
    if (series != null) {
      json.put("metric", series.metric());
      json.set("tags", Json.object(series.sortedTags()));
    }
    return json;
  }
}
