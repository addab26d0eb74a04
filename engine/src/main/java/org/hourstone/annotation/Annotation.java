package org.hourstone.annotation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/**
 * An annotation of a point in time or a time range. Immutable. See {@code
 * docs/format/annotation.md}.
 *
 * @param tsuid the annotated series, in hex as given; empty for a global annotation
 * @param startTime seconds or milliseconds by its size; 0 for not set
 * @param endTime the same; 0 for none
 * @param description one line; may be empty
 * @param notes further text; may be empty
 * @param custom any other fields; null for none
 */
public record Annotation(
    String tsuid,
    long startTime,
    long endTime,
    String description,
    String notes,
    @Nullable Map<String, String> custom) {

  public Annotation {
    custom = custom == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(custom));
  }

  /** Whether it is about all series. */
  public boolean isGlobal() {
    return tsuid.isEmpty();
  }

  /** When it starts, in milliseconds since the epoch. */
  public long startMillis() {
    return Timestamps.toMillis(startTime);
  }

  /** Whether any field is set other than the series and the start. */
  boolean saysAnything() {
    return endTime != 0 || !description.isEmpty() || !notes.isEmpty() || custom != null;
  }

  /** The stored annotation, with the fields that are set in this one replaced. */
  Annotation onto(Annotation stored) {
    return new Annotation(
        tsuid,
        startTime,
        endTime == 0 ? stored.endTime : endTime,
        description.isEmpty() ? stored.description : description,
        notes.isEmpty() ? stored.notes : notes,
        custom == null ? stored.custom : custom);
  }

  /** The same annotation; of two times that mean one cell the smaller is kept. */
  Annotation startingNoLaterThan(Annotation stored) {
    return stored.startTime == 0 || stored.startTime >= startTime
        ? this
        : new Annotation(tsuid, stored.startTime, endTime, description, notes, custom);
  }

  /** A cell's value: UTF-8 JSON with its fields in this order, custom ones sorted. */
  byte[] toStored() {
    ObjectNode json = Json.object();
    if (!isGlobal()) {
      json.put("tsuid", tsuid);
    }
    json.put("startTime", startTime)
        .put("endTime", endTime)
        .put("description", description)
        .put("notes", notes);
    json.set("custom", custom == null ? Json.nothing() : Json.object(new TreeMap<>(custom)));
    return Json.bytes(json);
  }

  /**
   * Decodes the annotation of a cell, with its fields in any order; unknown fields are skipped.
   *
   * @throws CorruptDataException if it is not an annotation
   */
  public static Annotation ofStored(byte[] value) {
    try {
      JsonNode json = Json.read(value);
      if (!json.isObject()) {
        throw new CorruptDataException("an annotation that is not a JSON object");
      }
      return new Annotation(
          Json.string(json, "tsuid"),
          Json.integer(json, "startTime"),
          Json.integer(json, "endTime"),
          Json.string(json, "description"),
          Json.string(json, "notes"),
          Json.strings(json, "custom"));
    } catch (RequestException e) {
      throw new CorruptDataException("an annotation that can't be read: " + e.getMessage(), e);
    }
  }
}
