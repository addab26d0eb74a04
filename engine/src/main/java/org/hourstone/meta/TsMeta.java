package org.hourstone.meta;

import java.util.Map;
import org.hourstone.internal.Json;
import org.hourstone.internal.RecordFields;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a series: the fields of its JSON, in their order. Immutable. See {@code
 * docs/format/meta.md}.
 *
 * @param tsuid in hex, as given
 * @param displayName an alternative name; may be empty
 * @param description one line; may be empty
 * @param notes further text; may be empty
 * @param created when it got its first point, in seconds since the epoch; 0 if unknown
 * @param custom any other fields; null for none
 * @param units the units of its values; may be empty
 * @param dataType such as counter or gauge; may be empty
 * @param retention the number of days to keep its points; 0 for unlimited. Has no effect
 * @param max its largest value; NaN if unknown
 * @param min its smallest value; NaN if unknown
 */
public record TsMeta(
    String tsuid,
    String displayName,
    String description,
    String notes,
    long created,
    @Nullable Map<String, String> custom,
    String units,
    String dataType,
    int retention,
    double max,
    double min) {

  private static final RecordFields<TsMeta> FIELDS = new RecordFields<>(TsMeta.class, Map.of());

  public TsMeta {
    custom = MetaJson.unmodifiable(custom);
  }

  /** Metadata with only the series and its creation time. */
  public static TsMeta of(String tsuid, long created) {
    return FIELDS.of(Map.of("tsuid", tsuid, "created", created));
  }

  /** A copy for another series. */
  public TsMeta withTsuid(String other) {
    return FIELDS.with(this, Map.of("tsuid", other));
  }

  boolean saysAnything() {
    return FIELDS.any(field -> !field.name().equals("tsuid") && field.isSet(this));
  }

  /**
   * This metadata, with the fields that it doesn't set taken from the stored one; unchanged if it
   * overwrites.
   */
  TsMeta onto(TsMeta stored, boolean overwrite) {
    return FIELDS.with(
        overwrite ? this : FIELDS.or(this, stored),
        Map.of(
            "tsuid",
            stored.tsuid.isEmpty() ? tsuid : stored.tsuid,
            "created",
            MetaJson.older(stored.created, created)));
  }

  /** A cell's value: UTF-8 JSON with its fields in their order. */
  byte[] toStored() {
    return Json.bytes(FIELDS.put(Json.object(), this));
  }

  static TsMeta ofStored(byte[] value) {
    return MetaJson.read(value, "a TSMeta", json -> FIELDS.read(json, Map.of()));
  }
}
