package org.hourstone.meta;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.hourstone.internal.Json;
import org.hourstone.uid.UidKind;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a metric, a tag name or a tag value. Immutable. See {@code docs/format/meta.md}.
 *
 * @param kind of the name
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

  public UidMeta {
    custom = MetaJson.unmodifiable(custom);
  }

  /** Nothing but a name that was created then. */
  public static UidMeta of(UidKind kind, long created) {
    return new UidMeta(kind, "", "", "", created, null);
  }

  /** Whether it says anything beyond the kind. */
  public boolean saysAnything() {
    return !displayName.isEmpty()
        || !description.isEmpty()
        || !notes.isEmpty()
        || created != 0
        || custom != null;
  }

  /**
   * This one, with fields that it doesn't set taken from the stored one; or this one alone, if it
   * overwrites.
   */
  UidMeta onto(UidMeta stored, boolean overwrite) {
    return new UidMeta(
        kind,
        overwrite ? displayName : MetaJson.or(displayName, stored.displayName),
        overwrite ? description : MetaJson.or(description, stored.description),
        overwrite ? notes : MetaJson.or(notes, stored.notes),
        MetaJson.older(stored.created, created),
        overwrite || custom != null ? custom : stored.custom);
  }

  /** A cell's value: UTF-8 JSON with its fields in this order. */
  byte[] toStored() {
    ObjectNode json =
        Json.object()
            .put("type", kind.name())
            .put("displayName", displayName)
            .put("description", description)
            .put("notes", notes)
            .put("created", created);
    MetaJson.putCustom(json, custom);
    return Json.bytes(json);
  }

  static UidMeta ofStored(UidKind kind, byte[] value) {
    return MetaJson.read(
        value,
        "a UIDMeta",
        json ->
            new UidMeta(
                kind,
                Json.string(json, "displayName"),
                Json.string(json, "description"),
                Json.string(json, "notes"),
                Json.integer(json, "created"),
                Json.strings(json, "custom")));
  }
}
