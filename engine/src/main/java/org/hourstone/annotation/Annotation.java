package org.hourstone.annotation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.internal.RecordFields;
import org.jspecify.annotations.Nullable;

/**
 * An annotation of a timestamp or a time range. Immutable. See {@code docs/format/annotation.md}.
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

  private static final RecordFields<Annotation> FIELDS =
      new RecordFields<>(Annotation.class, Map.of());

  public Annotation {
    custom = custom == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(custom));
  }

  /** Whether it applies to all series. */
  public boolean isGlobal() {
    return tsuid.isEmpty();
  }

  /** Its start, in milliseconds since the epoch. */
  public long startMillis() {
    return Timestamps.toMillis(startTime);
  }

  /** Whether any field is set other than the series and the start. */
  boolean saysAnything() {
    return FIELDS.any(
        field -> !Set.of("tsuid", "startTime").contains(field.name()) && field.isSet(this));
  }

  /** The stored annotation, with the fields that this one sets replaced. */
  Annotation onto(Annotation stored) {
    return FIELDS.or(this, FIELDS.with(stored, Map.of("tsuid", tsuid, "startTime", startTime)));
  }

  /**
   * The same annotation; if its start and the stored one mean the same cell, the smaller value is
   * kept.
   */
  Annotation startingNoLaterThan(Annotation stored) {
    return stored.startTime == 0 || stored.startTime >= startTime
        ? this
        : FIELDS.with(this, Map.of("startTime", stored.startTime));
  }

  /** A cell's value: UTF-8 JSON with its fields in this order, custom ones sorted. */
  byte[] toStored() {
    ObjectNode json = FIELDS.put(Json.object(), this);
    if (isGlobal()) {
      json.remove("tsuid");
    }
    if (custom != null) {
      json.set("custom", Json.object(new TreeMap<>(custom)));
    }
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
      return FIELDS.read(json, Map.of());
    } catch (RequestException e) {
      throw new CorruptDataException("an annotation that can't be read: " + e.getMessage(), e);
    }
  }
}
