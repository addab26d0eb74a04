package org.hourstone.meta;

import java.util.Map;
import org.hourstone.internal.Json;
import org.hourstone.internal.RecordFields;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a metric, a tag name or a tag value. Immutable. See {@code docs/format/meta.md}.
 *
 * @param kind the kind of the name
 * @param displayName an alternative name; may be empty
 * @param description one line; may be empty
 * @param notes further text; may be empty
 * @param created when the name got its UID, in seconds since the epoch; 0 if unknown
 * @param custom any other fields; null for none
 */
public record UidMeta(
    UidKind kind,
    String displayName,
    String description,
    String notes,
    long created,
    @Nullable Map<String, String> custom) {

  private static final RecordFields<UidMeta> FIELDS =
      new RecordFields<>(UidMeta.class, Map.of("kind", "type"));

  public UidMeta {
    custom = MetaJson.unmodifiable(custom);
  }

  /** Metadata with only the kind and the creation time. */
  public static UidMeta of(UidKind kind, long created) {
    return new UidMeta(kind, "", "", "", created, null);
  }

  /** Whether any field is set other than the kind. */
  public boolean saysAnything() {
    return FIELDS.any(field -> !field.name().equals("type") && field.isSet(this));
  }

  /**
   * This metadata, with the fields that it doesn't set taken from the stored one; unchanged if it
   * overwrites.
   */
  UidMeta onto(UidMeta stored, boolean overwrite) {
    return FIELDS.with(
        overwrite ? this : FIELDS.or(this, stored),
        Map.of("created", MetaJson.older(stored.created, created)));
  }

  /** A cell's value: UTF-8 JSON with its fields in their order. */
  byte[] toStored() {
    return Json.bytes(FIELDS.put(Json.object(), this));
  }

  static UidMeta ofStored(UidKind kind, byte[] value) {
    return MetaJson.read(value, "a UIDMeta", json -> FIELDS.read(json, Map.of("type", kind)));
  }
}
